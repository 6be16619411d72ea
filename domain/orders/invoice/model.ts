import { addedData } from '../../kernel/model/event-types.ts'
import { managed, sequence } from '../../kernel/model/field.ts'
import { amount, choice, flag, integer, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { invoiceTimers } from '../billing/timers.ts'
import { BILLING_STATUSES, isOwed } from '../statuses.ts'
import { invoiceFulfilment, lineFulfilment, lineParts } from './fulfilled-events.ts'
import { claimedNumber, numberOf, TEST_SERIES } from './number.ts'

export const INVOICE_TYPES = [
  'initial',
  'renewal',
  'interim',
  'cancellation',
  'one_time',
  'refund',
  'charge',
  'one_time_sale',
] as const

/** Line of an invoice, with the order's data at the time of issue. */
export const invoiceLineItem = model('orders/invoices/line_item', {
  stream: 'order',
  owner: 'order_id',
  attributes: {
    invoice_id: reference('orders/invoice', { required: true }),
    product_id: reference('product', { required: true, shown: 'never' }),
    variant_id: reference('products/variant', { required: true, shown: 'never' }),
    products_price_id: reference('products/price', { required: true, shown: 'never' }),
    payment_type: text({ nullable: true }),
    amount: amount({ required: true }),
    quantity: integer({ required: true, min: 1 }),
    description: longText({ nullable: true }),
    /** Discount on the whole line. */
    discount: managed(amount({ nullable: true }), { shown: 'never' }),
    fulfilled_quantity: managed(integer({ initial: 0 }), { shown: 'never' }),
    restocked_quantity: managed(integer({ initial: 0 }), { shown: 'never' }),
    ...lineParts,
  },
  events: {
    InvoiceLineItemIssued: {
      creates: true,
      except: ['fulfilled_quantity', 'restocked_quantity', 'fulfilled', 'restocked'],
    },
    InvoiceLineItemChanged: { changes: 'rest' },
    ...lineFulfilment,
  },
})

export const NUMBER_TAKEN = 'Invoice number has already been taken'

/** Amount to charge, and the account and payment method to charge. */
type ChargeAsked = {
  readonly amount: string
  readonly currency: string
  readonly gateway_account_id: number | null
  readonly payment_method_id: string | null
  readonly about: string
}

type Declined = { readonly renewal: boolean; readonly reason: string | null }

/** Bill to the contact for an order, once or recurring. */
export const invoice = model('orders/invoice', {
  stream: 'order',
  owner: 'order_id',
  attributes: {
    external_id: text({ required: true, about: "The invoice's id in the client's system" }),
    status: choice(BILLING_STATUSES, { required: true, initial: 'unpaid' }),
    invoice_type: choice(INVOICE_TYPES, { nullable: true, immutable: true }),
    invoice_number: text({ nullable: true, emptyIsNull: true, about: 'Absent: the next of the workspace' }),
    shipping_amount: amount({ nullable: true, about: 'Default: 0' }),
    issued_at: moment({ nullable: true }),
    due_at: moment({ nullable: true, dateAlone: 'ends' }),
    paid_at: moment({ nullable: true, about: 'Needed when the status becomes paid' }),
    subtotal_amount: managed(amount({ required: true })),
    total_amount: managed(amount({ required: true })),
    discount: managed(amount({ nullable: true }), { shown: 'never' }),
    tax: managed(amount({ nullable: true }), { shown: 'never' }),
    currency: managed(text({ required: true })),
    number: sequence(integer({ required: true, shown: 'never' }), { apart: TEST_SERIES }),
    [TEST_SERIES]: managed(flag({ initial: false }), { shown: 'never' }),
    /** Whether the order is a subscription. */
    subscription: managed(flag({ initial: false }), { shown: 'never' }),
    ever_paid: managed(flag({ initial: false }), { shown: 'never' }),
    /** Whether we charge it, through the processor of the order. */
    automatic: managed(flag({ initial: false }), { shown: 'never' }),
    /** Period of the order's plan that it pays for, from 0. */
    period: managed(integer({ nullable: true }), { shown: 'never' }),
    attempts: managed(integer({ initial: 0 }), { shown: 'never' }),
    retry_at: managed(moment(), { shown: 'never' }),
    /** Whether a charge of it is under way. */
    charging: managed(flag({ initial: false }), { shown: 'never' }),
    /** When its last charge was due, which may be long before it was asked for: retries count from there. */
    charge_due_at: managed(moment(), { shown: 'never' }),
  },
  events: {
    InvoiceIssued: {
      creates: true,
      except: ['status', 'ever_paid', 'attempts', 'retry_at', 'charging', 'charge_due_at'],
    },
    InvoicePaid: {
      constants: { status: 'paid', ever_paid: true },
      addsData: ({ subscription, invoice_type, ever_paid }) => ({
        subscription,
        first: !ever_paid,
        recurring: subscription && (invoice_type === 'initial' || invoice_type === 'renewal'),
      }),
    },
    InvoiceRefunded: { constants: { status: 'refunded' } },
    InvoiceVoided: { constants: { status: 'voided' } },
    InvoiceDisputed: { constants: { status: 'disputed' } },
    InvoiceFellPastDue: { constants: { status: 'past-due' } },
    InvoiceAbandoned: { constants: { status: 'abandoned' } },
    /** The processor is to be asked to charge it, or to charge it again. */
    InvoiceChargeAsked: {
      sets: ['attempts', 'charge_due_at'],
      constants: { retry_at: null, charging: true },
      addsData: addedData<ChargeAsked>(),
      versions: [(data) => ({ charge_due_at: null, ...data })],
    },
    InvoiceChargeDeclined: { sets: ['retry_at'], constants: { charging: false }, addsData: addedData<Declined>() },
    InvoiceReopened: { constants: { status: 'unpaid' } },
    InvoiceChanged: { changes: 'rest' },
    // Line items are shown with the invoice, so a change of one changes the invoice.
    InvoiceLineItemChanged: {},
    ...invoiceFulfilment,
  },
  unique: [{ attributes: ['invoice_number'], claimed: claimedNumber, says: NUMBER_TAKEN }],
  timers: invoiceTimers,
  isUnderWay: (record) => record.charging && isOwed(record),
  derives: { version: 1, of: (record) => ({ numbered: numberOf(record) }) },
})
