import type { Tenant } from '../service.ts'
import { contact, contactTag } from './contact.ts'
import { creatable, inWorkspace, type RecordMaker, unique } from './making.ts'

const workflow = creatable(async () => ({ name: unique('Workflow') }), inWorkspace('/workflows'), 'workflow')

const trigger = creatable(
  async (tenant) => ({ event_type_key: '$contact.tag_applied', contacts_tag_id: await contactTag.make(tenant) }),
  async (tenant) => `/workflows/${await workflow.make(tenant)}/triggers`,
  'workflows_trigger',
)

const delayed = { delay_step: { delay_type: 'relative', duration: 3, interval: 'days' } }

const step = creatable(
  async () => ({ step_type_settings: delayed }),
  async (tenant) => `/workflows/${await workflow.make(tenant)}/steps`,
  'workflows_step',
)

/** A workflow with a trigger, which can be enabled. */
const triggered = async (tenant: Tenant): Promise<number> => {
  const id = await workflow.make(tenant)
  await tenant.api.post(`/workflows/${id}/triggers`, { workflows_trigger: { event_type_key: '$optin' } })
  return id
}

/** A workflow that is enabled. */
const enabled = async (tenant: Tenant): Promise<number> => {
  const id = await triggered(tenant)
  await tenant.api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings: delayed } })
  await tenant.api.post(`/workflows/${id}/enable`)
  return id
}

const run = creatable(
  async (tenant) => ({ contact_id: await contact.make(tenant) }),
  async (tenant) => `/workflows/${await enabled(tenant)}/runs`,
  'run',
)

const runAction = creatable(
  async (tenant) => ({ workflow_id: await enabled(tenant), target_ids: [await contact.make(tenant)] }),
  inWorkspace('/contacts/run_workflow_actions'),
  'contacts_run_workflow_action',
)

/** Makers of workflows with everything in them. */
export const workflowMakers: Readonly<Record<string, RecordMaker>> = {
  workflow: { ...workflow, makeFor: { enableWorkflow: triggered } },
  'workflows/trigger': trigger,
  'workflows/step': step,
  'contacts/run_workflow_action': runAction,
  'workflows/run': { ...run, owner: enabled },
}
