import type { Events } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { minorOf } from '../../kernel/values/money.ts'
import type { invoice } from '../invoice/model.ts'
import { nextNumber } from '../invoice/number.ts'
import { order } from '../order/model.ts'
import { periodStart } from './schedule.ts'

const { event } = order
type Happens = Events<typeof order>
type Order = RecordOf<typeof order>
type Invoice = RecordOf<typeof invoice>
type Bill = Pick<Invoice, 'id' | 'subscription' | 'invoice_type' | 'period' | 'ever_paid' | 'total_amount' | 'currency'>

/** Line of an invoice that we issue. */
export interface IssuedLine {
  readonly id: number
  readonly product_id: number
  readonly variant_id: number
  readonly products_price_id: number
  readonly payment_type: string | null
  readonly amount: string
  readonly quantity: number
  readonly discount: string
}

/** Invoice that we issue. Amounts are in the currency's scale. */
export interface InvoiceToIssue {
  readonly id: number
  readonly workspaceId: number
  /** Whether its order is no test order. */
  readonly live_mode: boolean
  readonly at: string
  /** When it is to be paid; absent: at once. */
  readonly due_at?: string
  readonly paid_at: string | null
  readonly invoice_type: NonNullable<Invoice['invoice_type']>
  readonly subscription: boolean
  readonly period: number | null
  readonly currency: string
  readonly subtotal_amount: string
  readonly shipping_amount: string
  readonly discount: string
  readonly tax: string
  readonly total_amount: string
  readonly lines: readonly IssuedLine[]
}

/** Events that issue an invoice which we charge. */
export const invoiceIssuedEvents = ({
  id,
  workspaceId,
  live_mode,
  at,
  due_at,
  lines,
  ...fields
}: InvoiceToIssue): Happens => [
  event.InvoiceIssued({
    invoice_id: id,
    external_id: String(id),
    invoice_number: null,
    issued_at: at,
    due_at: due_at ?? at,
    automatic: true,
    number: nextNumber(workspaceId, !live_mode),
    test_series: !live_mode,
    ...fields,
  }),
  ...lines.map(({ id: lineId, ...line }) =>
    event.InvoiceLineItemIssued({ invoice_line_item_id: lineId, invoice_id: id, description: null, ...line }),
  ),
]

/** Result of a charge at its processor. */
export type ChargeOutcome = {
  readonly transaction_id: number
  readonly external_id: string
  readonly result: 'approved' | 'declined'
  readonly reason: string | null
  readonly payment_method_id: string | null
}

/** Event that records a charge for an invoice, approved or declined. */
export const transactionRecorded = (
  {
    id,
    total_amount,
    currency,
    invoice_type,
    period,
  }: Pick<Invoice, 'id' | 'total_amount' | 'currency'> & Pick<Bill, 'invoice_type' | 'period'>,
  { transaction_id, external_id, result, reason, payment_method_id }: ChargeOutcome,
) =>
  event.TransactionRecorded({
    transaction_id,
    invoice_id: id,
    external_type: 'sale',
    external_id,
    result,
    status: result === 'approved' ? 'completed' : 'declined',
    amount: total_amount,
    currency,
    reason,
    adjusted_transaction_id: null,
    billing_payment_instruction_id: payment_method_id,
    is_rebill: invoice_type === 'renewal',
    rebill_number: period,
  })

/** Event that requests a charge of an invoice. @param charge_due_at when it was due */
export const invoiceChargeAsked = (
  { gateway_account_id, billing_payment_method_id, currency, order_number }: Order,
  { id, total_amount, attempts }: Pick<Invoice, 'id' | 'total_amount' | 'attempts'>,
  charge_due_at: string,
) =>
  event.InvoiceChargeAsked({
    invoice_id: id,
    attempts: attempts + 1,
    charge_due_at,
    amount: total_amount,
    currency,
    gateway_account_id,
    payment_method_id: billing_payment_method_id,
    about: `#${1000 + order_number}`,
  })

/** Event that sets the billing status of an order. */
export const orderBilled = ({ order_type }: Pick<Order, 'order_type'>, billing_status: Order['billing_status']) =>
  event.OrderBilled({ billing_status, order_type })

/** Event that completes an order: a one-time order was paid, or a subscription ran out. */
export const orderCompleted = ({ order_type }: Pick<Order, 'order_type'>) => event.OrderCompleted({ order_type })

/** A late payment must not shorten the time that a later invoice has paid for. */
const extended = ({ plan, paid_until }: Pick<Order, 'plan' | 'paid_until'>, period: number | null) => {
  const until = plan && period !== null ? periodStart(plan, period + 1) : null
  if (until === null || (paid_until !== null && paid_until >= until)) return []
  return [event.SubscriptionExtended({ paid_until: until })]
}

/**
 * Events after the refund of an invoice: the time that it paid for is no longer paid. A plan with a number of payments keeps
 * its end.
 */
export const unpaidPeriod = (
  { plan, paid_until }: Pick<Order, 'plan' | 'paid_until'>,
  refunded: Pick<Invoice, 'period'> | undefined,
): Happens => {
  const period = refunded?.period ?? null
  if (!plan || plan.payments !== null || period === null) return []
  return paid_until !== null && paid_until === periodStart(plan, period + 1)
    ? [event.SubscriptionShortened({ paid_until: periodStart(plan, period) })]
    : []
}

/** Events that a paid invoice adds to its order, except for the billing status. */
export const afterPaymentEvents = (
  parent: Pick<Order, 'purchased' | 'service_status' | 'order_type' | 'plan' | 'paid_until'>,
  { subscription, period }: Pick<Bill, 'subscription' | 'period'>,
): Happens => [
  ...(parent.purchased ? [] : [event.PurchaseSucceeded()]),
  ...(!subscription && parent.service_status !== 'completed' ? [orderCompleted(parent)] : []),
  ...extended(parent, period),
]

/** Event for the first payment of a period; none for setups, trials and periods that are free. */
export const firstPayment = (
  { period_paid }: Pick<Order, 'period_paid'>,
  { period, total_amount, currency }: Pick<Invoice, 'period' | 'total_amount' | 'currency'>,
): Happens =>
  !period_paid && period !== null && minorOf(total_amount, currency) > 0n
    ? [event.SubscriptionFirstPaymentReceived()]
    : []

/** Events for the payment of an invoice that we charge. */
export const invoicePaidEvents = (
  parent: Order,
  { id, subscription, invoice_type, period, ever_paid, total_amount, currency }: Bill,
  at: string,
): Happens => {
  const recurring = subscription && (invoice_type === 'initial' || invoice_type === 'renewal')
  return [
    event.InvoicePaid({ invoice_id: id, subscription, first: !ever_paid, recurring }),
    event.InvoiceChanged({ invoice_id: id, paid_at: at }),
    ...afterPaymentEvents(parent, { subscription, period }),
    ...firstPayment(parent, { period, total_amount, currency }),
  ]
}
