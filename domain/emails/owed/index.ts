import { crud } from '../../resources/crud.ts'
import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { owedTemplate } from './model.ts'
import { owedTemplates } from './rules.ts'

/** Emails::OwedTemplate: the text of a workspace for mails that somebody is owed. Removing it brings the standard text back. */
export const owedTemplateResource = serve(owedTemplate, owedTemplates, {
  title: 'Emails::OwedTemplate',
  root: 'emails_owed_template',
  category: 'emails',
  under: workspace,
  indexes: [{ fields: ['workspace_id', 'kind', 'locale'] }],
  operations: crud(
    'EmailsOwedTemplates',
    '/workspaces/{workspace_id}/emails/owed_templates',
    '/emails/owed_templates/{id}',
    {
      beyondContract: true,
      create: { consequence: 'changes a mail that buyers get' },
      change: { consequence: 'changes a mail that buyers get' },
    },
  ),
})
