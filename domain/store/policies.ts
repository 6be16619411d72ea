import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { redemption } from './discount/redemption.ts'
import { discounts } from './discount/rules.ts'

/**
 * Marks a discount as applied when a checkout reserves it. Only the first reservation writes to the discount's stream.
 */
export const discountsAreApplied = policy({
  name: 'discounts-are-applied',
  on: [redemption.event.DiscountReserved],
  react: ({ data }) => [ask(discounts, data.discount_id, 'apply', {})],
})
