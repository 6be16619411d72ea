import { ok } from '../client.ts'
import { recordMakers } from '../records.ts'
import type { Tenant } from '../service.ts'

const WAIT = { delay_step: { duration: 1, interval: 'days' } }

/** A workflow is built, enabled, edited, archived and removed. */
export const workflowTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const { id } = ok(await api.post(`/workspaces/${workspaceId}/workflows`, { workflow: { name: 'Welcome' } }))
  const step = async (step_type_settings: object, place: object = {}) =>
    ok(await api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings, ...place } })).id as number
  const changeStep = async (of: number, fields: object) =>
    ok(await api.put(`/workflows/steps/${of}`, { workflows_step: fields }))
  const tag = await recordMakers['contacts/tag']!.make(tenant)
  const fields = { event_type_key: '$contact.tag_applied', contacts_tag_id: tag }
  const trigger = ok(await api.post(`/workflows/${id}/triggers`, { workflows_trigger: fields }))
  const changeTrigger = async (workflows_trigger: object) =>
    ok(await api.put(`/workflows/triggers/${trigger.id}`, { workflows_trigger }))
  await changeTrigger({ active: false })
  await changeTrigger({ active: true, allow_anonymous_contacts: false })
  const filter_id = await recordMakers.refine_filter!.make(tenant)
  const split = await step({ conditional_split_step: { condition: { filter_id } } })
  const inside = await step(WAIT, { parent_step_id: split, branch: 'matched' })
  const tagged = await step({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [tag] } })
  await changeStep(inside, { position: 0, parent_step_id: null, name: 'Wait' })
  await changeStep(inside, { step_type_settings: { delay_step: { duration: 2 } } })
  ok(await api.post(`/workflows/${id}/enable`))
  ok(await api.delete(`/workflows/steps/${split}`))
  ok(await api.post(`/workflows/${id}/enable`))
  // The trigger and the step learn that their tag has ended.
  ok(await api.delete(`/contacts/tags/${tag}`))
  const isTold = async () =>
    ok(await api.get(`/workflows/triggers/${trigger.id}`)).lost_conditions.length > 0 &&
    ok(await api.get(`/workflows/steps/${tagged}`)).step_type_settings.contact_tag_step.contacts_tag_ids.length === 0
  while (!(await isTold())) await new Promise((go) => setTimeout(go, 10))
  const change = async (workflow: object) => ok(await api.put(`/workflows/${id}`, { workflow }))
  await change({ name: 'Welcomes', archived: true })
  await change({ archived: false })
  ok(await api.delete(`/workflows/triggers/${trigger.id}`))
  ok(await api.delete(`/workflows/${id}`))
}
