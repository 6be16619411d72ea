import { contact, reasonAgainst, type Unmailable } from '../../contacts/public.ts'
import {
  beginMailing,
  footerOf,
  type MailTexts,
  marketingReplyTo,
  marketingSender,
  type NewMailing,
} from '../../emails/public.ts'
import { idIn } from '../../kernel/values/ids.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import type { Effect, EffectContext } from './effect.ts'

const failed = (reason: string): Effect => ({ outcome: 'failed', reason })

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

/** Returns what the mailing of a step is for. The run and the step are its key, so that a run sends it once. */
export const causeOf = ({ run }: Pick<EffectContext, 'run'>, { id }: FrozenStep): string => `run-${run.id}-step-${id}`

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** E-mail of a step to its contact. */
interface StepMail extends Pick<NewMailing, 'kind' | 'values'> {
  readonly texts: MailTexts
  /** Sender that is named; `null`: the usual one of the workspace. */
  readonly fromId: number | null
  readonly replyToId: number | null
}

/** Sends an e-mail to the contact of a run, unless they get none. That is decided once more when it is handed over. */
export const mailContact = async (
  step: FrozenStep,
  context: EffectContext,
  textOf: () => Promise<StepMail | string>,
): Promise<Effect> => {
  const { run, read } = context
  const workspaceId = run.workspace_id ?? 0
  const recipient = await read.one(contact, run.contact_id)
  const against = recipient ? reasonAgainst(recipient, 'marketing') : 'deleted'
  if (against !== undefined) return { outcome: 'skipped', reason: REASONS[against] }
  const mail = await textOf()
  if (typeof mail === 'string') return failed(mail)
  const footer = await footerOf(workspaceId, read.documents)
  if (!footer) return failed('the business address of the workspace is incomplete')
  const sender = await marketingSender(workspaceId, mail.fromId, read.documents)
  if (!sender) return failed(NO_SENDER)
  const replyTo = await marketingReplyTo(workspaceId, mail.replyToId, read.documents)
  const asked = beginMailing({
    ...{ class: 'marketing', kind: mail.kind, cause: causeOf(context, step), sender },
    ...(replyTo && { replyTo }),
    content: { ...mail.texts, footer, tracks_opens: true, tracks_clicks: true },
    ...(mail.values && { values: mail.values }),
    contactIds: [run.contact_id],
  })
  return { asks: [asked] }
}

/** Sends the e-mail of a step, with the text that it had when its version was published. */
export const sendEmail = (step: FrozenStep, context: EffectContext): Promise<Effect> =>
  mailContact(step, context, async () => {
    const { settings, mail_revision } = step
    const id = idIn(settings.template_id)
    const text = id === null || mail_revision === undefined ? undefined : await context.templateAt(id, mail_revision)
    if (!text) return 'the e-mail has no text'
    const { html_body, text_body } = text
    const subject = textIn(settings.subject) ?? text.subject ?? ''
    return {
      kind: 'step',
      texts: { subject, preheadline: textIn(settings.preheadline), html_body, text_body },
      fromId: idIn(settings.from_address_id),
      replyToId: idIn(settings.reply_to_address_id),
    }
  })
