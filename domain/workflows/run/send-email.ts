import { contact, reasonAgainst, type Unmailable } from '../../contacts/public.ts'
import { beginMailing, footerOf, marketingSender, senderWith } from '../../emails/public.ts'
import { idIn } from '../../kernel/values/ids.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import type { Effect, EffectContext } from './effects.ts'

const failed = (reason: string): Effect => ({ outcome: 'failed', reason })

/** Why a contact gets no e-mail, in words. */
const REASONS: Readonly<Record<Unmailable, string>> = {
  deleted: 'the contact is gone',
  no_address: 'the contact has no e-mail address',
  suppressed: 'nothing is mailed to the address of the contact',
  unsubscribed: 'the contact has unsubscribed',
  unconfirmed: 'the contact has not confirmed',
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Sends the e-mail of a step, with the text that it had when its version was published, unless the contact gets none. That is decided once more when it is
 * handed over. The run and the step are its key, so that a run sends it once.
 */
export const sendEmail = async (step: FrozenStep, { run, read, templateAt }: EffectContext): Promise<Effect> => {
  const { settings, mail_revision } = step
  const workspaceId = run.workspace_id ?? 0
  const recipient = await read.one(contact, run.contact_id)
  const against = recipient ? reasonAgainst(recipient, 'marketing') : 'deleted'
  if (against !== undefined) return { outcome: 'skipped', reason: REASONS[against] }
  const templateId = idIn(settings.template_id)
  const text =
    templateId === null || mail_revision === undefined ? undefined : await templateAt(templateId, mail_revision)
  if (!text) return failed('the e-mail has no text')
  const footer = await footerOf(workspaceId, read.documents)
  if (!footer) return failed('the business address of the workspace is incomplete')
  const sender = await marketingSender(workspaceId, idIn(settings.from_address_id), read.documents)
  if (!sender) return failed('no sender is usable')
  const replyTo = await senderWith(idIn(settings.reply_to_address_id), read.documents)
  const { html_body, text_body } = text
  const asked = beginMailing({
    class: 'marketing',
    kind: 'step',
    cause: `run-${run.id}-step-${step.id}`,
    sender,
    ...(replyTo && { replyTo }),
    content: {
      subject: textIn(settings.subject) ?? text.subject ?? '',
      preheadline: textIn(settings.preheadline),
      ...{ html_body, text_body, footer, tracks_opens: true, tracks_clicks: true },
    },
    contactIds: [run.contact_id],
  })
  return { asks: [asked] }
}
