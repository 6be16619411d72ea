import { Type } from 'typebox'
import type { Json, JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Loader, View } from '../../kernel/resource.ts'
import { dateTime, nullable, nullableDateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'
import { type AttemptRecord, type DeliveryDocument, type OutgoingDocument, subjectOf } from './documents.ts'

export const placeSchema = nullable(Type.Object({ id: Type.Integer(), public_id: nullableString, name: Type.String() }))

const attemptSchema = Type.Object({
  number: Type.Integer(),
  at: dateTime,
  duration_ms: Type.Integer(),
  status: nullable(Type.Integer({ description: 'Status of the answer; null when there was none' })),
  reason: nullable(Type.String({ description: 'Why there was no answer' })),
  response: nullable(Type.String({ description: 'The beginning of the answer; null once the person has been erased' })),
})

const deliverySchema = Type.Object({
  id: Type.Integer(),
  endpoint_id: Type.Integer(),
  status: Type.Enum(['pending', 'delivered', 'failed', 'abandoned']),
  abandoned_because: nullable(Type.String({ description: '`endpoint_disabled` or `endpoint_removed`' })),
  next_attempt_at: nullableDateTime,
  attempts: Type.Array(attemptSchema, { description: 'The newest 20' }),
})

const schema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  workspace_id: Type.Integer(),
  uuid: nullable(Type.String({ description: '32 hexadecimal digits; `event_id` and `webhook-id` of every delivery' })),
  event_type_id: nullableString,
  subject_id: Type.Integer(),
  subject_type: nullableString,
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'The subject as it was when the event happened' }),
  api_version: nullableInteger,
  created_at: nullableDateTime,
  page: placeSchema,
  funnel: placeSchema,
  sequence: Type.Integer({ description: 'Revision of the subject that `data` shows; ascends with every change of it' }),
  details: nullable(Type.Record(Type.String(), Type.Unknown())),
  deliveries: Type.Array(deliverySchema),
})

/** The page or funnel that an event came from, as events show it. */
export const presentPlace = async (load: Loader, resource: 'page' | 'funnel', id: number | null): Promise<Json> => {
  if (id === null) return null
  const place = await load.one(resource, id)
  return place ? { id, public_id: place.public_id ?? null, name: String(place.name ?? '') } : null
}

const presentAttempt = async (attempt: AttemptRecord, load: Loader): Promise<JsonObject> => {
  const { number, at, duration_ms, status, reason, answer, answer_of } = attempt
  const opened = answer !== null && answer_of !== null ? await load.open(answer_of, answer) : null
  const response = answer_of === null ? answer : ((opened?.text as string | undefined) ?? null)
  return { number, at, duration_ms, status, reason, response }
}

const presentDelivery = async (delivery: DeliveryDocument, load: Loader): Promise<JsonObject> => {
  const endpoint = await load.one('webhooks/outgoing/endpoint', delivery.endpoint_id)
  const orphaned = delivery.status === 'pending' && !endpoint
  return {
    id: delivery.id,
    endpoint_id: delivery.endpoint_id,
    status: orphaned ? 'abandoned' : delivery.status,
    abandoned_because: orphaned ? 'endpoint_removed' : delivery.abandoned_because,
    next_attempt_at: orphaned ? null : delivery.retry_at,
    attempts: await Promise.all(delivery.attempts.map((attempt) => presentAttempt(attempt, load))),
  }
}

/** A public event as the API shows it, with what has become of it. */
export const outgoingView: View = {
  schema,
  async present(document: Document, load) {
    const event = document as OutgoingDocument
    const [data, page, funnel, deliveries] = await Promise.all([
      load.past(subjectOf(event)),
      presentPlace(load, 'page', event.page_id),
      presentPlace(load, 'funnel', event.funnel_id),
      load.where('webhooks/outgoing/delivery', 'event_id', event.id),
    ])
    return {
      id: event.id,
      public_id: event.public_id ?? null,
      workspace_id: event.workspace_id,
      uuid: event.uuid,
      event_type_id: event.event_type_id,
      subject_id: event.subject_id,
      subject_type: event.subject_type,
      data: data ?? {},
      api_version: 2,
      created_at: event.created_at,
      page,
      funnel,
      sequence: event.sequence,
      details: event.details,
      deliveries: await Promise.all(deliveries.map((one) => presentDelivery(one as DeliveryDocument, load))),
    }
  },
}
