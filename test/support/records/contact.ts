import { creatable, inWorkspace, unique } from './making.ts'

export const contact = creatable(
  async () => ({ email_address: `${unique('contact').replace(' ', '-')}@example.com`, first_name: 'Ada' }),
  inWorkspace('/contacts'),
  'contact',
)
export const contactTag = creatable(
  async () => ({ name: unique('Tag'), color: '#123456' }),
  inWorkspace('/contacts/tags'),
  'contacts_tag',
)
const suppressed = creatable(
  async () => ({ email_address: `${unique('suppressed').replace(' ', '-')}@example.com`, note: 'Asked by phone' }),
  inWorkspace('/contacts/suppressions'),
  'contacts_suppression',
)
export const suppression = {
  ...suppressed,
  by: { liftContactsSuppressions: async () => ({ note: 'Called again' }) },
}
export const pipeline = creatable(
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
export const stage = creatable(
  async () => ({ name: unique('Stage'), close_probability: 50, sort_order: 0 }),
  async (tenant) => `/sales/pipelines/${await pipeline.make(tenant)}/stages`,
  'sales_pipelines_stage',
)
export const opportunity = creatable(
  async (tenant) => ({
    name: unique('Opportunity'),
    pipelines_stage_id: await stage.make(tenant),
    primary_contact_id: await contact.make(tenant),
    value: '12.50',
  }),
  inWorkspace('/sales/opportunities'),
  'sales_opportunity',
)
