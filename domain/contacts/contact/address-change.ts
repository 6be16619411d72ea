import type { DecisionContext, Events, Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { mailboxOf } from '../../kernel/values/mailbox.ts'
import { type MaybePromise, mapMaybe } from '../../kernel/values/maybe-promise.ts'
import { knownMailbox } from '../suppression/known-mailboxes.ts'
import type { suppression } from '../suppression/model.ts'
import { ABOUT_ADDRESS, isStronger } from '../suppression/reasons.ts'
import { EMAIL_DIGEST } from './lookup.ts'
import { contact } from './model.ts'

const { event } = contact

type Context = DecisionContext<typeof contact>
type Happens = Events<typeof contact>
type Contact = NonNullable<Context['before']>

/** What is known of the addresses of a contact, as rules need it. */
export interface MailboxFacts {
  /** Digest of the address that the contact leaves. */
  readonly left?: string
  /** What is known of the address that it gets; of the one that it has, where somebody comes back. */
  readonly known?: RecordOf<typeof suppression>
}

/** Whether a contact gets an address that is another than before. Another spelling of a mailbox is the same. */
const isNew = (to: string | null | undefined, { before }: Pick<Context, 'before'>): to is string =>
  typeof to === 'string' && to !== '' && mailboxOf(to) !== mailboxOf(before?.email_address ?? '')

const isLeaving = ({ before, after }: Context): boolean =>
  !!before?.email_address && mailboxOf(before.email_address) !== mailboxOf(after.email_address ?? '')

const hasStanding = ({ email_suppression_reason, unsubscribed_at, soft_bounces }: Contact): boolean =>
  email_suppression_reason !== null || unsubscribed_at !== null || soft_bounces !== null

/** Acts that need to know. The others are many, and change no address. */
const ASKING: readonly string[] = ['create', 'change', 'resubscribe']

const NO_FACTS: MailboxFacts = {}

/** Loads what is known of the addresses of a contact, where it gets one or somebody comes back. */
export const mailboxFacts = (context: Context, read: Reader): MaybePromise<MailboxFacts> => {
  const { act, before, after, workspaceId } = context
  if (!ASKING.includes(act)) return NO_FACTS
  const digestOf = (address: string) => read.documents.digestOf?.(EMAIL_DIGEST, mailboxOf(address))
  const address = act === 'resubscribe' ? before?.email_address : after.email_address
  const asks = act === 'resubscribe' ? !!address : isNew(address, context)
  const digest = asks && address ? digestOf(address) : undefined
  const left = isLeaving(context) && before?.email_address ? digestOf(before.email_address) : undefined
  return mapMaybe(
    digest === undefined ? undefined : knownMailbox(read.documents, before?.workspace_id ?? workspaceId, digest),
    (known) =>
      known || left !== undefined ? { ...(known && { known }), ...(left !== undefined && { left }) } : NO_FACTS,
  )
}

/** Leaves with an address what is known of it, and takes along what the person has said. */
const leave = (before: Contact, left: string | undefined): Happens => {
  const { email_suppression_reason: reason, unsubscribed_at, soft_bounces } = before
  const isDead = ABOUT_ADDRESS.includes(reason ?? '')
  return [
    ...(left !== undefined && hasStanding(before)
      ? [event.ContactAddressLeft({ digest: left, reason, unsubscribed: unsubscribed_at !== null, soft_bounces })]
      : []),
    ...(isDead || soft_bounces !== null
      ? [event.ContactSuppressionLifted({ email_suppression_reason: isDead ? null : reason, soft_bounces: null })]
      : []),
  ]
}

/** Takes what is known of the address that a contact gets, whoever had it before. */
const take = (said: Pick<Contact, 'email_suppression_reason' | 'unsubscribed_at'>, known: MailboxFacts['known']) => {
  if (!known) return []
  const { reason, unsubscribed_at, soft_bounces } = known
  return [
    ...(soft_bounces === null ? [] : [event.ContactSoftBounced({ soft_bounces })]),
    ...(reason !== null && isStronger(reason, said.email_suppression_reason)
      ? [event.ContactEmailSuppressed({ email_suppression_reason: reason })]
      : []),
    ...(unsubscribed_at !== null && said.unsubscribed_at === null ? [event.ContactUnsubscribed()] : []),
  ]
}

const NOTHING = { email_suppression_reason: null, unsubscribed_at: null }

/** What is known of an address stays with it when a contact gets another, and comes to whoever gets it. */
export const changeAddress = (context: Context, { left, known }: MailboxFacts = {}): Happens => {
  const { before, after } = context
  if (!before) return take(NOTHING, known)
  if (!isLeaving(context)) return isNew(after.email_address, context) ? take(before, known) : []
  const isDead = ABOUT_ADDRESS.includes(before.email_suppression_reason ?? '')
  return [...leave(before, left), ...take({ ...before, ...(isDead && { email_suppression_reason: null }) }, known)]
}
