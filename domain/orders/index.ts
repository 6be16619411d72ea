import type { Family } from '../resources/family.ts'
import { charges } from './billing/charge.ts'
import { chargeResource, refundResource } from './billing/index.ts'
import { refunds } from './billing/refund.ts'
import { lineItemChangeResource } from './change/index.ts'
import { checkoutResource } from './checkout/index.ts'
import { checkouts } from './checkout/process.ts'
import { invoiceLineItemResource, invoiceResource } from './invoice/index.ts'
import { lineItemResource, orderAppliedTagResource, orderResource } from './order/index.ts'
import { billingPolicies } from './policies.ts'
import { orderTag } from './tag.ts'
import { transactionResource } from './transaction/index.ts'

/** Orders, invoices, transactions, checkouts and what belongs to them. */
export const orders: Family = {
  resources: [
    orderResource,
    lineItemResource,
    lineItemChangeResource,
    invoiceResource,
    invoiceLineItemResource,
    orderTag,
    orderAppliedTagResource,
    transactionResource,
    chargeResource,
    refundResource,
    checkoutResource,
  ],
  policies: billingPolicies,
  processes: [charges, refunds, checkouts],
}
