import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { fromMinor, toMinor } from '../../kernel/values/money.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { priceOf } from '../agreed-price.ts'
import { invoice } from '../invoice/model.ts'
import { type Catalogue, sumOf } from '../lines.ts'
import { lineItem } from '../order/line-item.ts'
import { order, type RenewalData } from '../order/model.ts'
import { isOpen, isOwed, isPayable } from '../statuses.ts'
import { transaction } from '../transaction/model.ts'
import {
  type ChargeOutcome,
  type InvoiceToIssue,
  invoiceChargeAsked,
  invoiceIssuedEvents,
  invoicePaidEvents,
  orderBilled,
  orderCompleted,
  transactionRecorded,
} from './events.ts'
import { periodStart } from './schedule.ts'
import { retryAfter } from './timers.ts'

const { event } = order
type Happens = Events<typeof order>
type OrderAct<Input = unknown> = ActContext<typeof order, Input>
type InvoiceAct = ActContext<typeof invoice>

/** Begins the next period of the plan. A policy issues its invoice. */
const renew = ({ before, at, records }: OrderAct): Happens => {
  const { plan, periods, next_charge_at, in_trial } = before
  if (!plan || next_charge_at === null || next_charge_at > at) return []
  const last = plan.payments !== null && periods + 1 >= plan.payments
  const fell: RenewalData = {
    next_charge_at: last ? null : periodStart(plan, periods + 1),
    periods: periods + 1,
    period: periods,
    trial: in_trial,
    lines: records.all(lineItem).length,
  }
  return [event.RenewalFellDue(fell)]
}

/** Ends a cancelled subscription when its paid time is over. */
const churn = ({ before }: OrderAct): Happens =>
  before.service_status === 'canceled' ? [event.SubscriptionChurned()] : []

/** Completes a plan with a fixed number of payments when its last paid period is over. */
const runOut = ({ before }: OrderAct): Happens => (before.service_status === 'active' ? [orderCompleted(before)] : [])

/** Ends a trial whose first period begins later. */
const endTrial = ({ before }: OrderAct): Happens => (before.in_trial ? [event.TrialEnded()] : [])

/** Returns when the invoice of a period is to be paid: when the period began, also where nothing ran then. */
const dueOf = (plan: RecordOf<typeof order>['plan'], period: number, at: string): string => {
  const begun = plan && periodStart(plan, period)
  return begun && begun < at ? begun : at
}

/**
 * Issues the invoice for a period: the recurring lines, at the prices on the order. A subscription that ended after the
 * period fell due is not billed for it.
 */
const bill = (
  { before, wanted, at, workspaceId, ids, records }: OrderAct<{ readonly period: number }>,
  { catalogue }: { readonly catalogue: Catalogue },
): Happens => {
  const { period } = wanted
  if (before.service_status === 'churned' || records.all(invoice).some((one) => one.period === period)) return []
  const { currency, plan, live_mode } = before
  const id = idAt(ids, 0)
  const due_at = dueOf(plan, period, at)
  const none = fromMinor(0n, currency)
  const lines = records
    .all(lineItem)
    .flatMap((line) => {
      const { product_id, variant_id, products_price_id, quantity } = line
      const price = priceOf(line, catalogue.prices)
      if (!price || price.payment_type === 'one_time') return []
      const { amount, payment_type } = price
      return [{ product_id, variant_id, products_price_id, quantity, amount, payment_type }]
    })
    .map((line, index) => ({ id: idAt(ids, index + 1), discount: none, ...line }))
  const total_amount = fromMinor(sumOf(lines, currency), currency)
  const details: InvoiceToIssue = {
    id,
    workspaceId,
    live_mode,
    at,
    due_at,
    paid_at: null,
    invoice_type: 'renewal',
    subscription: true,
    period,
    currency,
    subtotal_amount: total_amount,
    shipping_amount: none,
    discount: none,
    tax: none,
    total_amount,
    lines,
  }
  const isFree = toMinor(total_amount, currency) === 0n
  const follows = isFree
    ? [...invoicePaidEvents(before, { ...details, ever_paid: false }, at), orderBilled(before, 'paid')]
    : [orderBilled(before, 'unpaid'), invoiceChargeAsked(before, { id, total_amount, attempts: 0 }, due_at)]
  return [...invoiceIssuedEvents(details), ...follows]
}

