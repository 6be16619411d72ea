import type { ActContext, Events } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { orderBilled } from './billing/events.ts'
import type { invoice } from './invoice/model.ts'
import { order } from './order/model.ts'

const { event } = order
type Happens = Events<typeof order>

/** State of an order that was placed and is charged elsewhere. */
type Known = {
  readonly billing_status: RecordOf<typeof order>['billing_status']
  /** Of a subscription: the attributes of the order to set. */
  readonly service?: Readonly<Record<string, string | null>>
  /** Notes on the deliveries, oldest first. */
  readonly outcomes: readonly string[]
}

const SERVICE = ['activated_at', 'next_charge_at', 'canceled_at', 'cancel_reason', 'churned_at'] as const

/** Returns the notes with all outcomes at the end, each once. Lines written by others stay in front. */
const withOutcomes = (notes: string | null, outcomes: readonly string[]): string | null => {
  const others = notes === null || notes === '' ? [] : notes.split('\n').filter((line) => !outcomes.includes(line))
  const all = [...others, ...outcomes]
  return all.length === 0 ? notes : all.join('\n')
}

/** Sets an external order to the state reported from outside. Adds no event where nothing changes (spec 6.3). */
export const settle = ({ before, wanted }: ActContext<typeof order, Known>): Happens => {
  if (before.payment_processor !== 'external') return []
  const { service = {}, outcomes, billing_status = before.billing_status } = wanted
  const changed: { [name in 'notes' | (typeof SERVICE)[number]]?: string | null } = {}
  for (const name of SERVICE) {
    const value = service[name]
    if (value !== undefined && value !== before[name]) changed[name] = value
  }
  const notes = withOutcomes(before.notes, outcomes)
  if (notes !== before.notes) changed.notes = notes
  return [
    ...(Object.keys(changed).length > 0 ? [event.OrderChanged(changed)] : []),
    ...(billing_status !== before.billing_status ? [orderBilled(before, billing_status)] : []),
  ]
}

/** Statuses between which a report from outside may move an invoice. In any other status the invoice is left alone. */
const RESTATED: ReadonlySet<string> = new Set(['paid', 'refunded', 'disputed'])

/** Sets an invoice that was paid elsewhere to the status reported there. */
export const restate = ({ id, before, wanted }: ActContext<typeof invoice, { readonly status: string }>): Happens => {
  const { status = before.status } = wanted
  if (status === before.status || !RESTATED.has(status) || !RESTATED.has(before.status)) return []
  const { subscription, ever_paid } = before
  const key = { invoice_id: id }
  if (status === 'paid')
    return [event.InvoicePaid({ ...key, subscription, first: !ever_paid, recurring: subscription })]
  return [status === 'refunded' ? event.InvoiceRefunded(key) : event.InvoiceDisputed(key)]
}
