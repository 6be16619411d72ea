import { Type } from 'typebox'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import { dateTime, nullable, nullableInteger } from '../resources/schemas.ts'
import type { OutgoingRecord } from './event/model.ts'
import { place } from './event/view.ts'

export interface EnvelopeData {
  /** Name under which the endpoint subscribes to the type: the key or the alias. */
  readonly eventType: string
  /** Subject as the API showed it; `{}` when it can no longer be determined. */
  readonly data: JsonObject
  readonly page: Json
  readonly funnel: Json
}

/** Returns the body of a delivery: the contract's V2 envelope, including the older spelling of page and funnel, plus the fields that Millrace adds. */
export const envelopeOf = (event: OutgoingRecord, { eventType, data, page, funnel }: EnvelopeData): JsonObject => ({
  event_id: event.uuid,
  event_type: eventType,
  subject_id: event.subject_id,
  subject_type: event.subject_type,
  api_version: 2,
  workspace_id: event.workspace_id,
  created_at: event.created_at,
  page,
  funnel,
  page_id: event.page_id,
  funnel_id: event.funnel_id,
  sequence: event.sequence,
  idempotency_key: event.uuid,
  details: event.details,
  data,
})

/** Schemas of the envelope; `data` comes from the subject. */
export const envelopeSchemas = {
  event_id: Type.String({
    description: '32 hexadecimal digits, the same in every attempt; also in the header webhook-id',
  }),
  event_type: Type.String({ description: 'As the endpoint asked for it: the key, or the alias' }),
  subject_id: Type.Integer(),
  subject_type: Type.String(),
  api_version: Type.Integer(),
  workspace_id: Type.Integer(),
  created_at: dateTime,
  page: nullable(place.schema),
  funnel: nullable(place.schema),
  page_id: nullableInteger,
  funnel_id: nullableInteger,
  sequence: Type.Integer({
    description: 'Revision of the subject that `data` shows: a higher one is newer, an equal one shows the same',
  }),
  idempotency_key: Type.String({
    description: 'Equal to event_id: what has been done under it need not be done again',
  }),
  details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
} as const
