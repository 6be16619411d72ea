import { type TSchema, Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'
import { dateTime, nullable, nullableDateTime, nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { session } from './model.ts'

const TEXTS = [
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const),
  ...(['ip', 'user_agent', 'referrer', 'referring_domain', 'landing_page', 'browser', 'os', 'device_type'] as const),
]

const visitSchema = Type.Object({
  uuid: Type.String(),
  ...Object.fromEntries(TEXTS.map((name) => [name, nullableString])),
  started_at: nullableDateTime,
  created_at: dateTime,
  updated_at: dateTime,
})

const schemaOf = (names: readonly string[]): TSchema =>
  Type.Object(Object.fromEntries(names.map((name) => [name, nullable(visitSchema)])))

const open = recordOf(session)

/** Presents a session as a visit (contract: VisitAttributes). Address and referrer are shown to those who may see personal data. */
const visitOf = (document: Document | undefined, { seesPersonalData }: Loader): JsonObject | null => {
  if (!document) return null
  const record = open(document)
  const { uuid, ip, user_agent, referrer, created_at, updated_at } = record
  const personal = seesPersonalData ? { ip, user_agent, referrer } : { ip: null, user_agent: null, referrer: null }
  const texts = Object.fromEntries(TEXTS.map((name) => [name, record[name]]))
  return { uuid, ...texts, ...personal, started_at: created_at, created_at, updated_at }
}

const NO_VISITS: JsonObject = { first_visit: null, last_visit: null, last_visit_with_utm: null }

/** Sessions that a contact knows of. */
interface Visitor {
  readonly first_session_id: number | null
  readonly last_session_id: number | null
  readonly campaign_session_id: number | null
}

/** Visits of a contact. */
export const contactVisits = {
  schema: schemaOf(['first_visit', 'last_visit', 'last_visit_with_utm']),
  of: async (visitor: Visitor, load: Loader): Promise<JsonObject> => {
    if (visitor.first_session_id === null) return NO_VISITS
    const [first, last, campaign] = await Promise.all([
      load.one(session.name, visitor.first_session_id),
      load.one(session.name, visitor.last_session_id),
      load.one(session.name, visitor.campaign_session_id),
    ])
    return {
      first_visit: visitOf(first, load),
      last_visit: visitOf(last, load),
      last_visit_with_utm: visitOf(campaign, load),
    }
  },
}

/** What an order knows of the visit in which it was bought. */
interface Bought {
  readonly session_id?: Json
  readonly contact_id?: Json
  readonly created_at?: Json
}

const NO_ORDER_VISITS: JsonObject = { last_visit: null, last_visit_with_utm: null }

/** Visits of a buyer until something was bought: the session in which it was, or the last one of the contact before it. */
export const orderVisits = {
  schema: schemaOf(['last_visit', 'last_visit_with_utm']),
  of: async ({ session_id, contact_id, created_at }: Bought, load: Loader): Promise<JsonObject> => {
    const buyer = typeof contact_id === 'number' ? await load.one('contact', contact_id) : undefined
    const end = firstIdAt(Date.parse(String(created_at)) + 1)
    const before = (id: Json | undefined) => (typeof id === 'number' && id < end ? id : null)
    const lastId = before(session_id) ?? before(buyer?.last_session_id)
    if (lastId === null) return NO_ORDER_VISITS
    const [last, campaign] = await Promise.all([
      load.one(session.name, lastId),
      load.one(session.name, before(buyer?.campaign_session_id)),
    ])
    return { last_visit: visitOf(last, load), last_visit_with_utm: visitOf(campaign, load) }
  },
}
