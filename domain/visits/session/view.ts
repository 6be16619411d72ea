import { type TSchema, Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
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

/** Visits of a contact. */
export const contactVisits = {
  schema: schemaOf(['first_visit', 'last_visit', 'last_visit_with_utm']),
  of: async (contactId: number, load: Loader): Promise<JsonObject> => {
    const [first] = await load.where(session.name, 'contact_id', contactId, 1)
    if (!first) return NO_VISITS
    const last = await load.last(session.name, 'contact_id', contactId)
    const campaign = await load.last(session.name, 'campaign_of', contactId)
    return {
      first_visit: visitOf(first, load),
      last_visit: visitOf(last, load),
      last_visit_with_utm: visitOf(campaign, load),
    }
  },
}

/** Visits of a contact until something was bought. */
export const orderVisits = {
  schema: schemaOf(['last_visit', 'last_visit_with_utm']),
  of: async (contactId: number | null, boughtAt: string, load: Loader): Promise<JsonObject> => {
    const below = firstIdAt(Date.parse(boughtAt) + 1)
    const last = contactId === null ? undefined : await load.last(session.name, 'contact_id', contactId, below)
    const campaign = last && (await load.last(session.name, 'campaign_of', contactId!, below))
    return { last_visit: visitOf(last, load), last_visit_with_utm: visitOf(campaign, load) }
  },
}
