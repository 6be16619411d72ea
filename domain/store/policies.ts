import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { untagOnRemoval } from '../resources/tag.ts'
import { redemption } from './discount/redemption.ts'
import { discounts } from './discount/rules.ts'
import { products } from './product/rules.ts'
import { productTag } from './tag.ts'

export const tagsLeaveProducts = untagOnRemoval({
  name: 'tags-leave-products',
  on: productTag.model.event.ProductsTagRemoved,
  aggregate: products,
  wanted: (tag_id) => ({ tag_id }),
})

/**
 * Marks a discount as applied when a checkout reserves it. Only the first reservation writes to the discount's stream.
 */
export const discountsAreApplied = policy({
  name: 'discounts-are-applied',
  on: [redemption.event.DiscountReserved],
  react: ({ data }) => [ask(discounts, data.discount_id, 'apply', {})],
})
