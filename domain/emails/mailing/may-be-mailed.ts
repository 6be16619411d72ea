import { type contact as contactModel, isContactKept, reasonAgainst } from '../../contacts/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { isNoticeKind } from '../owed/kinds.ts'
import type { MailingRecord } from './model.ts'
import type { Outcome } from './outcomes.ts'

/** Returns why a contact gets no mail of a mailing at this moment; `undefined`: it does. Users get what is about a contact who is still there. */
export const reasonNotToMail = (
  contact: RecordOf<typeof contactModel> | undefined,
  { class: of, kind, topic_ids, user_ids }: Pick<MailingRecord, 'class' | 'kind' | 'topic_ids' | 'user_ids'>,
): Outcome | undefined => {
  if (!contact) return 'deleted'
  if (user_ids.length > 0) return isContactKept(contact) ? undefined : 'deleted'
  const isUnwanted = topic_ids.some((id) => contact.unwanted_topic_ids.includes(id))
  // What is new can be done without by who has complained about a mail.
  if (isNoticeKind(kind) && contact.email_suppression_reason !== null) return 'suppressed'
  return reasonAgainst(contact, of) ?? (isUnwanted ? 'topic' : undefined)
}