const declined = (
  { id, attempts, invoice_type, charge_due_at }: RecordOf<typeof invoice>,
  at: string,
  reason: string | null,
) =>
  event.InvoiceChargeDeclined({
    invoice_id: id,
    retry_at: retryAfter(attempts, charge_due_at ?? at),
    renewal: invoice_type === 'renewal',
    reason,
  })

const isNewest = ({ records }: Pick<OrderAct, 'records'>, id: number): boolean => records.all(invoice).at(-1)?.id === id

/** Records a charge once. Money that arrived is recorded in any status of the invoice, but a second payment is refused. */
const recordCharge = (asked: OrderAct<ChargeOutcome & { readonly invoice_id: number }>): Happens | Refusal => {
  const { before, wanted, at, records } = asked
  const target = records.one(invoice, wanted.invoice_id ?? 0)
  const { transaction_id, external_id, result, reason, payment_method_id } = wanted
  const isKnown = records
    .all(transaction)
    .some((one) => one.external_id === external_id && one.external_type === 'sale')
  if (!target || isKnown) return []
  if (result === 'approved' && target.ever_paid)
    return refuse.invalid(`Invoice ${target.id} was paid already`, 'invoice_id', 'taken')
  const charged = transactionRecorded(target, { transaction_id, external_id, result, reason, payment_method_id })
  return result === 'approved'
    ? [
        charged,
        ...invoicePaidEvents(before, target, at),
        ...(isNewest(asked, target.id) ? [orderBilled(before, 'paid')] : []),
      ]
    : [charged, declined(target, at, reason)]
}

/** Handles a charge that failed without an answer: the gateway was unreachable or rejected the request. */
const chargeFailed = ({
  wanted,
  at,
  records,
}: OrderAct<{ readonly invoice_id: number; readonly reason: string | null }>): Happens => {
  const target = records.one(invoice, wanted.invoice_id ?? 0)
  return target && isOwed(target) ? [declined(target, at, wanted.reason ?? null)] : []
}

/** Acts by which policies, processes and timers bill an order. */
export const billingActs = { renew, churn, endTrial, runOut, bill, recordCharge, chargeFailed }

const orderOf = ({ records }: InvoiceAct) => records.root(order)

const fallPastDue = (asked: InvoiceAct): Happens => {
  const parent = orderOf(asked)
  if (asked.before.status !== 'unpaid') return []
  const follows = parent && isNewest(asked, asked.id) ? [orderBilled(parent, 'past-due')] : []
  return [event.InvoiceFellPastDue({ invoice_id: asked.id }), ...follows]
}

const chargeAgain = (asked: InvoiceAct): Happens => {
  const parent = orderOf(asked)
  const { retry_at } = asked.before
  return parent && retry_at !== null ? [invoiceChargeAsked(parent, asked.before, retry_at)] : []
}

/** Charges an invoice at once, as its buyer asks. Nothing is asked for while a charge is under way. */
const payNow = (asked: InvoiceAct): Happens => {
  const parent = orderOf(asked)
  return parent && isPayable(asked.before) && !asked.before.charging
    ? [invoiceChargeAsked(parent, asked.before, asked.at)]
    : []
}

const abandoned = (asked: InvoiceAct, ids: readonly number[]): Happens => {
  const parent = orderOf(asked)
  const follows = parent && ids.some((id) => isNewest(asked, id)) ? [orderBilled(parent, 'abandoned')] : []
  return [...ids.map((invoice_id) => event.InvoiceAbandoned({ invoice_id })), ...follows]
}

/** Ends the subscription after the grace period, and abandons all of its open invoices. */
const giveUp = (asked: InvoiceAct): Happens => {
  const ends = asked.before.subscription && orderOf(asked)?.service_status === 'active'
  if (!ends) return abandoned(asked, [asked.id])
  const open = asked.records.all(invoice).filter(isOwed)
  return [
    ...abandoned(
      asked,
      open.map(({ id }) => id),
    ),
    event.SubscriptionChurned(),
    event.OrderChanged({ churned_at: asked.at, next_charge_at: null }),
  ]
}

/** Abandons one invoice at a client's request, so that it is not charged again (operationId abandonOrdersInvoices). */
const abandon = (asked: InvoiceAct) => {
  const { automatic } = asked.before
  return automatic && isOpen(asked.before) ? abandoned(asked, [asked.id]) : refuse.notFound('Not found')
}

/** Acts on an invoice that we charge. */
export const invoiceActs = { fallPastDue, chargeAgain, payNow, giveUp, abandon }
