import type { DomainEvent, Json } from '../kernel/event.ts'
import type { AskedOf } from '../kernel/rules.ts'
import { billed } from './billing/events.ts'
import type { invoice } from './invoice/model.ts'
import type { order } from './order/model.ts'

/** What is known of an order that was placed and is charged elsewhere. */
type Known = {
  readonly billing_status: string
  /** Of a subscription: attributes of the order, as they are to be. */
  readonly service: Readonly<Record<string, string | null>>
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
export const settle = ({ before, wanted }: AskedOf<typeof order, Known>): readonly DomainEvent[] => {
  if (before.payment_processor !== 'external') return []
  const { service = {}, outcomes = [], billing_status = before.billing_status } = wanted
  const changed: Record<string, Json> = {}
  for (const name of SERVICE) {
    const value = service[name]
    if (value !== undefined && value !== before[name]) changed[name] = value
  }
  const notes = withOutcomes(before.notes, outcomes)
  if (notes !== before.notes) changed.notes = notes
  return [
    ...(Object.keys(changed).length > 0 ? [{ type: 'OrderChanged', data: changed }] : []),
    ...(billing_status !== before.billing_status ? [billed(before, billing_status)] : []),
  ]
}

/** What an invoice is told from outside, by the event that says so; one that stands otherwise is somebody else's affair. */
const RESTATED: Readonly<Record<string, string>> = {
  paid: 'InvoicePaid',
  refunded: 'InvoiceRefunded',
  disputed: 'InvoiceDisputed',
}

/** Brings an invoice that was paid elsewhere to how it stands there. */
export const restate = ({
  id,
  before,
  wanted,
}: AskedOf<typeof invoice, { readonly status: string }>): readonly DomainEvent[] => {
  const { status = before.status } = wanted
  const type = RESTATED[status]
  if (status === before.status || type === undefined || RESTATED[before.status] === undefined) return []
  const { subscription, ever_paid } = before
  const told = status === 'paid' ? { subscription, first: !ever_paid, recurring: subscription } : {}
  return [{ type, data: { invoice_id: id, ...told } }]
}
