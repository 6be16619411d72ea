import type { ActContext, Events } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { billed } from './billing/events.ts'
import type { invoice } from './invoice/model.ts'
import { order } from './order/model.ts'

const { event } = order
type Happens = Events<typeof order>

/** What is known of an order that was placed and is charged elsewhere. */
type Known = {
  readonly billing_status: RecordOf<typeof order>['billing_status']
  /** Of a subscription: attributes of the order, as they are to be. */
  readonly service?: Readonly<Record<string, string | null>>
  /** What has become of it, first come first. */
  readonly outcomes: readonly string[]
}

const SERVICE = ['activated_at', 'next_charge_at', 'canceled_at', 'cancel_reason', 'churned_at'] as const

/** The notes with all outcomes at their end, each once; what others have written stays before them. */
const withOutcomes = (notes: string | null, outcomes: readonly string[]): string | null => {
  const others = notes === null || notes === '' ? [] : notes.split('\n').filter((line) => !outcomes.includes(line))
  const all = [...others, ...outcomes]
  return all.length === 0 ? notes : all.join('\n')
}

/** Brings an external order to what is known of it from outside; whatever is so already adds no event (spec 6.3). */
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
    ...(billing_status !== before.billing_status ? [billed(before, billing_status)] : []),
  ]
}

/** What an invoice is told from outside; one that stands otherwise is somebody else's affair. */
const RESTATED: ReadonlySet<string> = new Set(['paid', 'refunded', 'disputed'])

/** Brings an invoice that was paid elsewhere to how it stands there. */
export const restate = ({ id, before, wanted }: ActContext<typeof invoice, { readonly status: string }>): Happens => {
  const { status = before.status } = wanted
  if (status === before.status || !RESTATED.has(status) || !RESTATED.has(before.status)) return []
  const { subscription, ever_paid } = before
  const key = { invoice_id: id }
  if (status === 'paid')
    return [event.InvoicePaid({ ...key, subscription, first: !ever_paid, recurring: subscription })]
  return [status === 'refunded' ? event.InvoiceRefunded(key) : event.InvoiceDisputed(key)]
}
