import { type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { afterPaymentEvents, orderBilled } from '../billing/events.ts'
import { invoiceActs } from '../billing/rules.ts'
import { restate } from '../incoming.ts'
import { boundedSum, type Catalogue, findLines, type LineRef, normalizeCharge, pricesAndVariants } from '../lines.ts'
import { lineItem } from '../order/line-item.ts'
import { order } from '../order/model.ts'
import { EXTERNAL_INVOICE } from '../statuses.ts'
import { invoice, invoiceLineItem, NUMBER_TAKEN } from './model.ts'
import { numberOf } from './number.ts'

const { event } = order
type Happens = Events<typeof order>

/** Line item as it is sent: a new one names a variant, a price and a quantity; a change names its id. */
type Sent = Partial<LineRef> & { readonly id?: number; readonly amount?: string; readonly description?: string | null }
type Invoice = DecisionContext<typeof invoice, { readonly line_items_attributes: readonly Sent[] | null }>

const isWhole = (one: Sent): one is Sent & LineRef =>
  one.variant_id !== undefined && one.products_price_id !== undefined && one.quantity !== undefined

const LINES = 'orders_invoice.line_items_attributes'

/** Lines of the order, in the form in which clients send them. */
const ordered = ({ records }: Invoice): readonly Sent[] =>
  records
    .all(lineItem)
    .map(({ variant_id, products_price_id, quantity }) => ({ variant_id, products_price_id, quantity }))

type Facts = Catalogue & { readonly isNumberTaken?: boolean }

/** Returns the number that an invoice is to have; `undefined` where it keeps its own, or is given one. */
const wantedNumber = ({ before, after }: Pick<Invoice, 'before' | 'after'>): string | undefined => {
  if (!before) return after.invoice_number ?? undefined
  const number = numberOf(after)
  return number === numberOf(before) ? undefined : number
}

/** Finds out whether another invoice has the number, also one of which no claim tells: those of former versions, and those of the same order. */
const isNumberTaken = async (asked: Invoice, { documents }: Reader): Promise<boolean> => {
  const numbered = wantedNumber(asked)
  if (numbered === undefined) return false
  const { id, workspaceId, records } = asked
  if (records.all(invoice).some((one) => one.id !== id && numberOf(one) === numbered)) return true
  const found = await documents.find(invoice.name, { where: { workspace_id: workspaceId, numbered }, limit: 2 })
  return found.some((one) => one.id !== id)
}

const loadFacts = async (asked: Invoice, read: Reader): Promise<Facts> => ({
  ...(await pricesAndVariants(
    asked.before ? [] : [...ordered(asked), ...(asked.wanted.line_items_attributes ?? [])],
    read,
  )),
  isNumberTaken: await isNumberTaken(asked, read),
})

const numbered = (_: Invoice, facts: Facts) =>
  facts.isNumberTaken ? refuse.invalid(NUMBER_TAKEN, 'orders_invoice.invoice_number', 'taken') : undefined

/** Clients write only invoices of external orders; the processor writes the others. */
const external = ({ records }: Invoice) =>
  records.root(order)?.payment_processor === 'external' ? undefined : refuse.notFound('No such external order')

/** Defaults and checks the type: subscriptions take every type except `one_time_sale`, other orders only that one. */
const type = ({ before, after, records }: Invoice) => {
  if (before) return undefined
  const parent = records.root(order)
  const subscription = parent?.order_type === 'subscription-order'
  const invoice_type = after.invoice_type ?? (subscription ? 'initial' : 'one_time_sale')
  if (subscription === (invoice_type !== 'one_time_sale'))
    return { invoice_type, subscription, currency: parent?.currency ?? '', test_series: parent?.live_mode === false }
  return refuse.invalid('Invoice type is not included in the list', 'orders_invoice.invoice_type', 'inclusion')
}

const status = ({ before, after }: Invoice) => {
  if (after.status === before?.status) return undefined
  if (!EXTERNAL_INVOICE.includes(after.status))
    return refuse.invalid('Status is not included in the list', 'orders_invoice.status', 'inclusion')
  if (after.status !== 'paid') return undefined
  if (after.paid_at === null) return refuse.invalid("Paid at can't be blank", 'orders_invoice.paid_at', 'blank')
  return { ever_paid: true }
}

/** Line item as it will be stored. */
type Line = LineRef & {
  readonly id: number
  readonly product_id: number
  readonly payment_type: string | null
  readonly amount: string
  readonly description: string | null
}

/**
 * Lines of a new invoice: those that were sent, otherwise all of the order. A line without an amount uses its price.
 */
const issued = (asked: Invoice, catalogue: Catalogue): readonly Line[] | Refusal => {
  const { wanted, after, ids } = asked
  const sent = wanted.line_items_attributes?.length ? wanted.line_items_attributes : ordered(asked)
  const found = findLines(sent.filter(isWhole), catalogue, LINES)
  if (found instanceof Refusal) return found
  const lines: Line[] = []
  for (const [
    index,
    { price, variant_id, products_price_id, product_id, quantity, description, amount },
  ] of found.entries()) {
    const normal = normalizeCharge(amount ?? price.amount, after.currency, LINES, 'Line items amount')
    if (normal instanceof Refusal) return normal
    const product = { product_id, variant_id, products_price_id, payment_type: price.payment_type }
    lines.push({ id: idAt(ids, index), ...product, amount: normal, quantity, description: description ?? null })
  }
  return lines
}

/**
 * Lines of an existing invoice with the changes that were sent. Lines without an id are ignored, as the contract says.
 */
const changed = ({ id, wanted, after, records }: Invoice): readonly Line[] | Refusal => {
  const own = records.all(invoiceLineItem).filter(({ invoice_id }) => invoice_id === id)
  const sent = (wanted.line_items_attributes ?? []).filter((one) => one.id !== undefined)
  if (sent.some((one) => !own.some((line) => line.id === one.id)))
    return refuse.invalid('Line items contain ids that are not of this invoice', LINES, 'not_found')
  const lines: Line[] = []
  for (const line of own) {
    const {
      amount = line.amount,
      quantity = line.quantity,
      description = line.description,
    } = sent.find((one) => one.id === line.id) ?? {}
    const normal = normalizeCharge(amount, after.currency, LINES, 'Line items amount')
    if (normal instanceof Refusal) return normal
    if (quantity < line.fulfilled_quantity + line.restocked_quantity)
      return refuse.invalid('Line items quantity is less than what has been fulfilled or restocked', LINES, 'too_small')
    lines.push({ ...line, amount: normal, quantity, description })
  }
  return lines
}

const linesOf = (asked: Invoice, catalogue: Catalogue) => (asked.before ? changed(asked) : issued(asked, catalogue))

const total = (asked: Invoice, catalogue: Catalogue) => {
  const { currency, shipping_amount: sent } = asked.after
  const lines = linesOf(asked, catalogue)
  if (lines instanceof Refusal) return lines
  const shipping_amount = normalizeCharge(sent ?? '0', currency, 'orders_invoice.shipping_amount', 'Shipping amount')
  if (shipping_amount instanceof Refusal) return shipping_amount
  const subtotal = boundedSum(lines, currency, LINES)
  if (subtotal instanceof Refusal) return subtotal
  const all = subtotal + minorOf(shipping_amount, currency)
  return { shipping_amount, subtotal_amount: fromMinor(subtotal, currency), total_amount: fromMinor(all, currency) }
}

const lineEvents = (asked: Invoice, catalogue: Catalogue): Happens | Refusal => {
  const lines = linesOf(asked, catalogue)
  if (lines instanceof Refusal) return lines
  return lines.flatMap(({ id, product_id, variant_id, products_price_id, payment_type, ...values }): Happens => {
    const { amount, quantity, description } = values
    const key = { invoice_line_item_id: id, invoice_id: asked.id }
    if (!asked.before) {
      const product = { product_id, variant_id, products_price_id, payment_type }
      return [event.InvoiceLineItemIssued({ ...key, ...product, amount, quantity, description })]
    }
    const held = asked.records.one(invoiceLineItem, id)
    const isSame = held?.amount === amount && held.quantity === quantity && held.description === description
    return isSame ? [] : [event.InvoiceLineItemChanged({ ...key, amount, quantity, description })]
  })
}

/** Copies the status of the newest invoice to the order, and completes a one-time order when it is paid. */
const follow = ({ id, before, after, records }: Invoice): Happens => {
  const parent = records.root(order)
  if (!parent) return []
  const isNewest = !before || records.all(invoice).at(-1)?.id === id
  return [
    ...(isNewest && parent.billing_status !== after.status ? [orderBilled(parent, after.status)] : []),
    ...(after.status === 'paid' ? afterPaymentEvents(parent, after) : []),
  ]
}

/** Rules of an invoice (spec 2.3). */
export const invoiceRules = rules(invoice, {
  loadFacts,
  save: [external, numbered, type, status, total, lineEvents, follow],
  acts: { ...invoiceActs, restate },
  timers: { 'past-due': 'fallPastDue', retry: 'chargeAgain', grace: 'giveUp' },
})
