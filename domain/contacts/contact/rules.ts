import { enrollment, isInForce } from '../../courses/enrollment/model.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { idAt } from '../../kernel/values/ids.ts'
import type { MaybePromise } from '../../kernel/values/maybe-promise.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { linkRules } from '../../resources/link.ts'
import { changeAddress, type MailboxFacts, mailboxFacts } from './address-change.ts'
import { limitProblem, normalizeAttributes } from './attributes.ts'
import type { OptIn, Viewed } from './event-data.ts'
import { mailActs } from './mail-standing.ts'
import { appliedTag, contact, type TagOfContact } from './model.ts'

const { event } = contact

type ContactEvents = Events<typeof contact>
type Contact = DecisionContext<typeof contact>
type ContactOf<Input = unknown> = ActContext<typeof contact, Input>

const identify = ({ after }: Contact) => (after.email_address || after.phone_number ? { identified: true } : undefined)

/** Merges custom attributes: those that are not sent stay. */
const setAttributes = ({ before, wanted }: Contact): ContactEvents | Refusal => {
  const sent = normalizeAttributes(wanted.custom_attributes ?? {})
  if (sent instanceof Refusal) return sent
  const current = before?.custom_attributes ?? {}
  const attributes = Object.fromEntries(Object.entries(sent).filter(([key, value]) => current[key] !== value))
  if (Object.keys(attributes).length === 0) return []
  return limitProblem({ ...current, ...attributes }) ?? [event.ContactAttributesSet({ attributes })]
}

const removed = ({ applied_tag_id, tag_id }: Omit<TagOfContact, 'applied_at'>) =>
  event.ContactTagRemoved({ applied_tag_id, tag_id })

/** Applies the tags that are missing. The others keep the time at which they were applied. */
const apply = (current: readonly TagOfContact[], wanted: readonly number[], ids: readonly number[]) =>
  [...new Set(wanted)]
    .filter((tagId) => !current.some(({ tag_id }) => tag_id === tagId))
    .map((tag_id, index) => event.ContactTagApplied({ applied_tag_id: idAt(ids, index), tag_id }))

/** Replaces the whole set of tags by `tag_ids`. */
const setTags = ({ before, wanted: { tag_ids: wanted }, ids }: Contact): ContactEvents => {
  if (!wanted) return []
  const current = before?.applied_tags ?? []
  return [...current.filter(({ tag_id }) => !wanted.includes(tag_id)).map(removed), ...apply(current, wanted, ids)]
}

type Tags = { readonly tag_ids: readonly number[] }

const addTags = ({ before, wanted, ids }: ContactOf<Tags>) => apply(before.applied_tags, wanted.tag_ids, ids)
const removeTags = ({ before, wanted }: ContactOf<Tags>) =>
  before.applied_tags.filter(({ tag_id }) => wanted.tag_ids?.includes(tag_id)).map(removed)

type Visit = { readonly session_id: number; readonly by_campaign: boolean }

/** Notes a session of the contact. Sessions are known in any order; their ids ascend with their time. */
const visit = ({ before, wanted }: ContactOf<Visit>) =>
  before.last_session_id === null || before.last_session_id < wanted.session_id
    ? [event.ContactVisited({ session_id: wanted.session_id, by_campaign: wanted.by_campaign })]
    : []

/** Whether a list lacks one of some ids. */
const lacks = (known: readonly number[], ids: readonly (number | null)[]): boolean =>
  ids.some((id) => id !== null && !known.includes(id))

/** Notes where the contact opted in, once for each page, step and funnel. */
const optIn = ({ before, wanted: { page_id, show_page_step_id, funnel_id } }: ContactOf<OptIn>) =>
  lacks(before.opted_in_page_ids, [page_id]) ||
  lacks(before.opted_in_step_ids, [show_page_step_id]) ||
  lacks(before.opted_in_funnel_ids, [funnel_id])
    ? [event.ContactOptedIn({ page_id, show_page_step_id, funnel_id })]
    : []

/** Notes which pages the contact viewed, once for each. */
const viewPages = ({ before, wanted: { page_ids, funnel_ids } }: ContactOf<Viewed>) =>
  lacks(before.viewed_page_ids, page_ids) || lacks(before.viewed_funnel_ids, funnel_ids)
    ? [event.ContactViewedPages({ page_ids, funnel_ids })]
    : []

const redact = ({ before, wanted }: ContactOf<{ readonly redacted_as: string }>) =>
  before.redacted_email === null ? [event.ContactRedacted({ email_address: wanted.redacted_as })] : []

/** Statuses of subscriptions that bill the contact, or that they may still use. */
const RUNNING = ['active', 'paused', 'canceled']

/** Finds the orders of a contact that have not ended: one that is canceled may run until the end of what is paid. */
export const runningOrders = async (
  contactId: number,
  at: string,
  documents: FactReader,
): Promise<readonly Document[]> => {
  const found = await Promise.all(
    RUNNING.map((service_status) => documents.find('order', { where: { contact_id: contactId, service_status } })),
  )
  return found
    .flat()
    .filter(({ order_type }) => order_type === 'subscription-order')
    .filter(({ service_status, churned_at }) => service_status !== 'canceled' || String(churned_at ?? '') > at)
}

/** Whether something gives the contact access to a course. */
const isEnrolled = async (contact_id: number, at: string, read: Reader): Promise<boolean> =>
  (await read.find(enrollment, { where: { contact_id } })).some(({ grants }) =>
    grants.some((one) => isInForce(one, at)),
  )

/** Loads what few acts ask for: what is known of the address, and why a contact stays. */
const loadFacts = (context: Contact, read: Reader): MaybePromise<Facts> =>
  context.act === 'remove' ? reasonsToStay(context, read) : mailboxFacts(context, read)

const reasonsToStay = async ({ id, at }: Contact, read: Reader): Promise<Facts> => ({
  subscribed: (await runningOrders(id, at, read.documents)).length > 0,
  enrolled: await isEnrolled(id, at, read),
})
type Facts = MailboxFacts & { readonly subscribed?: boolean; readonly enrolled?: boolean }

const preventRemoval = (_: ContactOf, facts?: Facts) => {
  if (facts?.subscribed)
    return refuse.invalid('Contact cannot be deleted because it has an active subscription order', 'base', 'subscribed')
  return facts?.enrolled
    ? refuse.invalid('Contact cannot be deleted because it is enrolled in a course', 'base', 'enrolled')
    : undefined
}

/** Deletes a contact, even an erased one. */
const remove = ({ before }: ContactOf) => (before.deleted_at === null ? [event.ContactDeleted()] : refuse.notFound())

/** Decider of contacts and their tags (spec 1 and 2). */
export const contacts = decider(contact, {
  rules: rules(contact, {
    loadFacts,
    save: [identify, setAttributes, setTags, changeAddress],
    preventRemoval,
    remove,
    acts: { tag: addTags, untag: removeTags, visit, optIn, viewPages, ...mailActs, redact },
    allowedAfterEnd: ['redact', 'remove'],
  }),
  children: [linkRules(appliedTag, { key: 'applied_tag_id', taken: 'Tag has already been applied to this contact' })],
})
