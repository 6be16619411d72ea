import { Type } from 'typebox'
import type { Value, Values } from '../../kernel/model/field.ts'
import { choice, data, integer, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model, type RecordHeader, type RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import type { PastSubject } from '../../resources/view-types.ts'

/** A delivery as it begins; to an endpoint that was `disabled` at the time it is not made. */
export type NewDelivery = { readonly delivery_id: number; readonly endpoint_id: number; readonly disabled?: true }

/** One attempt, as a delivery keeps it. */
export type AttemptRecord = {
  readonly number: number
  /** When it ended. */
  readonly at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly reason: string | null
  /** What the receiver answered, sealed under the person `answer_of` that it may speak of. */
  readonly answer: string | null
  readonly answer_of: number | null
}

/** A public event, and a delivery, as they are kept. */
export type OutgoingRecord = RecordOf<typeof outgoingEvent> & { readonly workspace_id: number }
export type DeliveryRecord = RecordOf<typeof delivery>

/** What is kept of a delivery. */
const attributes = {
  endpoint_id: reference('webhooks/outgoing/endpoint', { required: true }),
  /** Stream of the event's subject: within it an endpoint gets everything in order. */
  lane: text({ required: true }),
  status: choice(['pending', 'delivered', 'failed', 'abandoned'], { default: 'pending' }),
  attempt_count: integer({ default: 0 }),
  attempts: data<readonly AttemptRecord[], { default: [] }>(Type.Array(Type.Object({})), { default: [] }),
  /** When to try next; null when that is as soon as it is its turn, or never. */
  retry_at: moment({ nullable: true }),
  abandoned_because: text({ nullable: true }),
  /** When it was last ordered anew, and how many attempts there had been: it is tried for as long again. */
  ordered: data<{ readonly at: string; readonly attempts: number } | null>(Type.Null()),
}

type Status = Value<typeof attributes.status>
type Kept = (RecordHeader & Values<typeof attributes>) | undefined
type Published = { readonly deliveries: readonly NewDelivery[]; readonly subject_stream: string }
type Delivered = Omit<AttemptRecord, 'at' | 'reason'> & { readonly endpoint_id: number }
type Attempted = Delivered & { readonly reason: string | null; readonly retry_at: string | null }
type Ordered = { readonly endpoint_id: number; readonly subject_stream: string }

/** Attempts that a delivery keeps; the log has them all. */
const KEPT_ATTEMPTS = 20

const begun = (_: unknown, { deliveries, subject_stream: lane }: Published, { id }: FoldContext) => {
  const { endpoint_id = 0, disabled } = deliveries.find(({ delivery_id }) => delivery_id === id) ?? {}
  return disabled
    ? { endpoint_id, lane, status: 'abandoned' as const, abandoned_because: 'endpoint_disabled' }
    : { endpoint_id, lane }
}

/** What an attempt makes of a delivery, beside what `becomes` of it. */
const tried = (
  { attempts }: NonNullable<Kept>,
  attempted: Delivered & Partial<Attempted>,
  at: string,
  becomes: Status,
) => {
  const { number, duration_ms, status, reason = null, answer, answer_of, retry_at = null } = attempted
  const attempt = { number, at, duration_ms, status, reason, answer, answer_of }
  return { status: becomes, attempt_count: number, attempts: [...attempts, attempt].slice(-KEPT_ATTEMPTS), retry_at }
}

const delivered = (before: Kept, attempt: Delivered, { at }: FoldContext) =>
  before ? tried(before, attempt, at, 'delivered') : null

/** An attempt may end after its delivery was abandoned. */
const failed = (before: Kept, attempt: Attempted, { at }: FoldContext) => {
  if (!before) return null
  const isOver = before.status === 'pending' && attempt.retry_at === null
  return tried(before, attempt, at, isOver ? 'failed' : before.status)
}

/** To be delivered again, or for the first time to an endpoint that it was not meant for before. */
const ordered = (before: Kept, data: Ordered, { at }: FoldContext) => ({
  ...(!before && { endpoint_id: data.endpoint_id, lane: data.subject_stream }),
  status: 'pending' as const,
  retry_at: at,
  abandoned_because: null,
  ordered: { at, attempts: before?.attempt_count ?? 0 },
})

/** A delivery of an event to one endpoint. */
export const delivery = model('webhooks/outgoing/delivery', {
  stream: 'webhooks/outgoing/event',
  owner: 'event_id',
  attributes,
  events: {
    WebhookEventPublished: {
      of: ({ deliveries }: Published) => deliveries.map(({ delivery_id }) => delivery_id),
      evolve: begun,
    },
    WebhookDelivered: { evolve: delivered },
    WebhookAttemptFailed: { evolve: failed },
    WebhookDeliveryAbandoned: {
      evolve: (before, { reason }: { readonly reason: string; readonly endpoint_id: number }) =>
        before ? { status: 'abandoned', retry_at: null, abandoned_because: reason } : null,
    },
    WebhookDeliveryOrdered: { evolve: ordered },
  },
  // What is given up is found by it when its endpoint is not called any more.
  derives: {
    version: 3,
    of: ({ status, endpoint_id }) => ({ pending_for: status === 'pending' ? [endpoint_id] : [] }),
  },
})

const hidden = { required: true, shown: 'never' } as const
const UUID = '32 hexadecimal digits; `event_id` and `webhook-id` of every delivery'

/**
 * A public event with its deliveries to every endpoint that it goes to: one stream a public event. So an attempt is one
 * append to a stream that nobody else writes to, attempts of different events never wait for each other, and what one endpoint does
 * to an event is read in one place. Nothing personal is in it: the subject is named, and folded from its own stream whenever it is shown.
 */
export const outgoingEvent = model('webhooks/outgoing/event', {
  attributes: {
    /** Derived from the cause. */
    uuid: text({ required: true, shown: { schema: nullable(Type.String({ description: UUID })) } }),
    event_type_id: text({ required: true, shown: { schema: nullableString } }),
    resource: text(hidden),
    subject_type: text({ required: true, shown: { schema: nullableString } }),
    subject_id: integer({ required: true }),
    /** Stream and revision at which the subject is shown; `gone_from`: see PastSubject. */
    subject_stream: text(hidden),
    sequence: integer({
      required: true,
      about: 'Revision of the subject that `data` shows; ascends with every change of it',
    }),
    gone_from: integer(hidden),
    page_id: reference('page', { nullable: true, shown: 'never' }),
    funnel_id: reference('funnel', { nullable: true, shown: 'never' }),
    details: data<JsonObject | null>(nullable(Type.Record(Type.String(), Type.Unknown()))),
  },
  // What becomes of its deliveries is no change of the event.
  events: { WebhookEventPublished: { creates: true } },
  children: { deliveries: { model: delivery, key: 'delivery_id' } },
})

/** The subject of a public event, as it is to be shown. */
export const subjectOf = (event: RecordOf<typeof outgoingEvent>): PastSubject => ({
  resource: event.resource,
  id: event.subject_id,
  stream: event.subject_stream,
  revision: event.sequence,
  goneFrom: event.gone_from,
  at: event.created_at,
})
