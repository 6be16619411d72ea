import { tag } from '../resources/tag.ts'

/** Orders::Tag: a label for orders, unique in its workspace. */
export const orderTag = tag('orders/tag', {
  ...{ title: 'Orders::Tag', root: 'orders_tag', category: 'store' },
  events: ['OrdersTagCreated', 'OrdersTagChanged', 'OrdersTagRemoved'],
  paths: ['/workspaces/{workspace_id}/orders/tags', '/orders/tags/{id}'],
  operations: ['listOrdersTags', 'createOrdersTags', 'getOrdersTags', 'updateOrdersTags', 'removeOrdersTags'],
})
