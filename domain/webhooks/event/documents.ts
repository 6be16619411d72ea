import { parseStream } from '../../kernel/decider.ts'
import type { DomainEvent, JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Documents, PastSubject } from '../../kernel/resource.ts'
import type { OutgoingEvent } from './events.ts'

type Happened = RecordedEvent & OutgoingEvent

/** A public event as its document keeps it. */
export interface OutgoingDocument extends Document {
  readonly id: number
  readonly workspace_id: number
  readonly uuid: string
  readonly event_type_id: string
  readonly resource: string
  readonly subject_type: string
  readonly subject_id: number
  readonly subject_stream: string
  readonly sequence: number
  readonly gone_from: number
  readonly page_id: number | null
  readonly funnel_id: number | null
  readonly details: JsonObject | null
  readonly created_at: string
}

export const outgoingDocuments: Documents = {
  version: 1,
  touches: (event: DomainEvent, id) => (event.type === 'WebhookEventPublished' ? [id] : []),
  evolve(_document, recorded) {
    const { deliveries: _, ...fields } = (recorded as RecordedEvent & { data: JsonObject }).data
    return fields
  },
  indexes: [{ fields: ['workspace_id'], sort: 'created_at' }],
}

/** The subject of a public event, as it is to be shown. */
export const subjectOf = (event: OutgoingDocument): PastSubject => ({
  resource: event.resource,
  id: event.subject_id,
  stream: event.subject_stream,
  revision: event.sequence,
  goneFrom: event.gone_from,
  at: event.created_at,
})

/** One attempt, as a delivery's document keeps it. */
export interface AttemptRecord extends JsonObject {
  readonly number: number
  /** When it ended. */
  readonly at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly reason: string | null
  readonly answer: string | null
  readonly answer_of: number | null
}

/** A delivery as its document keeps it; the last three fields are what the worker finds it by, each with one value or none. */
export interface DeliveryDocument extends Document {
  readonly id: number
  readonly event_id: number
  readonly endpoint_id: number
  /** Stream of the event's subject: within it an endpoint gets everything in order. */
  readonly lane: string
  readonly status: 'pending' | 'delivered' | 'failed' | 'abandoned'
  readonly attempt_count: number
  readonly attempts: readonly AttemptRecord[]
  /** When to try next; null when that is as soon as it is its turn, or never. */
  readonly retry_at: string | null
  readonly abandoned_because: string | null
  readonly pending_for: readonly number[]
  readonly pending_in: readonly string[]
  readonly retrying_for: readonly number[]
}

/** Attempts that a document keeps; the log has them all. */
const KEPT_ATTEMPTS = 20

/** Where a worker looks for what an endpoint has yet to get for one subject. */
export const laneKey = (endpointId: number, lane: string): string => `${endpointId}:${lane}`

const indexed = (document: JsonObject): JsonObject => {
  const { status, endpoint_id, lane, retry_at } = document as unknown as DeliveryDocument
  const pending = status === 'pending'
  return {
    ...document,
    pending_for: pending ? [endpoint_id] : [],
    pending_in: pending ? [laneKey(endpoint_id, lane)] : [],
    retrying_for: pending && retry_at !== null ? [endpoint_id] : [],
  }
}

const begun = (recorded: Happened, endpointId: number, lane: string): JsonObject => ({
  event_id: parseStream(recorded.stream).id,
  endpoint_id: endpointId,
  lane,
  status: 'pending',
  attempt_count: 0,
  attempts: [],
  retry_at: null,
  abandoned_because: null,
})

const attempted = (
  document: JsonObject,
  event: Extract<Happened, { readonly type: 'WebhookDelivered' | 'WebhookAttemptFailed' }>,
): JsonObject => {
  const { number, duration_ms, status, answer, answer_of } = event.data
  const reason = event.type === 'WebhookAttemptFailed' ? event.data.reason : null
  const attempt: AttemptRecord = { number, at: event.metadata.at, duration_ms, status, reason, answer, answer_of }
  const retry_at = event.type === 'WebhookAttemptFailed' ? event.data.retry_at : null
  const failed = retry_at === null ? 'failed' : 'pending'
  return {
    ...document,
    status: event.type === 'WebhookDelivered' ? 'delivered' : document.status === 'pending' ? failed : document.status,
    attempt_count: number,
    attempts: [...(document.attempts as readonly AttemptRecord[]), attempt].slice(-KEPT_ATTEMPTS),
    retry_at,
  }
}

const step = (document: JsonObject | undefined, recorded: Happened, id: number): JsonObject | undefined => {
  switch (recorded.type) {
    case 'WebhookEventPublished': {
      const delivery = recorded.data.deliveries.find(({ delivery_id }) => delivery_id === id)
      if (!delivery) return document
      const fresh = begun(recorded, delivery.endpoint_id, recorded.data.subject_stream)
      return delivery.disabled ? { ...fresh, status: 'abandoned', abandoned_because: 'endpoint_disabled' } : fresh
    }
    case 'WebhookDelivered':
    case 'WebhookAttemptFailed':
      return document && attempted(document, recorded)
    case 'WebhookDeliveryAbandoned':
      return document && { ...document, status: 'abandoned', retry_at: null, abandoned_because: recorded.data.reason }
    case 'WebhookDeliveryOrdered': {
      const due = { status: 'pending', retry_at: recorded.metadata.at, abandoned_because: null }
      return { ...(document ?? begun(recorded, recorded.data.endpoint_id, recorded.data.subject_stream)), ...due }
    }
  }
}

export const deliveryDocuments: Documents = {
  version: 1,
  touches(event: DomainEvent) {
    const happened = event as OutgoingEvent
    return happened.type === 'WebhookEventPublished'
      ? happened.data.deliveries.map(({ delivery_id }) => delivery_id)
      : [happened.data.delivery_id]
  },
  evolve(document, recorded, id) {
    const after = step(document, recorded as Happened, id)
    return after && indexed(after)
  },
  aggregateId: (document) => Number(document.event_id),
  indexes: [
    { fields: ['event_id'] },
    { fields: ['pending_for'] },
    { fields: ['pending_in'] },
    { fields: ['retrying_for'], sort: 'retry_at' },
  ],
}
