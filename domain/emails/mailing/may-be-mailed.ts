import { type contact as contactModel, isContactKept, reasonAgainst } from '../../contacts/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { MailingRecord } from './model.ts'
import type { Outcome } from './outcomes.ts'

/** Returns why a contact gets no mail of a mailing at this moment; `undefined`: it does. Users get what is about a contact who is still there. */
export const reasonNotToMail = (
  contact: RecordOf<typeof contactModel> | undefined,
  { class: of, topic_ids, user_ids }: Pick<MailingRecord, 'class' | 'topic_ids' | 'user_ids'>,
): Outcome | undefined => {
  if (!contact) return 'deleted'
  if (user_ids.length > 0) return isContactKept(contact) ? undefined : 'deleted'
  const isUnwanted = topic_ids.some((id) => contact.unwanted_topic_ids.includes(id))
  return reasonAgainst(contact, of) ?? (isUnwanted ? 'topic' : undefined)
}
