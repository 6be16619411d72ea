import { recordOf } from '../../kernel/model/fold.ts'
import { PERSONAL } from '../../kernel/model/personal.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { SoftBounces } from '../contact/event-data.ts'
import { contact } from '../contact/model.ts'
import { reasonIn, type SuppressionReason } from './reasons.ts'

/** What a contact knows of its mailbox. */
export interface Standing {
  readonly reason: SuppressionReason | null
  readonly unsubscribed: boolean
  readonly soft_bounces: SoftBounces | null
}

const open = recordOf(contact)

/** Returns what the document of a contact says of its mailbox. */
export const standingIn = (document: Document): Standing => {
  // Nothing of it is personal, and the rest may be sealed.
  const { email_suppression_reason, unsubscribed_at, soft_bounces } = open({ ...document, [PERSONAL]: null })
  return { reason: reasonIn(email_suppression_reason), unsubscribed: unsubscribed_at !== null, soft_bounces }
}

/** Returns the digest of the address in the document of a contact; `undefined`: it has none, or the person was erased. */
export const digestIn = (document: Document | undefined): string | undefined =>
  typeof document?.email_digest === 'string' ? document.email_digest : undefined

/** Returns since when a contact has the address in its document; `null`: from the beginning. */
export const emailSinceIn = ({ email_since: since }: Document): string | null =>
  typeof since === 'string' ? since : null

/** Whether a contact had the address in its document at a time already. */
export const hadAddressAt = (document: Document, at: string): boolean => (emailSinceIn(document) ?? '') <= at

/** Whether nothing is known. */
export const isEmptyStanding = ({ reason, unsubscribed, soft_bounces }: Standing): boolean =>
  reason === null && !unsubscribed && soft_bounces === null
