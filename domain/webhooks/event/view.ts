import { Type } from 'typebox'
import type { Json } from '../../kernel/values/event.ts'
import { dateTime, nullable, nullableDateTime, nullableString } from '../../resources/schemas.ts'
import { shape } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { endpoint } from '../endpoint/model.ts'
import type { AttemptRecord, DeliveryRecord } from './model.ts'

/** View of the page or funnel that an event came from. */
export const place = shape({ id: Type.Integer(), public_id: nullableString, name: Type.String() })

/** Presents a page or funnel by its id; `null` when there is none. */
export const placeOf = async (load: Loader, resource: 'page' | 'funnel', id: number | null): Promise<Json> => {
  const found = await load.one(resource, id)
  return found ? place.of(found, load) : null
}

const attemptSchema = Type.Object({
  number: Type.Integer(),
  at: dateTime,
  duration_ms: Type.Integer(),
  status: nullable(Type.Integer({ description: 'Status of the answer; null when there was none' })),
  reason: nullable(Type.String({ description: 'Why there was no answer' })),
  response: nullable(Type.String({ description: 'The beginning of the answer; null once the person has been erased' })),
})

export const deliverySchema = Type.Object({
  id: Type.Integer(),
  endpoint_id: Type.Integer(),
  status: Type.Enum(['pending', 'delivered', 'failed', 'abandoned']),
  abandoned_because: nullable(Type.String({ description: '`endpoint_disabled` or `endpoint_removed`' })),
  next_attempt_at: nullableDateTime,
  attempts: Type.Array(attemptSchema, { description: 'The newest 20' }),
})

const presentAttempt = async ({ answer, answer_of, ...attempt }: AttemptRecord, load: Loader): Promise<Json> => {
  const opened = answer !== null && answer_of !== null ? await load.open(answer_of, answer) : null
  return { ...attempt, response: answer_of === null ? answer : (opened?.text ?? null) }
}

/** Presents a delivery with its event. A pending one whose endpoint is gone is shown as abandoned. */
export const presentDelivery = async (delivery: DeliveryRecord, load: Loader) => {
  const { id, endpoint_id, status, abandoned_because, retry_at } = delivery
  const orphaned = status === 'pending' && !(await load.one(endpoint.name, endpoint_id))
  return {
    id,
    endpoint_id,
    ...(orphaned
      ? { status: 'abandoned', abandoned_because: 'endpoint_removed', next_attempt_at: null }
      : { status, abandoned_because, next_attempt_at: retry_at }),
    attempts: await Promise.all(delivery.attempts.map((attempt) => presentAttempt(attempt, load))),
  }
}
