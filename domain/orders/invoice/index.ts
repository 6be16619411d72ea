import { amount, group, integer, list as listOf, longText, reference } from '../../kernel/model/fields.ts'
import { settingEvents } from '../../kernel/model/model.ts'
import { byId, list, show, textFilter, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import { asks, changes, creates } from '../../resources/writes.ts'
import { MOST_LINES } from '../lines-sent.ts'
import { orderResource, underOrder } from '../order/index.ts'
import { orders } from '../order/rules.ts'
import { invoice, invoiceLineItem } from './model.ts'
import { invoiceParts, lineParts } from './view.ts'

/** Orders::Invoices::LineItem: shown inside its invoice. */
export const invoiceLineItemResource = serve(invoiceLineItem, orders, {
  title: 'Orders::Invoices::LineItem',
  root: 'orders_invoices_line_item',
  category: 'store',
  under: underOrder,
  indexes: [{ fields: ['invoice_id'] }],
  view: lineParts,
  operations: {},
})

/** Order as its invoices show it (contract schema: OrderBaseAttributes). */
const orderBase = embeddedShape(
  orderResource,
  'workspace_id',
  'contact_id',
  'currency',
  'page_id',
  'tax_amount',
  'billing_payment_method_id',
  'funnel_name',
  'discount_ids',
  'workspace_sharing_id',
  'paid_until',
  'resource_install_intent',
  'created_at',
  'updated_at',
  'external_id',
  'payment_processor',
  'phone_number',
  'page_name',
  'contact_groups',
  'workspace',
  'segments',
  'line_items',
  'previous_line_item',
  'visits',
)

const changeable = {
  amount: amount(),
  quantity: integer({ min: 1, max: 1_000_000 }),
  description: longText({ nullable: true }),
}
const lines = (fields: Parameters<typeof group>[0]) => listOf(group(fields), { nullable: true, max: MOST_LINES })
const issued = {
  line_items_attributes: lines({
    ...changeable,
    amount: amount({ required: true }),
    quantity: integer({ required: true, min: 1, max: 1_000_000 }),
    variant_id: reference('products/variant', { required: true }),
    products_price_id: reference('products/price', { required: true }),
  }),
}
const changed = {
  line_items_attributes: lines({
    ...changeable,
    id: reference('orders/invoices/line_item', { about: 'Ignored without one' }),
  }),
}

const INVOICES = '/orders/{order_id}/invoices'
const filters = {
  id: byId,
  status: textFilter('status'),
  invoice_type: textFilter('invoice_type'),
  invoice_number: textFilter('numbered'),
  external_id: textFilter('external_id'),
}

/** Orders::Invoice: what the contact owes for an order. */
export const invoiceResource = serve(invoice, orders, {
  title: 'Orders::Invoice',
  root: 'orders_invoice',
  category: 'store',
  under: underOrder,
  view: invoiceParts(embeddedShape(invoiceLineItemResource), orderBase),
  operations: {
    listOrdersInvoices: list(INVOICES, { filters }),
    listWorkspaceOrdersInvoices: list('/workspaces/{workspace_id}/orders/invoices', { filters, under: workspace }),
    createOrdersInvoices: creates(INVOICES, {
      consequence: 'bills a buyer',
      input: issued,
      ids: () => MOST_LINES,
      idsOf: invoiceLineItem,
    }),
    getOrdersInvoices: show('/orders/invoices/{id}'),
    abandonOrdersInvoices: asks('/orders/invoices/{id}/abandon', 'abandon', {
      consequence: 'gives something up for good',
      summary: 'Gives up an unpaid invoice',
    }),
    updateOrdersInvoices: changes('/orders/invoices/{id}', {
      consequence: 'changes what counts as paid',
      input: changed,
      except: ['invoice_type'],
    }),
  },
  publishes: {
    '$orders.invoice_created': {
      on: ['InvoiceIssued'],
      about: 'An invoice was issued.',
      alias: 'orders/invoice.created',
    },
    '$orders.invoice_updated': {
      on: [
        ...settingEvents(invoice),
        'InvoiceLineItemChanged',
        'InvoiceLineItemFulfilled',
        'InvoiceLineItemUnfulfilled',
        'InvoiceLineItemRestocked',
        'InvoiceLineItemRestockCancelled',
      ],
      unlessWith: ['InvoiceIssued'],
      about: 'A field of an invoice changed, its status included.',
      alias: 'orders/invoice.updated',
    },
    '$orders.invoice_paid': { on: ['InvoicePaid'], about: 'An invoice was paid.', alias: 'orders/invoice.paid' },
    '$one_time_order.invoice_paid': {
      on: ['InvoicePaid'],
      when: ({ data }) => data.subscription === false,
      about: 'An invoice of a one-time order was paid.',
      alias: 'one-time-order.invoice.paid',
    },
    '$subscription.invoice_paid': {
      on: ['InvoicePaid'],
      when: ({ data }) => data.subscription === true,
      about: 'An invoice of a subscription was paid.',
      alias: 'subscription.invoice.paid',
    },
    '$orders.invoice_past_due': {
      on: ['InvoiceFellPastDue'],
      about: 'An invoice is past due.',
      alias: 'orders/invoice.past_due',
    },
    '$subscription.renewal_payment_declined': {
      on: ['InvoiceChargeDeclined'],
      when: ({ data }) => data.renewal === true,
      about: 'The payment of a period of a subscription failed.',
      alias: 'renewal-invoice-payment-declined',
    },
    '$orders.invoice_abandoned': {
      on: ['InvoiceAbandoned'],
      about: 'An invoice that was not paid was given up.',
      alias: 'orders/invoice.abandoned',
    },
    '$orders.invoice_refunded': {
      on: ['InvoiceRefunded'],
      about: 'An invoice was refunded.',
      alias: 'orders/invoice.refunded',
    },
    '$orders.invoice_fulfilled': {
      on: ['InvoiceFulfilled'],
      about: 'Everything on an invoice has been fulfilled.',
      alias: 'orders/invoice.fulfilled',
    },
    '$orders.invoice_voided': {
      on: ['InvoiceVoided'],
      about: 'An invoice was voided.',
      alias: 'orders/invoice.voided',
    },
  },
})
