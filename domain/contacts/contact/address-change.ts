import type { DecisionContext, Events, Reader } from '../../kernel/decide/rules.ts'
import { mailboxOf } from '../../kernel/values/mailbox.ts'
import { knownMailbox } from '../suppression/known-mailboxes.ts'
import { ABOUT_ADDRESS } from '../suppression/reasons.ts'
import { contact } from './model.ts'

const { event } = contact

type Context = DecisionContext<typeof contact>

/** Whether a contact gets another address. Another spelling of a mailbox is the same. */
const isLeaving = ({ before, wanted, act }: Pick<Context, 'before' | 'wanted' | 'act'>): boolean =>
  act === 'change' &&
  !!before?.email_address &&
  wanted.email_address !== undefined &&
  mailboxOf(before.email_address) !== mailboxOf(wanted.email_address ?? '')

const hasStanding = ({ email_suppression_reason, unsubscribed_at, soft_bounces }: NonNullable<Context['before']>) =>
  email_suppression_reason !== null || unsubscribed_at !== null || soft_bounces !== null

/** What rules need to know of the mailbox of a contact. */
export interface MailboxFacts {
  /** Digest of the address that the contact has; absent where nobody asks, or its document is behind. */
  readonly digest?: string
  /** Whether somebody has unsubscribed who had the address. */
  readonly has_left?: boolean
}

/** Loads what is known of the mailbox of a contact, where a rule asks for it. */
export const mailboxFacts = async (context: Context, read: Reader): Promise<MailboxFacts> => {
  const { before, id, act } = context
  if (!before || !((isLeaving(context) && hasStanding(before)) || act === 'resubscribe')) return {}
  const document = await read.documents.get(contact.name, id)
  const digest = document?.email_digest
  if (typeof digest !== 'string' || (document?.email_since ?? null) !== before.email_since) return {}
  if (act !== 'resubscribe') return { digest }
  const known = await knownMailbox(read.documents, before.workspace_id, digest)
  return { digest, has_left: known !== undefined && known.unsubscribed_at !== null }
}

/** Leaves with an address what is known of it, and takes along what the person has said. */
export const leaveAddress = (context: Context, { digest }: MailboxFacts = {}): Events<typeof contact> => {
  const { before } = context
  if (!before || !isLeaving(context)) return []
  const { email_suppression_reason: reason, unsubscribed_at, soft_bounces } = before
  const isDead = ABOUT_ADDRESS.includes(reason ?? '')
  return [
    ...(digest !== undefined && hasStanding(before)
      ? [event.ContactAddressLeft({ digest, reason, unsubscribed: unsubscribed_at !== null, soft_bounces })]
      : []),
    ...(isDead || soft_bounces !== null
      ? [event.ContactSuppressionLifted({ email_suppression_reason: isDead ? null : reason, soft_bounces: null })]
      : []),
  ]
}
