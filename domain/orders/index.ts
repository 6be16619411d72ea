import type { Family } from '../kinds/family.ts'
import { invoiceLineItemResource, invoiceResource } from './invoice/index.ts'
import { lineItemResource, orderAppliedTagResource, orderResource } from './order/index.ts'
import { tagsLeaveOrders } from './policies.ts'
import { orderTag } from './tag.ts'

/** What contacts buy. */
export const orders: Family = {
  resources: [
    orderResource,
    lineItemResource,
    invoiceResource,
    invoiceLineItemResource,
    orderTag,
    orderAppliedTagResource,
  ],
  policies: [tagsLeaveOrders],
}
