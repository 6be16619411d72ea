import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import { ABOUT_ADDRESS, isStronger, type SuppressionReason } from '../suppression/reasons.ts'
import type { MailboxFacts } from './address-change.ts'
import type { Return, SoftBounces } from './event-data.ts'
import { contact, hasEnded, recentOf } from './model.ts'

const { event } = contact

type Happens = Events<typeof contact>
type ContactOf<Input = unknown> = ActContext<typeof contact, Input>

/** Marketing is what nobody is owed: broadcasts, and mails of workflows. */
export type MailClass = 'owed' | 'marketing'

/** Why a mail is not sent to a contact. */
export type Unmailable = 'deleted' | 'no_address' | 'suppressed' | 'unsubscribed' | 'unconfirmed'

/** What is known of the address that a contact had at a time. It says nothing of the one that it has had since. */
type OfAddress = {
  /** `email_since` of the contact who had it; absent: it is about the person. */
  readonly email_since?: string | null
}

const isOfFormer = (before: ContactOf['before'], { email_since: since }: OfAddress): boolean =>
  since !== undefined && since !== before.email_since

/** Suppresses a contact. A stronger reason replaces a weaker one, in whatever order they become known. */
const suppress = ({ before, wanted }: ContactOf<OfAddress & { readonly reason: SuppressionReason }>): Happens =>
  isStronger(wanted.reason, before.email_suppression_reason) && !isOfFormer(before, wanted)
    ? [event.ContactEmailSuppressed({ email_suppression_reason: wanted.reason })]
    : []

const isSame = (one: SoftBounces | null, other: SoftBounces | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Notes how many mails in a row could not be delivered for the moment. */
const softBounce = ({ before, wanted }: ContactOf<OfAddress & { readonly soft_bounces: SoftBounces }>): Happens => {
  const { soft_bounces } = wanted
  return isSame(soft_bounces, before.soft_bounces) || isOfFormer(before, wanted)
    ? []
    : [event.ContactSoftBounced({ soft_bounces })]
}

/** Ends a suppression by the word of the operator, or of who looks after the workspace. What came back since stays counted. */
const liftSuppression = ({
  before,
  wanted,
}: ContactOf<OfAddress & Pick<ContactOf['before'], 'soft_bounces'>>): Happens => {
  const { soft_bounces } = wanted
  const isLifted = before.email_suppression_reason === null && isSame(soft_bounces, before.soft_bounces)
  return isLifted || isOfFormer(before, wanted)
    ? []
    : [event.ContactSuppressionLifted({ email_suppression_reason: null, soft_bounces })]
}

const unsubscribe = ({ before, wanted }: ContactOf<OfAddress>): Happens =>
  before.unsubscribed_at === null && !isOfFormer(before, wanted) ? [event.ContactUnsubscribed()] : []

/** Brings somebody back, by their own word, who has unsubscribed: as this contact, or as a former one with the same address. */
const resubscribe = ({ before, wanted }: ContactOf<Return>, facts?: MailboxFacts): Happens => {
  const { by, form_submission_id, page_id } = wanted
  return before.unsubscribed_at === null && (facts?.known?.unsubscribed_at ?? null) === null
    ? []
    : [event.ContactResubscribed({ by, form_submission_id, page_id })]
}

/** Sets which topics of mail the person does not want. */
const chooseTopics = ({ before, wanted }: ContactOf<{ readonly unwanted_topic_ids: readonly number[] }>): Happens => {
  const ids = [...new Set(wanted.unwanted_topic_ids)].sort((a, b) => a - b)
  return ids.join() === before.unwanted_topic_ids.join() ? [] : [event.ContactTopicsChosen({ unwanted_topic_ids: ids })]
}

const askConfirmation = ({ before }: ContactOf): Happens =>
  before.unconfirmed ? [] : [event.ContactConfirmationAsked()]

/** Most mails a day that ask a contact to confirm, and the least time between two. */
const MOST_ASKED = 3
const ASKED_AGAIN_MS = 10 * 60_000

/** Asks a contact by mail to confirm a submission, not too often. It is not marked as unconfirmed, since it may have confirmed before. */
const askByMail = ({ before, at, wanted }: ContactOf<{ readonly form_submission_id: number }>): Happens => {
  const { form_submission_id } = wanted
  const asked = recentOf(before.asked_by_mail, at)
  const last = asked.at(-1)
  const isTooSoon = last !== undefined && Date.parse(at) - Date.parse(last) < ASKED_AGAIN_MS
  return isTooSoon || asked.length >= MOST_ASKED ? [] : [event.ContactAskedByMail({ form_submission_id })]
}

const confirm = ({ before }: ContactOf): Happens => (before.unconfirmed ? [event.ContactConfirmed()] : [])

/** Acts that change whether a contact gets mail. Nothing else ends an unsubscription or a suppression, but another address one that is about the address. */
export const mailActs = {
  ...{ suppress, softBounce, liftSuppression, unsubscribe, resubscribe },
  ...{ chooseTopics, askConfirmation, askByMail, confirm },
}

type Standing = Parameters<typeof hasEnded>[0] & {
  readonly has_email: boolean
  readonly unsubscribed_at: string | null
  readonly email_suppression_reason: string | null
  readonly unconfirmed: boolean
}

/**
 * Returns why a mail of a class is not sent to a contact; `undefined`: it is. Owed mail goes to those who have unsubscribed or complained too, as long as
 * their address works.
 */
export const reasonAgainst = (contact: Standing, mailClass: MailClass): Unmailable | undefined => {
  if (hasEnded(contact)) return 'deleted'
  if (!contact.has_email) return 'no_address'
  const reason = contact.email_suppression_reason
  if (reason !== null && (mailClass === 'marketing' || ABOUT_ADDRESS.includes(reason))) return 'suppressed'
  if (mailClass === 'owed') return undefined
  if (contact.unsubscribed_at !== null) return 'unsubscribed'
  return contact.unconfirmed ? 'unconfirmed' : undefined
}
