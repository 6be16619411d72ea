import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, toMinor } from '../../kernel/values/money.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { invoice } from '../invoice/model.ts'
import { type Catalogue, sumOf } from '../lines.ts'
import { lineItem } from '../order/line-item.ts'
import { type Fell, order } from '../order/model.ts'
import { transaction } from '../transaction/model.ts'
import { billed, chargeAsked, completed, type Issued, issued, type Outcome, paid, recorded } from './events.ts'
import { beginningOf } from './schedule.ts'
import { retryAfter } from './timers.ts'

const { event } = order
type Happens = Events<typeof order>
type OrderAct<Besides = unknown> = ActContext<typeof order, Besides>
type InvoiceAct = ActContext<typeof invoice>

/** The next period of the plan begins: it is to be paid, by an invoice that follows. */
const renew = ({ before, at, records }: OrderAct): Happens => {
  const { plan, periods, next_charge_at, in_trial } = before
  if (!plan || next_charge_at === null || next_charge_at > at) return []
  const last = plan.payments !== null && periods + 1 >= plan.payments
  const fell: Fell = {
    next_charge_at: last ? null : beginningOf(plan, periods + 1),
    periods: periods + 1,
    period: periods,
    trial: in_trial,
    lines: records.all(lineItem).length,
  }
  return [event.RenewalFellDue(fell)]
}

/** Its paid time is over after it was cancelled. */
const churn = ({ before }: OrderAct): Happens =>
  before.service_status === 'canceled' ? [event.SubscriptionChurned()] : []

/** All of a plan is paid, and used. */
const runOut = ({ before }: OrderAct): Happens => (before.service_status === 'active' ? [completed(before)] : [])

/** The invoice for a period: what recurs, at the prices that were agreed on. */
const bill = (
  { before, wanted, at, workspaceId, ids, records }: OrderAct<{ readonly period: number }>,
  { catalogue }: { readonly catalogue: Catalogue },
): Happens => {
  const { period } = wanted
  if (records.all(invoice).some((one) => one.period === period)) return []
  const { currency } = before
  const [id = 0, ...lineIds] = ids
  const none = fromMinor(0n, currency)
  const lines = records
    .all(lineItem)
    .flatMap(({ product_id, variant_id, products_price_id, quantity }) => {
      const at_ = catalogue.prices.find((price) => price.id === products_price_id)
      if (!at_ || at_.payment_type === 'one_time') return []
      const { amount, payment_type } = at_
      return [{ product_id, variant_id, products_price_id, quantity, amount, payment_type }]
    })
    .map((line, index) => ({ id: lineIds[index] ?? 0, discount: none, ...line }))
  const total_amount = fromMinor(sumOf(lines, currency), currency)
  const told: Issued = {
    id,
    workspaceId,
    at,
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
    ? [...paid(before, { ...told, ever_paid: false }, at), billed(before, 'paid')]
    : [billed(before, 'unpaid'), chargeAsked(before, { id, total_amount, attempts: 0 })]
  return [...issued(told), ...follows]
}

const declined = ({ id, attempts, invoice_type }: RecordOf<typeof invoice>, at: string, reason: string | null) =>
  event.InvoiceChargeDeclined({
    invoice_id: id,
    retry_at: retryAfter(attempts, at),
    renewal: invoice_type === 'renewal',
    reason,
  })

const isNewest = ({ records }: Pick<OrderAct, 'records'>, id: number): boolean => records.all(invoice).at(-1)?.id === id

/** A charge that is known already is not recorded again; money that came is recorded whatever has become of the invoice. */
const recordCharge = (asked: OrderAct<Outcome & { readonly invoice_id: number }>): Happens => {
  const { before, wanted, at, records } = asked
  const of = records.one(invoice, wanted.invoice_id ?? 0)
  const { transaction_id, external_id, result, reason, payment_method_id } = wanted
  const known = records.all(transaction).some((one) => one.external_id === external_id && one.external_type === 'sale')
  if (!of || known) return []
  const told = recorded(of, { transaction_id, external_id, result, reason, payment_method_id })
  return result === 'approved'
    ? [told, ...paid(before, of, at), ...(isNewest(asked, of.id) ? [billed(before, 'paid')] : [])]
    : [told, declined(of, at, reason)]
}

/** The processor could not be asked, or would not hear of it. */
const chargeFailed = ({
  wanted,
  at,
  records,
}: OrderAct<{ readonly invoice_id: number; readonly reason: string | null }>): Happens => {
  const of = records.one(invoice, wanted.invoice_id ?? 0)
  return of && of.status !== 'paid' ? [declined(of, at, wanted.reason ?? null)] : []
}

/** What workers ask of an order that we charge. */
export const billingActs = { renew, churn, runOut, bill, recordCharge, chargeFailed }

const orderOf = ({ records }: InvoiceAct) => records.root(order)

const fallPastDue = (asked: InvoiceAct): Happens => {
  const of = orderOf(asked)
  if (asked.before.status !== 'unpaid') return []
  const follows = of && isNewest(asked, asked.id) ? [billed(of, 'past-due')] : []
  return [event.InvoiceFellPastDue({ invoice_id: asked.id }), ...follows]
}

const chargeAgain = (asked: InvoiceAct): Happens => {
  const of = orderOf(asked)
  return of && asked.before.retry_at !== null ? [chargeAsked(of, asked.before)] : []
}

const OPEN: ReadonlySet<string> = new Set(['unpaid', 'draft', 'past-due'])

const abandoned = (asked: InvoiceAct, ids: readonly number[]): Happens => {
  const of = orderOf(asked)
  const follows = of && ids.some((id) => isNewest(asked, id)) ? [billed(of, 'abandoned')] : []
  return [...ids.map((invoice_id) => event.InvoiceAbandoned({ invoice_id })), ...follows]
}

/** The grace period is over: the subscription ends, and nothing of it is asked for any more. */
const giveUp = (asked: InvoiceAct): Happens => {
  const ends = asked.before.subscription && orderOf(asked)?.service_status === 'active'
  if (!ends) return abandoned(asked, [asked.id])
  const open = asked.records.all(invoice).filter(({ automatic, status }) => automatic && OPEN.has(status))
  return [
    ...abandoned(
      asked,
      open.map(({ id }) => id),
    ),
    event.SubscriptionChurned(),
    event.OrderChanged({ churned_at: asked.at, next_charge_at: null }),
  ]
}

/** Asked by a client: this invoice alone is given up, and not charged again (contract, abandonOrdersInvoices). */
const abandon = (asked: InvoiceAct) => {
  const { automatic, status } = asked.before
  return automatic && OPEN.has(status) ? abandoned(asked, [asked.id]) : refuse.notFound('Not found')
}

/** What is asked of an invoice that we charge. */
export const invoiceActs = { fallPastDue, chargeAgain, giveUp, abandon }
