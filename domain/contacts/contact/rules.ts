import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { linkRules } from '../../resources/link.ts'
import { limitProblem, normalizeAttributes } from './attributes.ts'
import { appliedTag, contact, type TagOfContact } from './model.ts'

const { event } = contact

type Happens = Events<typeof contact>
type Contact = DecisionContext<typeof contact>
type ContactOf<Input = unknown> = ActContext<typeof contact, Input>

const identify = ({ after }: Contact) => (after.email_address || after.phone_number ? { identified: true } : undefined)

/** Custom attributes are merged: those that are not sent stay. */
const setAttributes = ({ before, wanted }: Contact): Happens | Refusal => {
  const sent = normalizeAttributes(wanted.custom_attributes ?? {})
  if (sent instanceof Refusal) return sent
  const held = before?.custom_attributes ?? {}
  const attributes = Object.fromEntries(Object.entries(sent).filter(([key, value]) => held[key] !== value))
  if (Object.keys(attributes).length === 0) return []
  return limitProblem({ ...held, ...attributes }) ?? [event.ContactAttributesSet({ attributes })]
}

const removed = ({ applied_tag_id, tag_id }: Omit<TagOfContact, 'applied_at'>) =>
  event.ContactTagRemoved({ applied_tag_id, tag_id })

/** Puts on what is not there yet; tags that stay keep the time at which they were applied. */
const apply = (held: readonly TagOfContact[], wanted: readonly number[], ids: readonly number[]) =>
  [...new Set(wanted)]
    .filter((tagId) => !held.some(({ tag_id }) => tag_id === tagId))
    .map((tag_id, index) => event.ContactTagApplied({ applied_tag_id: ids[index] ?? 0, tag_id }))

/** `tag_ids` replaces the whole set. */
const setTags = ({ before, wanted: { tag_ids: wanted }, ids }: Contact): Happens => {
  if (!wanted) return []
  const held = before?.applied_tags ?? []
  return [...held.filter(({ tag_id }) => !wanted.includes(tag_id)).map(removed), ...apply(held, wanted, ids)]
}

type Tags = { readonly tag_ids: readonly number[] }

const addTags = ({ before, wanted, ids }: ContactOf<Tags>) => apply(before.applied_tags, wanted.tag_ids, ids)
const removeTags = ({ before, wanted }: ContactOf<Tags>) =>
  before.applied_tags.filter(({ tag_id }) => wanted.tag_ids?.includes(tag_id)).map(removed)

const unsubscribe = ({ before }: ContactOf) => (before.unsubscribed_at === null ? [event.ContactUnsubscribed()] : [])

const redact = ({ before, wanted }: ContactOf<{ readonly redacted_as: string }>) =>
  before.redacted_email === null ? [event.ContactRedacted({ email_address: wanted.redacted_as })] : []

/** Whether a subscription of the contact goes on, where that is asked. */
const loadFacts = ({ act, id }: Contact, { documents }: Reader): Facts | Promise<Facts> => {
  if (act !== 'remove') return { subscribed: false }
  return Promise.resolve(
    documents.find('order', { where: { contact_id: id, service_status: 'active' }, limit: 1 }),
  ).then((found) => ({ subscribed: found.length > 0 }))
}
type Facts = { readonly subscribed: boolean }

const preventRemoval = (_: ContactOf, facts?: Facts) =>
  facts?.subscribed
    ? refuse.invalid('Contact cannot be deleted because it has an active subscription order', 'base', 'subscribed')
    : undefined

/** One that was erased can still be deleted. */
const remove = ({ before }: ContactOf) => (before.deleted_at === null ? [event.ContactDeleted()] : refuse.notFound())

/** The rules of a contact (spec 1 and 2; rule book "Contacts", "Upsert"). */
export const contacts = decider(contact, {
  rules: rules(contact, {
    loadFacts,
    save: [identify, setAttributes, setTags],
    preventRemoval,
    remove,
    acts: { tag: addTags, untag: removeTags, unsubscribe, redact },
    allowedAfterEnd: ['redact', 'remove'],
  }),
  children: [linkRules(appliedTag, { key: 'applied_tag_id', taken: 'Tag has already been applied to this contact' })],
})

/** The claim that a contact with an e-mail address holds in its workspace. */
export const [emailClaim] = contact.unique
