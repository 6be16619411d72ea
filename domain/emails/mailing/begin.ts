import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { domainPart } from '../../kernel/values/mailbox.ts'
import type { MailContent, Sender } from './model.ts'
import { mailings } from './rules.ts'

/** What a mailing needs to begin. */
interface MailingTerms {
  readonly class: 'owed' | 'marketing'
  readonly kind: string
  /** Differs from the cause of every other mailing of the workspace. */
  readonly cause: string
  /** Absent for owed mail, whose sender is chosen when it is handed over. */
  readonly sender?: Sender
  readonly replyTo?: Sender
  readonly topicIds?: readonly number[]
  readonly content: MailContent
  readonly values?: JsonObject
}

/** Returns the sending domain of a sender. */
export const domainOf = ({ address }: Sender): string => domainPart(address).toLowerCase()

/** Contacts who get a mailing, or users of the team who get one about a contact. */
type Recipients =
  | { readonly contactIds: readonly number[] }
  | { readonly userIds: readonly number[]; readonly aboutContactId: number }

const recipientsOf = (to: Recipients) =>
  'userIds' in to
    ? { contact_ids: [], user_ids: to.userIds, about_contact_id: to.aboutContactId }
    : { contact_ids: to.contactIds, user_ids: [], about_contact_id: null }

export type NewMailing = MailingTerms & Recipients

/** Returns the command that begins a mailing. One whose cause has a mailing already is refused, so it may be repeated. */
export const beginMailing = (wanted: NewMailing): Ask => {
  const { sender = null, replyTo = null, topicIds = [], values = {} } = wanted
  return ask(mailings, 'new', 'create', {
    ...{ class: wanted.class, kind: wanted.kind, cause: wanted.cause, content: wanted.content },
    sender,
    domain: sender && domainOf(sender),
    reply_to: replyTo,
    topic_ids: topicIds,
    values,
    ...recipientsOf(wanted),
  })
}
