import { Type } from 'typebox'
import type { Value, Values } from '../../kernel/model/field.ts'
import { choice, data, integer, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model, type RecordHeader, type RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import type { PastSubject } from '../../resources/view-types.ts'

/** New delivery. One to an endpoint that was `disabled` at the time is abandoned from the start. */
export type NewDelivery = { readonly delivery_id: number; readonly endpoint_id: number; readonly disabled?: true }

/** Attempt as stored with its delivery. */
export type AttemptRecord = {
  readonly number: number
  /** Time at which the attempt ended. */
  readonly at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly reason: string | null
  /** Answer of the receiver, sealed with the key of the person `answer_of` that it may be about. */
  readonly answer: string | null
  readonly answer_of: number | null
}

/** Public event as stored. */
export type OutgoingRecord = RecordOf<typeof outgoingEvent> & { readonly workspace_id: number }
export type DeliveryRecord = RecordOf<typeof delivery>

const attributes = {
  endpoint_id: reference('webhooks/outgoing/endpoint', { required: true, onTargetEnd: 'keep' }),
  /** Stream of the event's subject. Within a lane, an endpoint gets all events in order. */
  lane: text({ required: true }),
  status: choice(['pending', 'delivered', 'failed', 'abandoned'], { default: 'pending' }),
  attempt_count: integer({ default: 0 }),
  attempts: data<readonly AttemptRecord[], { default: [] }>(Type.Array(Type.Object({})), { default: [] }),
  /** Time of the next attempt; `null`: as soon as it is the delivery's turn, or never. */
  retry_at: moment({ nullable: true }),
  abandoned_because: text({ nullable: true }),
  /** Time of the last order for redelivery and number of attempts before it. Retries then last for the full time again. */
  ordered: data<{ readonly at: string; readonly attempts: number } | null>(Type.Null()),
}

type Status = Value<typeof attributes.status>
type State = (RecordHeader & Values<typeof attributes>) | undefined
type Published = { readonly deliveries: readonly NewDelivery[]; readonly subject_stream: string }
type Delivered = Omit<AttemptRecord, 'at' | 'reason'> & { readonly endpoint_id: number }
type Attempted = Delivered & { readonly reason: string | null; readonly retry_at: string | null }
type Ordered = { readonly endpoint_id: number; readonly subject_stream: string }

/** Number of attempts that a delivery stores; the log has all of them. */
const KEPT_ATTEMPTS = 20

const begun = (_: unknown, { deliveries, subject_stream: lane }: Published, { id }: FoldContext) => {
  const { endpoint_id = 0, disabled } = deliveries.find(({ delivery_id }) => delivery_id === id) ?? {}
  return disabled
    ? { endpoint_id, lane, status: 'abandoned' as const, abandoned_because: 'endpoint_disabled' }
    : { endpoint_id, lane }
}

/** Returns the fields of a delivery that an attempt changes. `newStatus` is the status after it. */
const attemptFields = (
  { attempts }: NonNullable<State>,
  attempted: Delivered & Partial<Attempted>,
  at: string,
  newStatus: Status,
) => {
  const { number, duration_ms, status, reason = null, answer, answer_of, retry_at = null } = attempted
  const attempt = { number, at, duration_ms, status, reason, answer, answer_of }
  return { status: newStatus, attempt_count: number, attempts: [...attempts, attempt].slice(-KEPT_ATTEMPTS), retry_at }
}

const delivered = (before: State, attempt: Delivered, { at }: FoldContext) =>
  before ? attemptFields(before, attempt, at, 'delivered') : null

/** Applies a failed attempt. It may end after its delivery was abandoned, which stays so. */
const failed = (before: State, attempt: Attempted, { at }: FoldContext) => {
  if (!before) return null
  const isOver = before.status === 'pending' && attempt.retry_at === null
  return attemptFields(before, attempt, at, isOver ? 'failed' : before.status)
}

/** Applies an order to deliver again, or for the first time to an endpoint that the event was not for before. */
const ordered = (before: State, data: Ordered, { at }: FoldContext) => ({
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
  // Finds the pending deliveries to abandon when their endpoint is no longer called.
  derives: {
    version: 3,
    of: ({ status, endpoint_id }) => ({ pending_for: status === 'pending' ? [endpoint_id] : [] }),
  },
})

const hidden = { required: true, shown: 'never' } as const
const UUID = '32 hexadecimal digits; `event_id` and `webhook-id` of every delivery'

/**
 * Public event with its deliveries to all endpoints, in one stream per event. An attempt is therefore one append to a stream without
 * other writers, attempts of different events never wait for each other, and the deliveries of an event are read in one place. The event
 * holds nothing personal: it names the subject, which is folded from its own stream when it is shown.
 */
export const outgoingEvent = model('webhooks/outgoing/event', {
  attributes: {
    /** Derived from the event that caused it. */
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
    page_id: reference('page', { nullable: true, shown: 'never', onTargetEnd: 'keep' }),
    funnel_id: reference('funnel', { nullable: true, shown: 'never' }),
    details: data<JsonObject | null>(nullable(Type.Record(Type.String(), Type.Unknown()))),
  },
  // The outcome of its deliveries does not change the event.
  events: { WebhookEventPublished: { creates: true } },
  children: { deliveries: { model: delivery, key: 'delivery_id' } },
})

/** Returns the subject of a public event at the revision that is shown. */
export const subjectOf = (event: RecordOf<typeof outgoingEvent>): PastSubject => ({
  resource: event.resource,
  id: event.subject_id,
  stream: event.subject_stream,
  revision: event.sequence,
  goneFrom: event.gone_from,
  at: event.created_at,
})
