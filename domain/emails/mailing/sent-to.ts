import { digestIn, hadAddressAt } from '../../contacts/public.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { DeliveryRecord } from './model.ts'

/**
 * Returns the digest of the address that a mail went to; `undefined`: it is not known. Former versions did not note it: then it is that of the contact, if
 * they had it by then.
 *
 * @param contact document of the contact whom the mail was to
 */
export const addressOf = (
  mail: Pick<DeliveryRecord, 'address_digest' | 'taken_at' | 'created_at'>,
  contact: Document | undefined,
): string | undefined =>
  mail.address_digest ??
  (contact && hadAddressAt(contact, mail.taken_at ?? mail.created_at) ? digestIn(contact) : undefined)
