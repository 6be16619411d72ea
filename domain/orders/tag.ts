import { list, show } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { tag } from '../resources/tag.ts'
import { changes, creates, removes } from '../resources/writes.ts'

const TAGS = '/workspaces/{workspace_id}/orders/tags'

/** Orders::Tag: a name to put on orders, unique in its workspace. */
export const orderTag = record({
  name: 'orders/tag',
  title: 'Orders::Tag',
  root: 'orders_tag',
  category: 'store',
  ...tag,
  events: {
    OrdersTagCreated: { creates: true },
    OrdersTagChanged: { changes: 'rest' },
    OrdersTagRemoved: { ends: true },
  },
  operations: {
    listOrdersTags: list(TAGS),
    createOrdersTags: creates(TAGS),
    getOrdersTags: show('/orders/tags/{id}'),
    updateOrdersTags: changes('/orders/tags/{id}'),
    removeOrdersTags: removes('/orders/tags/{id}'),
  },
})
