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
  readonly sender: Sender
  readonly replyTo?: Sender
  readonly topicIds?: readonly number[]
  readonly content: MailContent
  readonly values?: JsonObject
  readonly contactIds: readonly number[]
}

/** Returns the command that begins a mailing. One whose cause has a mailing already is refused, so it may be repeated. */
export const beginMailing = (wanted: NewMailing): Ask => {
  const { sender, replyTo = null, topicIds = [], values = {}, contactIds, ...rest } = wanted
  return ask(mailings, 'new', 'create', {
    ...rest,
    sender,
    domain: sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase(),
    reply_to: replyTo,
    topic_ids: topicIds,
    values,
    contact_ids: contactIds,
  })
}
