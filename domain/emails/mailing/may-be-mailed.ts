import { type contact as contactModel, reasonAgainst } from '../../contacts/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { MailingRecord } from './model.ts'
import type { Outcome } from './outcomes.ts'

/** Returns why a contact gets no mail of a mailing at this moment; `undefined`: it does. */
export const reasonNotToMail = (
  contact: RecordOf<typeof contactModel> | undefined,
  { class: of }: Pick<MailingRecord, 'class'>,
): Outcome | undefined => (contact ? reasonAgainst(contact, of) : 'deleted')
