import { decider } from '../../kernel/deciding.ts'
import type { DomainEvent } from '../../kernel/event.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { type Asked, type AskedOf, type Reader, rules } from '../../kernel/rules.ts'
import { limitProblem, normalizeAttributes } from './attributes.ts'
import { type appliedTag, contact, type TagOfContact } from './model.ts'

type Contact = Asked<typeof contact>
type ContactOf<Besides = unknown> = AskedOf<typeof contact, Besides>

const identify = ({ after }: Contact) => (after.email_address || after.phone_number ? { identified: true } : undefined)

/** Custom attributes are merged: those that are not sent stay. */
const setAttributes = ({ before, wanted }: Contact): readonly DomainEvent[] | Refusal => {
  const sent = normalizeAttributes(wanted.custom_attributes ?? {})
  if (sent instanceof Refusal) return sent
  const held = before?.custom_attributes ?? {}
  const attributes = Object.fromEntries(Object.entries(sent).filter(([key, value]) => held[key] !== value))
  if (Object.keys(attributes).length === 0) return []
  return limitProblem({ ...held, ...attributes }) ?? [{ type: 'ContactAttributesSet', data: { attributes } }]
}

const removed = ({ applied_tag_id, tag_id }: Omit<TagOfContact, 'applied_at'>): DomainEvent => ({
  type: 'ContactTagRemoved',
  data: { applied_tag_id, tag_id },
})
const applied = (tag_id: number, applied_tag_id: number): DomainEvent => ({
  type: 'ContactTagApplied',
  data: { applied_tag_id, tag_id },
})

/** Puts on what is not there yet; tags that stay keep the time at which they were applied. */
const apply = (held: readonly TagOfContact[], wanted: readonly number[], ids: readonly number[]): DomainEvent[] =>
  [...new Set(wanted)]
    .filter((tagId) => !held.some(({ tag_id }) => tag_id === tagId))
    .map((tagId, index) => applied(tagId, ids[index] ?? 0))

/** `tag_ids` replaces the whole set. */
const setTags = ({ before, wanted: { tag_ids: wanted }, ids }: Contact): readonly DomainEvent[] => {
  if (!wanted) return []
  const held = before?.applied_tags ?? []
  return [...held.filter(({ tag_id }) => !wanted.includes(tag_id)).map(removed), ...apply(held, wanted, ids)]
}

type Tags = { readonly tag_ids: readonly number[] }

const addTags = ({ before, wanted, ids }: ContactOf<Tags>) => apply(before.applied_tags, wanted.tag_ids ?? [], ids)
const removeTags = ({ before, wanted }: ContactOf<Tags>) =>
  before.applied_tags.filter(({ tag_id }) => wanted.tag_ids?.includes(tag_id)).map(removed)

const unsubscribe = ({ before }: ContactOf) =>
  before.unsubscribed_at === null ? [{ type: 'ContactUnsubscribed', data: {} }] : []

const redact = ({ before, wanted }: ContactOf<{ readonly redacted_as: string }>) =>
  before.redacted_email === null ? [{ type: 'ContactRedacted', data: { email_address: wanted.redacted_as ?? '' } }] : []

/** Whether a subscription of the contact goes on, where that is asked. */
const needs = ({ act, id }: Contact, { documents }: Reader): Facts | Promise<Facts> => {
  if (act !== 'remove') return { subscribed: false }
  return Promise.resolve(
    documents.find('order', { where: { contact_id: id, service_status: 'active' }, limit: 1 }),
  ).then((found) => ({ subscribed: found.length > 0 }))
}
type Facts = { readonly subscribed: boolean }

const keeps = (_: ContactOf, facts?: Facts) =>
  facts?.subscribed
    ? refuse.invalid('Contact cannot be deleted because it has an active subscription order', 'base', 'subscribed')
    : undefined

/** One that was erased can still be deleted. */
const remove = ({ before }: ContactOf) =>
  before.deleted_at === null ? [{ type: 'ContactDeleted', data: {} }] : refuse.notFound()

const applyOne = ({ id, after, records }: Asked<typeof appliedTag>) => {
  const held = records.root(contact)?.applied_tags ?? []
  return held.some(({ tag_id }) => tag_id === after.tag_id)
    ? refuse.invalid('Tag has already been applied to this contact', 'tag_id', 'taken')
    : [applied(after.tag_id, id)]
}

/** The rules of a contact (spec 1 and 2; rule book "Contacts", "Upsert"). */
export const contacts = decider(contact, {
  rules: rules({
    needs,
    save: [identify, setAttributes, setTags],
    keeps,
    remove,
    acts: { tag: addTags, untag: removeTags, unsubscribe, redact },
    evenEnded: ['redact', 'remove'],
  }),
  children: {
    applied_tags: rules({
      create: applyOne,
      remove: ({ id, before }: AskedOf<typeof appliedTag>) => [removed({ applied_tag_id: id, tag_id: before.tag_id })],
    }),
  },
})

/** The claim that a contact with an e-mail address holds in its workspace. */
export const [emailClaim] = contact.unique
