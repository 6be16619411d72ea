import { Type } from 'typebox'
import { addedData } from '../../kernel/model/event-types.ts'
import { managed, requested, type Values } from '../../kernel/model/field.ts'
import { data, flag, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { textMap } from '../../kernel/model/text-map.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { mailboxSpellings } from '../../kernel/values/mailbox.ts'
import { emailAddress } from '../../resources/attributes/email-address.ts'
import { timeZone } from '../../resources/attributes/time-zone.ts'
import { linkModel } from '../../resources/link.ts'
import type { AddressLeft, OptIn, Return, SoftBounces, Viewed } from './event-data.ts'
import { DIGESTS } from './lookup.ts'

// Other families need these to find contacts by sealed values.
export { emailDigest, indexedPrefix as sharedBeginning, LOOKUPS } from './lookup.ts'

const personal = { nullable: true, emptyIsNull: true, personal: true } as const
const address = text({ ...personal, max: 2048 })

/** A tag on a contact, as it is stored in the contact. */
export type TagOfContact = { readonly applied_tag_id: number; readonly tag_id: number; readonly applied_at: string }

/** Tag applied to a contact. It is put on and taken off, never changed. */
export const appliedTag = linkModel('contacts/applied_tag', {
  stream: 'contact',
  owner: 'contact_id',
  target: 'tag_id',
  refersTo: 'contacts/tag',
  listed: 'tag_ids',
  applied: 'ContactTagApplied',
  removed: 'ContactTagRemoved',
})

/** What has ended stays part of what a contact has done. */
const idsOf = (resource: string) =>
  managed(list(reference(resource, { onTargetEnd: 'keep' }), { initial: [], shown: 'never' }))

/** Returns a list with further ids, each once. */
const withIds = (known: readonly number[] = [], more: readonly (number | null)[]): readonly number[] => [
  ...new Set([...known, ...more.filter((id) => id !== null)]),
]

/** Names of the details that differ. */
type Changed = { readonly changed?: readonly string[] }

const attributes = {
  email_address: emailAddress({ nullable: true, personal: true }),
  first_name: text(personal),
  last_name: text(personal),
  phone_number: text(personal),
  time_zone: timeZone({ nullable: true }),
  fb_url: address,
  twitter_url: address,
  instagram_url: address,
  linkedin_url: address,
  website_url: address,
  tag_ids: requested(
    list(reference('contacts/tag'), {
      default: [],
      nullable: false,
      shown: 'never',
      about: 'Replaces the tags of the contact',
    }),
  ),
  custom_attributes: requested(
    textMap({ default: {}, about: 'Merged into the attributes of the contact; unknown keys are created' }),
  ),
  uuid: managed(text({ required: true })),
  /** Sessions in which the contact was first and last known, and the last one that a campaign brought. */
  first_session_id: managed(integer({ nullable: true }), { shown: 'never' }),
  last_session_id: managed(integer({ nullable: true }), { shown: 'never' }),
  campaign_session_id: managed(integer({ nullable: true }), { shown: 'never' }),
  /** Where the contact has opted in, and what it has viewed; conditions of filters compare these ids. */
  opted_in_page_ids: idsOf('page'),
  opted_in_step_ids: idsOf('funnels/show_page_step'),
  opted_in_funnel_ids: idsOf('funnel'),
  viewed_page_ids: idsOf('page'),
  viewed_funnel_ids: idsOf('funnel'),
  /** Whether the contact has had an e-mail address or a telephone number. */
  identified: managed(flag({ default: false }), { shown: 'never' }),
  has_email: managed(flag({ default: false }), { shown: 'never' }),
  last_activity_at: managed(moment(), { shown: 'never' }),
  unsubscribed_at: managed(moment()),
  /** Topics of mail that the person does not want. */
  unwanted_topic_ids: idsOf('emails/topic'),
  last_notification_email_sent_at: managed(moment()),
  email_suppression_reason: managed(text()),
  /** When the contact got the address that it has; `null`: it has it from the beginning. */
  email_since: managed(moment(), { shown: 'never' }),
  /** Mails in a row that could not be delivered for the moment; `null`: the last one was delivered. */
  soft_bounces: managed(data<SoftBounces | null>(Type.Unknown(), { nullable: true }), { shown: 'never' }),
  /** Whether the contact was asked to confirm an opt-in and has not done so yet. */
  unconfirmed: managed(flag({ initial: false }), { shown: 'never' }),
  /** When it was asked to by mail, in the last day. */
  asked_by_mail: managed(data<readonly string[], { default: [] }>(Type.Array(Type.String()), { default: [] }), {
    shown: 'never',
  }),
  deleted_at: managed(moment()),
  /** Text shown in place of the address once the person has been erased. */
  redacted_email: managed(text(), { shown: 'never' }),
  applied_tags: managed(data<readonly TagOfContact[], { default: [] }>(Type.Array(Type.Object({})), { default: [] }), {
    shown: 'never',
  }),
}

type Contact = Values<typeof attributes>

const DAY_MS = 24 * 60 * 60_000

/** Returns those of some times that are within a day before another. */
export const recentOf = (times: readonly string[], at: string): readonly string[] =>
  times.filter((time) => Date.parse(at) - Date.parse(time) < DAY_MS)

type Ending = Pick<Contact, 'deleted_at' | 'redacted_email'>

/** Returns whether a contact is deleted or erased. */
export const hasEnded = ({ deleted_at, redacted_email }: Ending): boolean =>
  deleted_at !== null || redacted_email !== null

/** Returns whether the contact of a document is neither deleted nor erased. */
export const isContactKept = ({ deleted_at = null, redacted_email = null }: JsonObject): boolean =>
  deleted_at === null && redacted_email === null

/** Returns whether a contact gets marketing mail: it has an address and is not unsubscribed, suppressed, unconfirmed, deleted or erased. */
export const isActive = (contact: Contact): boolean =>
  contact.has_email &&
  contact.unsubscribed_at === null &&
  contact.email_suppression_reason === null &&
  !contact.unconfirmed &&
  !hasEnded(contact)

const withTags = (tags: readonly TagOfContact[]) => ({ applied_tags: tags, tag_ids: tags.map(({ tag_id }) => tag_id) })

/** Contact of a workspace, with the tags applied to it (spec 1 and 2). */
export const contact = model('contact', {
  attributes,
  events: {
    ContactCreated: {
      creates: true,
      only: ['uuid', 'time_zone', 'personal'],
      stamps: 'last_activity_at',
    },
    /** Has all personal details; `changed` names those that differ. */
    ContactDetailsChanged: {
      sets: ['personal'],
      addsData: (_before, _after, changed) => ({ changed }),
      evolve: (_, { changed = [] }: Changed, { at }) => (changed.includes('email_address') ? { email_since: at } : {}),
    },
    ContactIdentified: { constants: { identified: true } },
    ContactTimeZoneSet: { sets: ['time_zone'] },
    ContactAttributesSet: {
      evolve: (before, { attributes: set }: { readonly attributes: Readonly<Record<string, string>> }) => ({
        custom_attributes: { ...before?.custom_attributes, ...set },
      }),
    },
    ContactTagApplied: {
      evolve: (before, { applied_tag_id, tag_id }: Omit<TagOfContact, 'applied_at'>, { at }) =>
        withTags([...(before?.applied_tags ?? []), { applied_tag_id, tag_id, applied_at: at }]),
    },
    ContactTagRemoved: {
      evolve: (before, { applied_tag_id }: Omit<TagOfContact, 'applied_at'>) =>
        withTags((before?.applied_tags ?? []).filter((tag) => tag.applied_tag_id !== applied_tag_id)),
    },
    ContactVisited: {
      evolve: (
        before,
        { session_id, by_campaign }: { readonly session_id: number; readonly by_campaign: boolean },
      ) => ({
        first_session_id: before?.first_session_id ?? session_id,
        last_session_id: session_id,
        ...(by_campaign && { campaign_session_id: session_id }),
      }),
    },
    ContactOptedIn: {
      evolve: (before, { page_id, show_page_step_id, funnel_id }: OptIn) => ({
        opted_in_page_ids: withIds(before?.opted_in_page_ids, [page_id]),
        opted_in_step_ids: withIds(before?.opted_in_step_ids, [show_page_step_id]),
        opted_in_funnel_ids: withIds(before?.opted_in_funnel_ids, [funnel_id]),
      }),
    },
    /** The contact viewed pages for the first time. */
    ContactViewedPages: {
      evolve: (before, { page_ids, funnel_ids }: Viewed) => ({
        viewed_page_ids: withIds(before?.viewed_page_ids, page_ids),
        viewed_funnel_ids: withIds(before?.viewed_funnel_ids, funnel_ids),
      }),
    },
    ContactUnsubscribed: { stamps: 'unsubscribed_at' },
    /** The person asked for mail again. */
    ContactResubscribed: { constants: { unsubscribed_at: null }, addsData: addedData<Return>() },
    ContactTopicsChosen: { sets: ['unwanted_topic_ids'] },
    ContactEmailSuppressed: { sets: ['email_suppression_reason'] },
    /** It has another address. What was known of the former one stays with that. */
    ContactAddressLeft: { evolve: (_: unknown, __: AddressLeft) => ({}) },
    /** The contact has another address, or somebody has looked at it. */
    ContactSuppressionLifted: { sets: ['email_suppression_reason', 'soft_bounces'] },
    ContactSoftBounced: { sets: ['soft_bounces'] },
    ContactConfirmationAsked: { constants: { unconfirmed: true } },
    /** A mail asks it to confirm a submission. */
    ContactAskedByMail: {
      evolve: (before, _: { readonly form_submission_id: number }, { at }) => ({
        asked_by_mail: [...recentOf(before?.asked_by_mail ?? [], at), at],
      }),
    },
    ContactConfirmed: { constants: { unconfirmed: false } },
    ContactDeleted: { stamps: 'deleted_at' },
    /** The key of the sealed values is destroyed as well. */
    ContactRedacted: {
      erasesPerson: true,
      evolve: (_, { email_address }: { readonly email_address: string }) => ({ redacted_email: email_address }),
    },
  },
  children: { applied_tags: { model: appliedTag, key: 'applied_tag_id' } },
  unique: [
    {
      attributes: ['email_address'],
      scope: 'contact.email',
      spellings: mailboxSpellings,
      says: 'Email address has already been taken',
    },
  ],
  // The digests of version 1 tell apart the spellings of one mailbox. Version 2 does not know since when an address is there.
  version: 3,
  blindIndexes: DIGESTS,
  clearFlags: ({ email_address }) => ({ has_email: !!email_address }),
  derives: {
    version: 2,
    of: (record) => ({
      is_active: isActive(record),
      listed: record.identified && !hasEnded(record),
    }),
  },
  isLive: (record) => !hasEnded(record),
})
