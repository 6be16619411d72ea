import { isJsonObject, type JsonObject, type RecordedEvent } from '../kernel/values/event.ts'
import { minorOf } from '../kernel/values/money.ts'
import { order } from '../orders/order/model.ts'
import type { SalesSums } from './addition.ts'

/** Step that sold an order, and what of the order's invoices must be known when they are paid. */
interface Sold {
  readonly funnelId: number
  readonly stepId: number
  readonly live: boolean
}

const TYPE = {
  placed: order.event.OrderPlaced.type,
  issued: order.event.InvoiceIssued.type,
  line: order.event.InvoiceLineItemIssued.type,
  paid: order.event.InvoicePaid.type,
  transaction: order.event.TransactionRecorded.type,
  reversed: order.event.TransactionRefundReversed.type,
}

/** Payment type of the lines that are paid once; all others recur. */
const ONCE = 'one_time'

type Facts = JsonObject | undefined

const objectIn = (facts: JsonObject, name: string): JsonObject => {
  const value = facts[name]
  return isJsonObject(value) ? value : {}
}

const soldBy = ({ sold_funnel_id, sold_step_id, live_mode }: JsonObject): Facts =>
  typeof sold_funnel_id === 'number' && typeof sold_step_id === 'number'
    ? { funnel: sold_funnel_id, step: sold_step_id, live: live_mode === true }
    : undefined

const isRefund = ({ external_type, result }: JsonObject): boolean => external_type === 'refund' && result === 'approved'

/** Returns the facts about an order that a page has sold, after an event. Other orders have none. */
export const salesFactsAfter = (before: Facts, { type, data }: RecordedEvent): Facts => {
  if (type === TYPE.placed) return soldBy(data)
  if (!before) return undefined
  switch (type) {
    case TYPE.issued: {
      const { invoice_id, total_amount, currency, subscription } = data
      return withInvoice(before, invoice_id, { total: total_amount, currency, subscription: subscription === true })
    }
    case TYPE.line:
      return withLine(before, data)
    case TYPE.paid:
      return data.first === true && before.first_invoice === undefined
        ? { ...before, first_invoice: data.invoice_id }
        : before
    case TYPE.transaction:
      return isRefund(data) ? withRefund(before, data) : before
    default:
      return before
  }
}

const withInvoice = (before: JsonObject, id: unknown, invoice: JsonObject): JsonObject => ({
  ...before,
  invoices: { ...objectIn(before, 'invoices'), [String(id)]: invoice },
})

/** Adds a line to its invoice: whether anything on it is paid once, and the sum of what recurs. */
const withLine = (before: JsonObject, line: JsonObject): JsonObject => {
  const { invoice_id, payment_type, amount, quantity, discount } = line
  const invoice = objectIn(objectIn(before, 'invoices'), String(invoice_id))
  if (payment_type === ONCE) return withInvoice(before, invoice_id, { ...invoice, once: true })
  const currency = String(invoice.currency)
  const value =
    minorOf(String(amount), currency) * BigInt(Number(quantity)) - minorOf(String(discount ?? '0'), currency)
  return withInvoice(before, invoice_id, {
    ...invoice,
    recurring: String(BigInt(String(invoice.recurring ?? 0)) + value),
  })
}

const withRefund = (before: JsonObject, { transaction_id, amount, currency }: JsonObject): JsonObject => ({
  ...before,
  refunds: { ...objectIn(before, 'refunds'), [String(transaction_id)]: { amount, currency } },
})

/** Sale, payment or refund that counts for the step that sold the order. */
export interface CountedSale extends Sold {
  readonly currency: string
  readonly sums: Partial<SalesSums>
}

/** Returns what an event of an order adds to the numbers of the step that sold it. */
export const saleIn = ({ type, data }: RecordedEvent, facts: Facts): CountedSale | undefined => {
  if (!facts) return undefined
  const sold: Sold = { funnelId: Number(facts.funnel), stepId: Number(facts.step), live: facts.live === true }
  if (type === TYPE.paid && data.first === true) return { ...sold, ...paymentOf(facts, data.invoice_id) }
  if (type === TYPE.transaction && isRefund(data)) return { ...sold, ...refundOf(data, 1n) }
  if (type !== TYPE.reversed) return undefined
  return { ...sold, ...refundOf(objectIn(objectIn(facts, 'refunds'), String(data.transaction_id)), -1n) }
}

/**
 * Divides a paid invoice: lines that recur are recurring revenue, everything else is upfront, with shipping and taxes. Where all lines recur, so does
 * the whole invoice. The two parts are always the total.
 */
const paymentOf = (facts: JsonObject, id: unknown): Pick<CountedSale, 'currency' | 'sums'> => {
  const invoice = objectIn(objectIn(facts, 'invoices'), String(id))
  const currency = String(invoice.currency)
  const total = minorOf(String(invoice.total), currency)
  const isFirst = facts.first_invoice === id
  const hasUpfront = invoice.once === true
  const recurring = hasUpfront ? BigInt(String(invoice.recurring ?? 0)) : isRecurring(invoice) ? total : 0n
  return {
    currency,
    sums: {
      sales: isFirst ? 1 : 0,
      upfront_sales: isFirst && (hasUpfront || !isRecurring(invoice)) ? 1 : 0,
      started: isFirst && invoice.subscription === true ? 1 : 0,
      upfront: total - recurring,
      recurring,
    },
  }
}

const isRecurring = ({ subscription }: JsonObject): boolean => subscription === true

const refundOf = ({ amount, currency }: JsonObject, sign: bigint): Pick<CountedSale, 'currency' | 'sums'> => ({
  currency: String(currency),
  sums: { refunds: sign * minorOf(String(amount), String(currency)) },
})
