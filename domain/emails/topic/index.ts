import { refuse } from '../../kernel/values/refusal.ts'
import type { Selector } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { topic } from './model.ts'
import { topics } from './rules.ts'

const TOPICS = '/workspaces/{workspace_id}/emails/topics'
const ONE = '/emails/topics/{id}'

const withArchived: Selector = {
  parameters: { include_archived: '`true`: archived topics are listed, too' },
  select: async ({ include_archived: sent }) =>
    sent === 'true' ? { where: {}, beyond: true } : refuse.malformed('include_archived must be true'),
}

/** Emails::Topic. */
export const topicResource = serve(topic, topics, {
  title: 'Emails::Topic',
  root: 'emails_topic',
  category: 'emails',
  under: workspace,
  indexes: [{ fields: ['workspace_id'] }, { fields: ['workspace_id'], sort: 'updated_at' }],
  operations: {
    listEmailsTopics: list(TOPICS, { where: { archived: false }, select: withArchived }),
    createEmailsTopic: creates(TOPICS),
    getEmailsTopic: show(ONE),
    updateEmailsTopic: changes(ONE, { method: 'PATCH' }),
    archiveEmailsTopic: removes(ONE, { summary: 'Archives a topic' }),
  },
})
