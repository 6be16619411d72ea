import { parseStream } from '../kernel/decider.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { RecordOf } from '../kernel/model.ts'
import type { Consequence, Policy } from '../kernel/policy.ts'
import { type RecordCommand, readerOver } from '../kernel/rules.ts'
import { workerActor } from '../kernel/transaction.ts'
import { orders } from '../orders/public.ts'
import { endpoint } from './endpoint/model.ts'
import { delivery, purchase } from './purchase/model.ts'
import { outcomeOf } from './purchase/outcome.ts'
import { purchaseRules } from './purchase/rules.ts'
import { type Bill, type Delivered, isSale, ordered, type Standing, standingOf } from './purchase/standing.ts'

/** A delivery with the ids that were kept for what comes of it. */
type Known = Delivered & Pick<RecordOf<typeof delivery>, 'id' | 'contact_id'>

const knownOf = ({ id, contact_id, external_event_id, reported }: RecordOf<typeof delivery>): Known | undefined =>
  reported ? { ...reported, event: external_event_id, id, contact_id } : undefined

const ask =
  (event: RecordedEvent, command: Omit<RecordCommand, 'at' | 'actor' | 'id'> & { readonly id: number }) => () => ({
    ...command,
    workspaceId: Number(event.metadata.workspace_id),
    at: event.metadata.at,
    actor: workerActor('policies'),
  })

/** The delivery of a payment that came first: whatever else tells of it changes no id. */
const firstOf = (known: readonly Known[], { payment }: Bill): Known | undefined =>
  known.find((one) => isSale(one) && one.payment === payment)

const lineOf = ({ sold: { variant_id, products_price_id } }: Bill) => ({ variant_id, products_price_id, quantity: 1 })

interface Place {
  readonly event: RecordedEvent
  readonly order: number
  readonly live_mode: boolean
  readonly known: readonly Known[]
}

const placed = ({ event, order: id, live_mode, known }: Place, { recurs, bills: [first] }: Standing): Consequence => {
  const by = firstOf(known, first)
  const wanted = {
    order_type: recurs ? 'subscription-order' : 'one-time-order',
    live_mode,
    contact_id: by?.contact_id ?? 0,
    external_id: by?.membership ?? first.payment,
    line_items_attributes: [lineOf(first)],
  }
  return {
    aggregate: orders,
    id,
    command: (mint) => ask(event, { type: 'create', id, wanted, ids: [mint('orders/line_item')] })(),
  }
}

const billed = ({ event, order, known }: Place, bill: Bill): readonly Consequence[] => {
  const sold = firstOf(known, bill)?.sold
  if (!sold) return []
  const of = { child: 'invoices', id: sold.invoice_id }
  const { payment: external_id, paid_at, invoice_type, status } = bill
  const line_items_attributes = [lineOf(bill)]
  const issued = { external_id, invoice_type, status: 'paid', paid_at, issued_at: paid_at, line_items_attributes }
  return [
    {
      aggregate: orders,
      id: order,
      command: (mint) =>
        ask(event, { ...of, type: 'create', wanted: issued, ids: [mint('orders/invoices/line_item')] })(),
    },
    { aggregate: orders, id: order, command: ask(event, { ...of, type: 'restate', wanted: { status } }) },
  ]
}

const outcomesOf = ({ event, order, known }: Place, purchaseId: number): readonly Consequence[] =>
  known.map((one) => {
    const outcome = outcomeOf(one, known)
    const of = { child: 'events', id: one.id }
    const command =
      'notes' in outcome
        ? ask(event, { ...of, type: 'process', wanted: { order_id: order } })
        : ask(event, { ...of, type: 'skip', wanted: { because: outcome.skipped } })
    return { aggregate: purchaseRules, id: purchaseId, command }
  })

/** Everything that the order of a purchase is asked for; what it is told already adds no event. */
const followed = (place: Place, standing: Standing): readonly Consequence[] => {
  const { event, order: id, known } = place
  const { recurs, service, bills, billing_status } = standing
  const notes = ordered(known).flatMap((one) => {
    const outcome = outcomeOf(one, known)
    return 'notes' in outcome ? outcome.notes : []
  })
  const { service_status, ...dates } = service
  const settled = { billing_status, outcomes: [...new Set(notes)], ...(recurs && { service: dates }) }
  return [
    placed(place, standing),
    ...bills.flatMap((bill) => billed(place, bill)),
    ...(recurs
      ? [{ aggregate: orders, id, command: ask(event, { type: 'change', id, wanted: { service_status } }) }]
      : []),
    { aggregate: orders, id, command: ask(event, { type: 'settle', id, wanted: settled }) },
  ]
}

/**
 * A purchase that was made elsewhere is an order here. With each delivery the order is brought to what all deliveries together come to, so
 * that it does not matter in which order they come, or how often (spec 6.3).
 */
export const ordersFollowPurchases: Policy = {
  name: 'orders-follow-external-purchases',
  on: ['ExternalPurchaseEventReceived'],
  async react(event, documents) {
    const { id } = parseStream(event.stream)
    const read = readerOver(documents)
    const [own, deliveries] = await Promise.all([
      read.one(purchase, id),
      read.find(delivery, { where: { purchase_id: id } }),
    ])
    const at = await read.one(endpoint, own?.external_purchase_endpoint_id)
    if (!own) return []
    const known = deliveries.flatMap((one) => knownOf(one) ?? [])
    const place: Place = { event, order: own.order_id, live_mode: at?.live_mode ?? false, known }
    const standing = standingOf(known)
    return [...(standing ? followed(place, standing) : []), ...outcomesOf(place, id)]
  },
}
