import { Type } from 'typebox'
import { list, show, workspace } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { shape } from '../../resources/view.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { template } from './model.ts'
import { templates } from './rules.ts'

const sender = shape({
  id: Type.Integer(),
  public_id: Type.String(),
  email_address: Type.String(),
  name: nullableString,
})

const TEMPLATES = '/workspaces/{workspace_id}/emails/templates'
const ONE = '/emails/templates/{id}'

/** Emails::Template. */
export const templateResource = serve(template, templates, {
  title: 'Emails::Template',
  root: 'emails_template',
  category: 'emails',
  under: workspace,
  view: {
    from_address_id: 'never',
    from_address: { one: 'from_address_id', shows: sender },
    template_type: { schema: Type.String(), of: () => 'email' },
  },
  operations: {
    listEmailsTemplates: list(TEMPLATES),
    createEmailsTemplate: creates(TEMPLATES),
    getEmailsTemplate: show(ONE),
    updateEmailsTemplate: changes(ONE, { method: 'PATCH' }),
    deleteEmailsTemplate: removes(ONE),
  },
})
