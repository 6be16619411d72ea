import { type TSchema, Type } from 'typebox'
import type { Json, JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Loader, View } from '../../kernel/resource.ts'
import { dateTime, nullable, nullableDateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'
import type { TagOfContact } from './documents.ts'
import { NOBODY, type Personal } from './events.ts'

const visitSchema = Type.Object({
  uuid: Type.String(),
  ...Object.fromEntries(
    [
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_term',
      'utm_content',
      'ip',
      'user_agent',
      'referrer',
      'referring_domain',
      'landing_page',
      'browser',
      'os',
      'device_type',
    ].map((name) => [name, nullableString]),
  ),
  started_at: nullableDateTime,
  created_at: dateTime,
  updated_at: dateTime,
})

const tagSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  color: Type.String(),
  applied_at: nullableString,
})

const personalSchemas = Object.fromEntries(Object.keys(NOBODY).map((name) => [name, nullableString]))

export const contactSchema: TSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  workspace_id: Type.Integer(),
  anonymous: nullableInteger,
  ...personalSchemas,
  time_zone: nullableString,
  uuid: Type.String(),
  unsubscribed_at: nullableString,
  last_notification_email_sent_at: nullableString,
  email_suppression_reason: nullableString,
  is_active: Type.Boolean(),
  deleted_at: nullableDateTime,
  created_at: dateTime,
  updated_at: dateTime,
  tags: nullable(Type.Array(tagSchema)),
  custom_attributes: Type.Record(Type.String(), Type.String()),
  visits: Type.Object({
    first_visit: nullable(visitSchema),
    last_visit: nullable(visitSchema),
    last_visit_with_utm: nullable(visitSchema),
  }),
})

const NO_VISITS: JsonObject = { first_visit: null, last_visit: null, last_visit_with_utm: null }
const NO_ENGAGEMENT: JsonObject = { last_email_sent_at: null, last_email_opened_at: null, last_email_clicked_at: null }

/** Personal values of a contact's document, with the substitutes of the rule book after redaction. */
export const personalOf = (document: JsonObject): Personal => {
  if (document.redacted_email === null) return (document.personal ?? NOBODY) as Personal
  return { ...NOBODY, email_address: String(document.redacted_email), first_name: 'REDACTED', last_name: 'REDACTED' }
}

const presentTags = async (applied: readonly TagOfContact[], load: Loader): Promise<Json[]> => {
  const tags = await Promise.all(applied.map(({ tag_id }) => load.one('contacts/tag', tag_id)))
  return tags.flatMap((tag, index) =>
    tag
      ? [
          {
            id: tag.id,
            public_id: tag.public_id,
            name: tag.name,
            color: tag.color,
            applied_at: applied[index]?.applied_at ?? null,
          },
        ]
      : [],
  )
}

const plain = (document: Document, tags: readonly Json[], expand: ReadonlySet<string>): JsonObject => ({
  id: document.id,
  public_id: document.public_id,
  workspace_id: document.workspace_id,
  anonymous: document.identified === true ? 0 : 1,
  ...personalOf(document),
  time_zone: document.time_zone,
  uuid: document.uuid,
  unsubscribed_at: document.unsubscribed_at,
  last_notification_email_sent_at: document.last_notification_email_sent_at,
  email_suppression_reason: document.email_suppression_reason,
  is_active: document.is_active,
  deleted_at: document.deleted_at,
  created_at: document.created_at,
  updated_at: document.updated_at,
  tags,
  custom_attributes: document.custom_attributes,
  visits: NO_VISITS,
  ...(expand.has('email_engagement') && { email_engagement: NO_ENGAGEMENT }),
})

/** A contact as the API shows it (contract: ContactAttributes). */
export const contactView: View = {
  schema: contactSchema,
  expands: {
    email_engagement: Type.Object({
      last_email_sent_at: nullableDateTime,
      last_email_opened_at: nullableDateTime,
      last_email_clicked_at: nullableDateTime,
    }),
  },
  present(document, load, expand) {
    const applied = (document.applied_tags ?? []) as readonly TagOfContact[]
    if (applied.length === 0) return plain(document, [], expand)
    return presentTags(applied, load).then((tags) => plain(document, tags, expand))
  },
}

/** The compact contact that other records carry (contract: ContactShortAttributes). */
export const contactShortSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  email_address: nullableString,
  first_name: nullableString,
  last_name: nullableString,
  phone_number: nullableString,
})

export const presentContactShort = (document: Document): JsonObject => {
  const { email_address, first_name, last_name, phone_number } = personalOf(document)
  return { id: document.id, public_id: document.public_id, email_address, first_name, last_name, phone_number }
}
