import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { flag, longText, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const body = (about: string) => longText({ nullable: true, about, shown: 'expanded' })

/** Template: the text of mails, in Liquid. */
export const template = model('emails/template', {
  attributes: {
    name: text({ required: true, trim: true, about: 'Internal' }),
    subject: text({ nullable: true, max: 1000 }),
    html_body: body('HTML with Liquid, whose values are escaped'),
    text_body: body('Plain text with Liquid'),
    from_address_id: reference('emails/address', { nullable: true, missing: 'from_address_id not found' }),
    created_via_api: managed(flag({ default: true }), {
      shown: { schema: Type.Boolean({ description: 'Whether it was made by the API' }) },
    }),
  },
  events: {
    TemplateAdded: { creates: true },
    TemplateChanged: { changes: 'rest', only: ['name', 'subject', 'html_body', 'text_body', 'from_address_id'] },
    TemplateRemoved: { ends: true },
  },
})
