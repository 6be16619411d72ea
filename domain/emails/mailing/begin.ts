import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { MailContent, Sender } from './model.ts'
import { mailings } from './rules.ts'

/** What a mailing needs to begin. */
export interface NewMailing {
  readonly class: 'owed' | 'marketing'
  readonly kind: string
  /** Differs from the cause of every other mailing of the workspace. */
  readonly cause: string
  /** Absent for owed mail, whose sender is chosen when it is handed over. */
  readonly sender?: Sender
  readonly replyTo?: Sender
  readonly topicId?: number
  readonly content: MailContent
  readonly values?: JsonObject
  readonly contactIds: readonly number[]
}

/** Returns the sending domain of a sender. */
export const domainOf = ({ address }: Sender): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Returns the command that begins a mailing. One whose cause has a mailing already is refused, so it may be repeated. */
export const beginMailing = (wanted: NewMailing): Ask => {
  const { sender = null, replyTo = null, topicId = null, values = {}, contactIds, ...rest } = wanted
  return ask(mailings, 'new', 'create', {
    ...rest,
    sender,
    domain: sender && domainOf(sender),
    reply_to: replyTo,
    topic_id: topicId,
    values,
    contact_ids: contactIds,
  })
}
