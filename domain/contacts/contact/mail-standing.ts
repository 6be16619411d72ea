import type { ActContext, DecisionContext, Events } from '../../kernel/decide/rules.ts'
import { mailboxOf } from '../../kernel/values/mailbox.ts'
import { contact, hasEnded, type Return, recentOf, type SoftBounces } from './model.ts'

const { event } = contact

type Happens = Events<typeof contact>
type ContactOf<Input = unknown> = ActContext<typeof contact, Input>

/** Reasons why nothing is mailed to a contact, the weaker ones first. The first two are about the address, the others about the person. */
const REASONS = ['invalid', 'bounced', 'manual', 'complained'] as const
export type SuppressionReason = (typeof REASONS)[number]

const ABOUT_ADDRESS: readonly string[] = ['invalid', 'bounced'] satisfies readonly SuppressionReason[]

/** Mails in a row that are not delivered, and the time from the first to the last, after which an address counts as dead. */
const SOFT_BOUNCES = 5
const SOFT_BOUNCES_MS = 7 * 24 * 60 * 60_000

/** Marketing is what nobody is owed: broadcasts, and mails of workflows. */
export type MailClass = 'owed' | 'marketing'

/** Why a mail is not sent to a contact. */
export type Unmailable = 'deleted' | 'no_address' | 'suppressed' | 'unsubscribed' | 'unconfirmed'

const rankOf = (reason: string | null): number => (REASONS as readonly (string | null)[]).indexOf(reason)

/** Suppresses a contact. A stronger reason replaces a weaker one, in whatever order they become known. */
const suppress = ({ before, wanted: { reason } }: ContactOf<{ readonly reason: SuppressionReason }>): Happens =>
  rankOf(reason) > rankOf(before.email_suppression_reason)
    ? [event.ContactEmailSuppressed({ email_suppression_reason: reason })]
    : []

interface SoftBounce {
  /** When the mail that came back was handed over. */
  readonly sent_at: string
  /** Whether a mail was delivered since the last one that came back. */
  readonly delivered_since: boolean
}

/** Counts a mail that could not be delivered for the moment. Several in a row over a week suppress the contact. */
const softBounce = (context: ContactOf<SoftBounce>): Happens => {
  const { before, wanted } = context
  const { sent_at, delivered_since } = wanted
  const running = delivered_since ? null : before.soft_bounces
  const soft_bounces: SoftBounces = { count: (running?.count ?? 0) + 1, since: running?.since ?? sent_at }
  const isDead =
    soft_bounces.count >= SOFT_BOUNCES && Date.parse(sent_at) - Date.parse(soft_bounces.since) >= SOFT_BOUNCES_MS
  return [
    event.ContactSoftBounced({ soft_bounces }),
    ...(isDead ? suppress({ ...context, wanted: { reason: 'bounced' } }) : []),
  ]
}

const unsubscribe = ({ before }: ContactOf): Happens =>
  before.unsubscribed_at === null ? [event.ContactUnsubscribed()] : []

const resubscribe = ({ before, wanted }: ContactOf<Return>): Happens => {
  const { by, form_submission_id, page_id } = wanted
  return before.unsubscribed_at === null ? [] : [event.ContactResubscribed({ by, form_submission_id, page_id })]
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

/** Acts that change whether a contact gets mail. Nothing else ends an unsubscription or a suppression. */
export const mailActs = {
  ...{ suppress, softBounce, unsubscribe, resubscribe },
  ...{ chooseTopics, askConfirmation, askByMail, confirm },
}

/** Lifts what was about the address when the contact has another one. Another spelling of a mailbox is the same address. */
export const liftWithAddress = ({ before, after }: DecisionContext<typeof contact>): Happens => {
  if (!before?.email_address || !after.email_address) return []
  if (mailboxOf(before.email_address) === mailboxOf(after.email_address)) return []
  const reason = before.email_suppression_reason
  const isDead = ABOUT_ADDRESS.includes(reason ?? '')
  return isDead || before.soft_bounces !== null
    ? [event.ContactSuppressionLifted({ email_suppression_reason: isDead ? null : reason, soft_bounces: null })]
    : []
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
