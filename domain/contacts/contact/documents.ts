import type { DomainEvent, JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Documents } from '../../kernel/resource.ts'
import type { ContactEvent, Personal } from './events.ts'

/** A tag on a contact, as its document keeps it. */
export interface TagOfContact extends JsonObject {
  readonly applied_tag_id: number
  readonly tag_id: number
  readonly applied_at: string
}

/** Purpose of the digests by which contacts are found by e-mail address. */
export const EMAIL_DIGEST = 'contact.email'

const EMPTY = {
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
      return { ...document, uuid, time_zone, personal, has_email: !!personal?.email_address }
    }
    case 'ContactIdentified':
      return { ...document, identified: true }
    case 'ContactDetailsChanged':
      return { ...document, personal: event.data.personal, has_email: !!event.data.personal?.email_address }
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
      return { ...document, personal: null, has_email: false, redacted_email: event.data.email_address }
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
  version: 1,
  evolve: (document, event: RecordedEvent) =>
    derive(step(document ?? EMPTY, event as RecordedEvent & ContactEvent, event.metadata.at)),
  digests: (personal) => {
    const address = (personal as Personal | null)?.email_address
    return { email_digest: address ? { purpose: EMAIL_DIGEST, value: address } : null }
  },
  indexes: [{ fields: ['tag_ids'] }],
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
