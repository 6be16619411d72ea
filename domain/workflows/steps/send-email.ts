import { STEP } from '../../emails/public.ts'
import { longText, text } from '../../kernel/model/fields.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { type Effect, type EffectContext, textIn } from './effect.ts'
import { mailProblem } from './email-problem.ts'
import { ownTemplate } from './email-template.ts'
import { mailContact } from './mail-contact.ts'
import { mailCounts } from './mail-counts.ts'
import { stepType } from './step-type.ts'

const effect = (context: EffectContext): Promise<Effect> =>
  mailContact(context, async () => {
    const { settings, mail_revision } = context.step
    const id = idIn(settings.template_id)
    const text = id === null || mail_revision === undefined ? undefined : await context.templateAt(id, mail_revision)
    if (!text) return 'the e-mail has no text'
    const { html_body, text_body } = text
    const subject = textIn(settings.subject) ?? text.subject ?? ''
    return {
      kind: STEP,
      texts: { subject, preheadline: textIn(settings.preheadline), html_body, text_body },
      fromId: idIn(settings.from_address_id),
      replyToId: idIn(settings.reply_to_address_id),
    }
  })

/** Mails the contact, with the text that the step had when its version was published. */
export const sendEmail = stepType('send_email_step', {
  fields: {
    subject: text({ nullable: true }),
    preheadline: text({ nullable: true }),
    html_body: longText({ nullable: true, about: 'Liquid; write-only' }),
    text_body: longText({ nullable: true, about: 'Liquid; write-only' }),
  },
  refers: {
    template_id: { to: 'emails/template', foundBy: 'template_id', isGivenUp: true, keptBy: 'template_ids' },
    from_address_id: 'emails/address',
    reply_to_address_id: 'emails/address',
  },
  standsOn: [['template_id'], ['from_address_id']],
  writeOnly: ['html_body', 'text_body'],
  liquid: { subject: 'subject', preheadline: 'preheadline', html_body: 'html_body', text_body: 'text_body' },
  needs: ['subject', 'template_id'],
  refuses: mailProblem,
  own: ownTemplate,
  does: { kind: 'acts', effect },
  isCommunication: true,
  counts: mailCounts,
})
