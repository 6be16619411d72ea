import { choice, longText, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { LOCALES, STANDARD_KINDS } from './kinds.ts'

const body = (about: string) => longText({ nullable: true, about })

/** Text of a workspace for mails of one kind in one language, in place of the standard one. */
export const owedTemplate = model('emails/owed_template', {
  attributes: {
    kind: choice(STANDARD_KINDS, { required: true }),
    locale: choice(LOCALES, { required: true }),
    subject: text({ nullable: true, max: 1000, about: 'In Liquid; absent: the standard one' }),
    preheadline: text({ nullable: true, max: 1000, about: 'In Liquid; absent: the standard one' }),
    html_body: body('HTML with Liquid, whose values are escaped; absent: the standard one'),
    text_body: body('Plain text with Liquid; absent: made from the HTML'),
  },
  events: {
    OwedTemplateWritten: { creates: true },
    OwedTemplateChanged: { changes: 'rest' },
    OwedTemplateReset: { ends: true },
  },
  unique: [{ attributes: ['kind', 'locale'], says: 'Kind has a text in this language already' }],
})
