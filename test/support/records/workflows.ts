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

const SEEN_EVERY_MS = 10

/** A notification of the owner of the team, by a run. */
const notification: RecordMaker = {
  async make(tenant) {
    const { api, teamId, workspaceId } = tenant
    const id = await triggered(tenant)
    const [owner] = (await api.get(`/teams/${teamId}/memberships`)).body
    const contact_id = await contact.make(tenant)
    const notify_step = { message: 'A new reader', notify_type: ['Notification'], user_ids: [owner.user_id] }
    await api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings: { notify_step } } })
    await api.post(`/workflows/${id}/enable`)
    await api.post(`/workflows/${id}/runs`, { run: { contact_id } })
    for (;;) {
      const { body } = await api.get(`/workspaces/${workspaceId}/workflows/notifications?sort=-id`)
      const found = body.find((one: { readonly workflow_id: number }) => one.workflow_id === id)
      if (found) return found.id
      await new Promise((go) => setTimeout(go, SEEN_EVERY_MS))
    }
  },
}

/** Makers of workflows with everything in them. */
export const workflowMakers: Readonly<Record<string, RecordMaker>> = {
  workflow: { ...workflow, makeFor: { enableWorkflow: triggered } },
  'workflows/trigger': trigger,
  'workflows/step': step,
  'workflows/notification': notification,
  'contacts/run_workflow_action': runAction,
  'workflows/run': { ...run, owner: enabled },
}
