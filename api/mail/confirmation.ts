import { formSubmission, formSubmissions } from '../../domain/forms/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import type { PageOfLink, Shown } from './page-of-link.ts'
import type { FoundMail, MailService, Recipients } from './recipients.ts'
import type { MailWords } from './words.ts'

/**
 * Page on which somebody confirms that a form was theirs. A mail to an address that the contact had before proves nothing of the present one.
 * Whoever had unsubscribed comes back by it.
 */
export const confirmationPage = (recipients: Recipients, { engine }: MailService): PageOfLink => {
  const submitted = async (mail: FoundMail) => {
    const id = await recipients.about(mail, 'form_submission_id')
    return id === null ? undefined : (await engine.records(formSubmissions, id, -1)).root(formSubmission)
  }
  const invalid = ({ invalid: words }: MailWords): Shown => ({
    status: 404,
    title: words.title,
    sentences: [words.text],
  })
  const done = ({ confirmed }: MailWords): Shown => ({ title: confirmed.title, sentences: [confirmed.text] })

  return {
    act: 'confirm',
    async show(mail, words) {
      if (mail.isToFormer) return invalid(words)
      const { confirm } = words
      const isDone = (await submitted(mail))?.confirmed_at != null
      if (isDone && !mail.contact.unconfirmed && mail.contact.unsubscribed_at === null) return done(words)
      const button = { type: 'button', text: confirm.button, value: 'confirm' } as const
      return { title: confirm.title, sentences: [confirm.text], controls: [button] }
    },
    async take(mail, _sent, words) {
      if (mail.isToFormer) return invalid(words)
      const form = await submitted(mail)
      const by = { by: 'opt_in', form_submission_id: form?.id ?? null, page_id: form?.page_id ?? null }
      await recipients.act(mail, { of: 'contact', name: 'confirm' })
      await recipients.act(mail, { of: 'contact', name: 'resubscribe', wanted: by })
      if (form) await recipients.carryOut(mail.workspace, ask(formSubmissions, form.id, 'confirm', {}))
      return done(words)
    },
  }
}
