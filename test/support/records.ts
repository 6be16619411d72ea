import type { Answer } from './client.ts'
import type { Tenant } from './service.ts'

/** How suites over all operations get a record of a resource, and a body that would make another. */
export interface RecordMaker {
  /** Fields that a creation accepts; for resources that clients can create. */
  fields?(tenant: Tenant): Promise<Record<string, unknown>>
  /** Makes one, or names one that is there; gives its id. */
  make(tenant: Tenant): Promise<number>
}

let count = 0
const unique = (stem: string): string => `${stem} ${++count}`

const idOf = ({ status, body }: Answer): number => {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${JSON.stringify(body)}`)
  return body.id as number
}

const creatable = (
  fields: (tenant: Tenant) => Promise<Record<string, unknown>>,
  path: (tenant: Tenant) => string | Promise<string>,
  root: string,
): Required<RecordMaker> => ({
  fields,
  make: async (tenant) => idOf(await tenant.api.post(await path(tenant), { [root]: await fields(tenant) })),
})

const inWorkspace = (path: string) => (tenant: Tenant) => `/workspaces/${tenant.workspaceId}${path}`

const contact = creatable(
  async () => ({ email_address: `${unique('contact').replace(' ', '-')}@example.com`, first_name: 'Ada' }),
  inWorkspace('/contacts'),
  'contact',
)
const contactTag = creatable(
  async () => ({ name: unique('Tag'), color: '#123456' }),
  inWorkspace('/contacts/tags'),
  'contacts_tag',
)
const pipeline = creatable(
  async () => ({
    name: unique('Pipeline'),
    stages_attributes: [
      { name: 'New', close_probability: 20 },
      { name: 'Won', close_probability: 100 },
    ],
  }),
  inWorkspace('/sales/pipelines'),
  'sales_pipeline',
)
const stage = creatable(
  async () => ({ name: unique('Stage'), close_probability: 50, sort_order: 0 }),
  async (tenant) => `/sales/pipelines/${await pipeline.make(tenant)}/stages`,
  'sales_pipelines_stage',
)
const opportunity = creatable(
  async (tenant) => ({
    name: unique('Opportunity'),
    pipelines_stage_id: await stage.make(tenant),
    primary_contact_id: await contact.make(tenant),
    value: '12.50',
  }),
  inWorkspace('/sales/opportunities'),
  'sales_opportunity',
)

/** One entry for every resource with operations; a suite fails when one is missing. */
export const recordMakers: Readonly<Record<string, RecordMaker>> = {
  team: { make: async (tenant) => tenant.teamId },
  user: { make: async (tenant) => (await tenant.api.get('/me')).body.id },
  workspace: { make: async (tenant) => tenant.workspaceId },
  contact,
  'contacts/tag': contactTag,
  'contacts/applied_tag': creatable(
    async (tenant) => ({ tag_id: await contactTag.make(tenant) }),
    async (tenant) => `/contacts/${await contact.make(tenant)}/applied_tags`,
    'contacts_applied_tag',
  ),
  'contacts/tag_action': creatable(
    async (tenant) => ({ tag_ids: [await contactTag.make(tenant)], target_ids: [await contact.make(tenant)] }),
    inWorkspace('/contacts/tag_actions'),
    'contacts_tag_action',
  ),
  'contacts/unsubscribe_action': creatable(
    async (tenant) => ({ target_ids: [await contact.make(tenant)] }),
    inWorkspace('/contacts/unsubscribe_actions'),
    'contacts_unsubscribe_action',
  ),
  'sales/pipeline': pipeline,
  'sales/pipelines/stage': stage,
  'sales/opportunity': opportunity,
  'sales/opportunities/note': creatable(
    async () => ({ content: unique('Note') }),
    async (tenant) => `/sales/opportunities/${await opportunity.make(tenant)}/notes`,
    'sales_opportunities_note',
  ),
}
