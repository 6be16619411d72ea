import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { tagsLeave } from '../kinds/tag.ts'
import { discounts } from './discount/rules.ts'
import { products } from './product/rules.ts'

export const tagsLeaveProducts = tagsLeave({
  name: 'tags-leave-products',
  on: 'ProductsTagRemoved',
  aggregate: products,
  wanted: (tag_id) => ({ tag_id }),
})

/** What a checkout has reserved is applied: the discount's own stream is told once. */
export const discountsAreApplied: Policy = {
  name: 'discounts-are-applied',
  on: ['DiscountReserved'],
  react({ data: { discount_id }, metadata: { at } }) {
    const id = Number(discount_id)
    const command = { type: 'apply', wanted: {}, at, actor: workerActor('policies') }
    return [{ aggregate: discounts, id, command: () => command }]
  },
}
