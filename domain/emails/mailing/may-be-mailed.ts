import type { Document } from '../../kernel/ports/read-models.ts'
import { isContactKept } from '../../contacts/public.ts'
import type { MailingRecord } from './model.ts'
import type { Outcome } from './outcomes.ts'

/** What decides about marketing mail besides the contact itself. */
export interface Subscriptions {
  /** Whether the contact gets mail of the topic of the mailing. */
  readonly isInTopic: boolean
  /** Whether the contact has confirmed the address, where a form asked for that. */
  readonly isConfirmed: boolean
}

/**
 * Returns why a contact gets no mail of a mailing at this moment; `undefined`: it does. Owed mail goes to unsubscribed contacts too,
 * but nothing goes to an address that was found not to exist, or whose owner complained.
 */
export const reasonNotToMail = (
  contact: Document | undefined,
  { class: of }: Pick<MailingRecord, 'class'>,
  { isInTopic, isConfirmed }: Subscriptions,
): Outcome | undefined => {
  if (!contact || !isContactKept(contact)) return 'deleted'
  if (typeof contact.email_address !== 'string' || contact.email_address === '') return 'no_address'
  if (contact.email_suppression_reason) return 'suppressed'
  if (of === 'owed') return undefined
  if (contact.unsubscribed_at) return 'unsubscribed'
  if (!isConfirmed) return 'unconfirmed'
  return isInTopic ? undefined : 'topic'
}
