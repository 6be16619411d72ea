import { type contact as contactModel, reasonAgainst } from '../../contacts/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { MailingRecord } from './model.ts'
import type { Outcome } from './outcomes.ts'

/** Returns why a contact gets no mail of a mailing at this moment; `undefined`: it does. */
export const reasonNotToMail = (
  contact: RecordOf<typeof contactModel> | undefined,
  { class: of, topic_ids }: Pick<MailingRecord, 'class' | 'topic_ids'>,
): Outcome | undefined => {
  if (!contact) return 'deleted'
  const isUnwanted = topic_ids.some((id) => contact.unwanted_topic_ids.includes(id))
  return reasonAgainst(contact, of) ?? (isUnwanted ? 'topic' : undefined)
}
