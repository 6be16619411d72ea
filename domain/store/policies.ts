import { parseStream } from '../kernel/decider.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { products } from './product/rules.ts'

/** A tag that is removed from the workspace comes off every product. */
export const tagsLeaveProducts: Policy = {
  name: 'tags-leave-products',
  on: ['ProductsTagRemoved'],
  react({ stream, metadata: { at } }) {
    const tag_id = parseStream(stream).id
    const untag = (id: number) => ({ type: 'untag', id, wanted: { tag_id }, at, actor: workerActor('policies') })
    return [
      {
        each: 'product',
        where: { tag_ids: tag_id },
        one: (id) => ({ aggregate: products, id, command: () => untag(id) }),
      },
    ]
  },
}
