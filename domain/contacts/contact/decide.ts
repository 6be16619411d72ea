import type { Command, Decision } from '../../kernel/decider.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { normalizeAttributes } from './attributes.ts'
import { type ContactEvent, NOBODY, type Personal } from './events.ts'
import type { ContactState } from './state.ts'

/** What a client may send of a contact; absent keys are left alone. */
export interface ContactFields extends Partial<Personal> {
  readonly time_zone?: string | null
  readonly tag_ids?: readonly number[]
  readonly custom_attributes?: Readonly<Record<string, string>>
}

interface WithFields {
  readonly fields: ContactFields
  /** Ids for tags that come to be applied, one for each of `fields.tag_ids`. */
  readonly appliedTagIds: readonly number[]
}

export type ContactCommand = Command &
  (
    | ({ readonly type: 'CreateContact'; readonly uuid: string } & WithFields)
    | ({ readonly type: 'ChangeContact' } & WithFields)
    | { readonly type: 'ApplyTag'; readonly tagId: number; readonly appliedTagId: number }
    | { readonly type: 'RemoveTag'; readonly appliedTagId: number }
    | { readonly type: 'AddTags'; readonly tagIds: readonly number[]; readonly appliedTagIds: readonly number[] }
    | { readonly type: 'RemoveTags'; readonly tagIds: readonly number[] }
    | { readonly type: 'UnsubscribeContact' }
    | { readonly type: 'DeleteContact' }
    | { readonly type: 'RedactContact'; readonly redactedAs: string }
  )

type Contact = Decision<ContactEvent>

const PERSONAL_FIELDS = Object.keys(NOBODY) as readonly (keyof Personal & string)[]
const isIdentified = (personal: Personal): boolean => !!personal.email_address || !!personal.phone_number

/** What `fields` change about the details of a person, as events. */
const detailEvents = (state: ContactState, fields: ContactFields): ContactEvent[] => {
  const sent = PERSONAL_FIELDS.filter((name) => fields[name] !== undefined)
  const changed = sent.filter((name) => fields[name] !== state.personal[name])
  const personal = {
    ...state.personal,
    ...Object.fromEntries(sent.map((name) => [name, fields[name] ?? null])),
  } as Personal
  const events: ContactEvent[] = []
  if (changed.length > 0) events.push({ type: 'ContactDetailsChanged', data: { changed, personal } })
  if (!state.identified && isIdentified(personal)) events.push({ type: 'ContactIdentified', data: {} })
  if (fields.time_zone !== undefined && fields.time_zone !== state.timeZone) {
    events.push({ type: 'ContactTimeZoneSet', data: { time_zone: fields.time_zone } })
  }
  return events
}

/** `tag_ids` replaces the whole set; tags that stay keep the time at which they were applied. */
const tagEvents = (
  state: ContactState,
  wanted: readonly number[] | undefined,
  ids: readonly number[],
): ContactEvent[] => {
  if (!wanted) return []
  const held = new Set(state.tags.map(({ tagId }) => tagId))
  const gone = state.tags.filter(({ tagId }) => !wanted.includes(tagId))
  const fresh = [...new Set(wanted)].filter((tagId) => !held.has(tagId))
  return [
    ...gone.map(
      (tag): ContactEvent => ({ type: 'ContactTagRemoved', data: { applied_tag_id: tag.id, tag_id: tag.tagId } }),
    ),
    ...fresh.map(
      (tagId, index): ContactEvent => ({
        type: 'ContactTagApplied',
        data: { applied_tag_id: ids[index]!, tag_id: tagId },
      }),
    ),
  ]
}

const attributeEvents = (state: ContactState, sent: ContactFields['custom_attributes']): ContactEvent[] | Refusal => {
  const attributes = normalizeAttributes(sent ?? {})
  if (attributes instanceof Refusal) return attributes
  const changed = Object.entries(attributes).filter(([key, value]) => state.attributes[key] !== value)
  return changed.length === 0
    ? []
    : [{ type: 'ContactAttributesSet', data: { attributes: Object.fromEntries(changed) } }]
}

const createContact = (state: ContactState, uuid: string, { fields, appliedTagIds }: WithFields): Contact => {
  if (state.status !== 'absent') return []
  const attributes = attributeEvents(state, fields.custom_attributes)
  if (attributes instanceof Refusal) return attributes
  const personal = {
    ...NOBODY,
    ...Object.fromEntries(PERSONAL_FIELDS.map((name) => [name, fields[name] ?? null])),
  } as Personal
  return [
    { type: 'ContactCreated', data: { uuid, time_zone: fields.time_zone ?? null, personal } },
    ...(isIdentified(personal) ? [{ type: 'ContactIdentified', data: {} } as const] : []),
    ...attributes,
    ...tagEvents(state, fields.tag_ids, appliedTagIds),
  ]
}

const changeContact = (state: ContactState, { fields, appliedTagIds }: WithFields): Contact => {
  const attributes = attributeEvents(state, fields.custom_attributes)
  if (attributes instanceof Refusal) return attributes
  return [...detailEvents(state, fields), ...attributes, ...tagEvents(state, fields.tag_ids, appliedTagIds)]
}

const applyTag = (state: ContactState, tagId: number, appliedTagId: number): Contact => {
  if (state.tags.some((tag) => tag.id === appliedTagId)) return []
  if (state.tags.some((tag) => tag.tagId === tagId)) {
    return refuse.invalid('Tag has already been applied to this contact', 'tag_id', 'taken')
  }
  return [{ type: 'ContactTagApplied', data: { applied_tag_id: appliedTagId, tag_id: tagId } }]
}

/** The rules of a contact (spec 1 and 2; rule book "Contacts", "Upsert"). */
export const decide = (state: ContactState, command: ContactCommand): Contact => {
  if (command.type === 'CreateContact') return createContact(state, command.uuid, command)
  if (command.type === 'RedactContact') {
    if (state.status === 'absent') return refuse.notFound()
    return state.status === 'redacted' ? [] : [{ type: 'ContactRedacted', data: { email_address: command.redactedAs } }]
  }
  if (state.status !== 'live') return refuse.notFound()
  switch (command.type) {
    case 'ChangeContact':
      return changeContact(state, command)
    case 'ApplyTag':
      return applyTag(state, command.tagId, command.appliedTagId)
    case 'RemoveTag':
      return tagsRemoved(state, ({ id }) => id === command.appliedTagId)
    case 'AddTags':
      return tagEvents(state, [...state.tags.map(({ tagId }) => tagId), ...command.tagIds], command.appliedTagIds)
    case 'RemoveTags':
      return tagsRemoved(state, ({ tagId }) => command.tagIds.includes(tagId))
    case 'UnsubscribeContact':
      return state.unsubscribed ? [] : [{ type: 'ContactUnsubscribed', data: {} }]
    case 'DeleteContact':
      return [{ type: 'ContactDeleted', data: {} }]
  }
}

const tagsRemoved = (state: ContactState, which: (tag: ContactState['tags'][number]) => boolean): Contact =>
  state.tags
    .filter(which)
    .map((tag) => ({ type: 'ContactTagRemoved', data: { applied_tag_id: tag.id, tag_id: tag.tagId } }))
