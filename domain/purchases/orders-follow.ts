import { type Ask, ask, within } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { policy } from '../kernel/react/policy.ts'
import type { MintId } from '../kernel/values/ids.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { invoice, invoiceLineItem, lineItem, orders } from '../orders/public.ts'
import { endpoint } from './endpoint/model.ts'
import { delivery, purchase } from './purchase/model.ts'
import { type Bill, type Delivered, isSale, type OrderState, ordered, orderStateOf } from './purchase/order-state.ts'
import { type Outcome, outcomesOf } from './purchase/outcome.ts'
import { purchaseRules } from './purchase/rules.ts'

/** Delivery with its id and the contact that was reserved for its order. */
type Known = Delivered &
  Pick<RecordOf<typeof delivery>, 'id' | 'contact_id' | 'processing_status' | 'processing_errors'>

const knownOf = (one: RecordOf<typeof delivery>): Known | undefined => {
  const { id, contact_id, external_event_id: event, processing_status, processing_errors, reported } = one
  return reported ? { ...reported, event, id, contact_id, processing_status, processing_errors } : undefined
}

/** First delivery of a payment. Later deliveries of the same payment change no ids. */
const firstOf = (known: readonly Known[], { payment }: Bill): Known | undefined =>
  known.find((one) => isSale(one) && one.payment === payment)

const lineOf = ({ sold: { variant_id, products_price_id } }: Bill) => ({ variant_id, products_price_id, quantity: 1 })

interface DeliveryTarget {
  readonly mint: MintId
  readonly order: number
  readonly live_mode: boolean
  readonly known: readonly Known[]
  readonly outcomes: ReadonlyMap<Delivered, Outcome>
}

const placed = ({ mint, order: id, live_mode, known }: DeliveryTarget, { recurs, bills: [first] }: OrderState): Ask => {
  const source = firstOf(known, first)
  const wanted = {
    order_type: recurs ? ('subscription-order' as const) : ('one-time-order' as const),
    live_mode,
    contact_id: source?.contact_id ?? 0,
    external_id: source?.membership ?? first.payment,
    line_items_attributes: [lineOf(first)],
  }
  return ask(orders, id, 'create', wanted, { ids: [mint(lineItem)] })
}

const billed = ({ mint, order, known }: DeliveryTarget, bill: Bill): readonly Ask[] => {
  const sold = firstOf(known, bill)?.sold
  if (!sold) return []
  const { payment: external_id, paid_at, invoice_type, status } = bill
  const fields = { external_id, invoice_type, paid_at, issued_at: paid_at, line_items_attributes: [lineOf(bill)] }
  const invoices = within(orders, order, invoice)
  return [
    ask(invoices, sold.invoice_id, 'create', { ...fields, status: 'paid' }, { ids: [mint(invoiceLineItem)] }),
    ask(invoices, sold.invoice_id, 'restate', { status }),
  ]
}

/** Commands for the deliveries whose recorded result is another one. The thousandth delivery concerns few of those before it. */
const recorded = ({ order, known, outcomes }: DeliveryTarget, purchaseId: number): readonly Ask[] => {
  const events = within(purchaseRules, purchaseId, delivery)
  return known.flatMap((one) => {
    const { processing_status: status, processing_errors: errors } = one
    const outcome = outcomes.get(one)
    if (!outcome) return []
    if ('notes' in outcome) return status === 'processed' ? [] : [ask(events, one.id, 'process', { order_id: order })]
    const isKnown = status === 'processing_skipped' && errors === outcome.skipped
    return isKnown ? [] : [ask(events, one.id, 'skip', { because: outcome.skipped })]
  })
}

/** Commands that set the order of a purchase to its state. They add no event where nothing changes. */
const followed = (target: DeliveryTarget, standing: OrderState): readonly Ask[] => {
  const { order: id, known, outcomes } = target
  const { recurs, service, bills, billing_status } = standing
  const notes = ordered(known).flatMap((one) => {
    const outcome = outcomes.get(one)
    return outcome && 'notes' in outcome ? outcome.notes : []
  })
  const { service_status, ...dates } = service
  const settled = { billing_status, outcomes: [...new Set(notes)], ...(recurs && { service: dates }) }
  return [
    placed(target, standing),
    ...bills.flatMap((bill) => billed(target, bill)),
    ...(recurs ? [ask(orders, id, 'change', { service_status })] : []),
    ask(orders, id, 'settle', settled),
  ]
}

/**
 * Keeps an order in step with a purchase that was made elsewhere. Each delivery sets the order to the result of all
 * deliveries together, so their order and repetition do not matter (spec 6.3).
 */
export const ordersFollowPurchases = policy({
  name: 'orders-follow-external-purchases',
  on: [purchase.event.ExternalPurchaseEventReceived],
  async react({ stream }, documents, mint) {
    const { id } = parseStream(stream)
    const read = readerOver(documents)
    const [own, deliveries] = await Promise.all([
      read.one(purchase, id),
      read.find(delivery, { where: { purchase_id: id } }),
    ])
    const receiver = await read.one(endpoint, own?.external_purchase_endpoint_id)
    if (!own) return []
    const known = deliveries.flatMap((one) => knownOf(one) ?? [])
    const live_mode = receiver?.live_mode ?? false
    const target: DeliveryTarget = { mint, order: own.order_id, live_mode, known, outcomes: outcomesOf(known) }
    const standing = orderStateOf(known)
    return [...(standing ? followed(target, standing) : []), ...recorded(target, id)]
  },
})
