import { contact, reasonAgainst, type Unmailable } from '../../contacts/public.ts'
import {
  beginMailing,
  causeOfStep,
  footerOf,
  type MailTexts,
  marketingReplyTo,
  marketingSender,
  type NewMailing,
} from '../../emails/public.ts'
import { type Effect, type EffectContext, failed, skipped } from './effect.ts'

/** Reason for which neither contacts nor users get mail. */
export const NO_SENDER = 'no sender is usable'

/** Why a contact gets no e-mail, in words. */
const REASONS: Readonly<Record<Unmailable, string>> = {
  deleted: 'the contact is gone',
  no_address: 'the contact has no e-mail address',
  suppressed: 'nothing is mailed to the address of the contact',
  unsubscribed: 'the contact has unsubscribed',
  unconfirmed: 'the contact has not confirmed',
}

/** E-mail of a step to its contact. */
interface StepMail extends Pick<NewMailing, 'kind' | 'values'> {
  readonly texts: MailTexts
  /** Sender that is named; `null`: the usual one of the workspace. */
  readonly fromId: number | null
  readonly replyToId: number | null
}

/** Sends an e-mail to the contact of a run, unless they get none. That is decided once more when it is handed over. */
export const mailContact = async (
  { run, step, read }: EffectContext,
  textOf: () => Promise<StepMail | string>,
): Promise<Effect> => {
  const workspaceId = run.workspace_id ?? 0
  const recipient = await read.one(contact, run.contact_id)
  const against = recipient ? reasonAgainst(recipient, 'marketing') : 'deleted'
  if (against !== undefined) return skipped(REASONS[against])
  const mail = await textOf()
  if (typeof mail === 'string') return failed(mail)
  const footer = await footerOf(workspaceId, read.documents)
  if (!footer) return failed('the business address of the workspace is incomplete')
  const sender = await marketingSender(workspaceId, mail.fromId, read.documents)
  if (!sender) return failed(NO_SENDER)
  const replyTo = await marketingReplyTo(workspaceId, mail.replyToId, read.documents)
  const asked = beginMailing({
    ...{ class: 'marketing', kind: mail.kind, cause: causeOfStep(run.id, step.id), sender },
    ...(replyTo && { replyTo }),
    content: { ...mail.texts, footer, tracks_opens: true, tracks_clicks: true },
    ...(mail.values && { values: mail.values }),
    contactIds: [run.contact_id],
  })
  return { asks: [asked] }
}
