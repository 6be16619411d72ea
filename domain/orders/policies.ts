import { tagsLeave } from '../kinds/tag.ts'
import { orders } from './order/rules.ts'

export const tagsLeaveOrders = tagsLeave({
  name: 'tags-leave-orders',
  on: 'OrdersTagRemoved',
  aggregate: orders,
  wanted: (tag_id) => ({ tag_id }),
})
