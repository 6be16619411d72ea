import { managed } from '../kernel/model/field.ts'
import { choice, flag, text } from '../kernel/model/fields.ts'
import { list, show, workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'

const STATES = ['initialized', 'connecting', 'ownership_verified', 'securing', 'secured', 'removing'] as const

/** Domain: a host under which pages of a workspace are served. Each workspace has one from the start. Read-only. */
export const domain = record({
  name: 'domain',
  title: 'Domain',
  root: 'domain',
  category: 'sites',
  under: workspace,
  attributes: {
    name: text({ required: true }),
    status: managed(choice(STATES, { required: true })),
    connected: managed(flag({ required: true, about: 'Fully connected and active' })),
  },
  events: {
    DomainConnected: { creates: true, only: ['name'], constants: { status: 'secured', connected: true } },
    DomainRenamed: { sets: ['name'] },
  },
  indexes: [{ fields: ['workspace_id'] }, { fields: ['name'] }],
  operations: { listDomains: list('/workspaces/{workspace_id}/domains'), getDomain: show('/domains/{id}') },
})
