import type { DomainEvent, JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Documents } from '../../kernel/resource.ts'
import type { ContactEvent, Personal } from './events.ts'
import { bucketsOf, digestsOf, LOOKUP_FIELDS } from './lookup.ts'

/** A tag on a contact, as its document keeps it. */
export interface TagOfContact extends JsonObject {
  readonly applied_tag_id: number
  readonly tag_id: number
  readonly applied_at: string
}

const person = (personal: Personal | null): JsonObject => ({
  personal,
  has_email: !!personal?.email_address,
  ...bucketsOf(personal),
})

/** Every field that a contact's document will have: copying it later is quick only as long as no field is added. */
const EMPTY = {
  uuid: null,
  last_activity_at: null,
  identified: false,
  has_email: false,
  time_zone: null,
  unsubscribed_at: null,
  email_suppression_reason: null,
  last_notification_email_sent_at: null,
  deleted_at: null,
  redacted_email: null,
  custom_attributes: {},
  applied_tags: [],
  tag_ids: [],
  ...person(null),
  ...Object.fromEntries(Object.keys(digestsOf(null)).map((field) => [field, null])),
  is_active: false,
  listed: false,
} as const

const withTags = (document: JsonObject, tags: readonly TagOfContact[]): JsonObject => ({
  ...document,
  applied_tags: tags,
  tag_ids: tags.map((tag) => tag.tag_id),
})

const tagsOf = (document: JsonObject): readonly TagOfContact[] =>
  (document.applied_tags ?? []) as readonly TagOfContact[]

const step = (document: JsonObject, event: ContactEvent, at: string): JsonObject => {
  switch (event.type) {
    case 'ContactCreated': {
      const { personal, uuid, time_zone } = event.data
      return { ...document, uuid, time_zone, last_activity_at: at, ...person(personal) }
    }
    case 'ContactIdentified':
      return { ...document, identified: true }
    case 'ContactDetailsChanged':
      return { ...document, ...person(event.data.personal) }
    case 'ContactTimeZoneSet':
      return { ...document, time_zone: event.data.time_zone }
    case 'ContactAttributesSet':
      return {
        ...document,
        custom_attributes: { ...(document.custom_attributes as JsonObject), ...event.data.attributes },
      }
    case 'ContactTagApplied':
      return withTags(document, [...tagsOf(document), { ...event.data, applied_at: at }])
    case 'ContactTagRemoved':
      return withTags(
        document,
        tagsOf(document).filter((tag) => tag.applied_tag_id !== event.data.applied_tag_id),
      )
    case 'ContactUnsubscribed':
      return { ...document, unsubscribed_at: at }
    case 'ContactDeleted':
      return { ...document, deleted_at: at }
    case 'ContactRedacted':
      return { ...document, ...person(null), redacted_email: event.data.email_address }
  }
}

/** Derived as the rule book has it: an address, not unsubscribed, not deleted, not suppressed. A redacted contact has no address. */
const derive = (document: JsonObject): JsonObject => {
  const gone = document.deleted_at !== null || document.redacted_email !== null
  const reachable =
    document.has_email === true && document.unsubscribed_at === null && document.email_suppression_reason === null
  return { ...document, is_active: reachable && !gone, listed: document.identified === true && !gone }
}

export const contactDocuments: Documents = {
  version: 2,
  evolve: (document, event: RecordedEvent) =>
    derive(step(document ?? EMPTY, event as RecordedEvent & ContactEvent, event.metadata.at)),
  digests: (personal) => digestsOf(personal as Personal | null),
  indexes: [{ fields: ['tag_ids'] }, ...LOOKUP_FIELDS.map((field) => ({ fields: ['workspace_id', 'listed', field] }))],
}

/** Documents of applied tags, whose events stand in the contact's stream. */
export const appliedTagDocuments: Documents = {
  version: 1,
  touches: (event: DomainEvent) =>
    event.type === 'ContactTagApplied' || event.type === 'ContactTagRemoved' ? [Number(event.data.applied_tag_id)] : [],
  evolve: (_document, event, _id) =>
    event.type === 'ContactTagRemoved'
      ? undefined
      : { contact_id: Number(event.stream.slice('contact-'.length)), tag_id: event.data.tag_id },
  aggregateId: (document) => Number(document.contact_id),
}
