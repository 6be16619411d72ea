import { tagAction } from '../../../domain/contacts/actions.ts'
import { enrollAction } from '../../../domain/courses/enroll-action.ts'
import { publishAction } from '../../../domain/courses/publish-action.ts'
import { type Ask, ask, stampCommand } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { run } from '../../../domain/workflows/run/model.ts'
import { runs } from '../../../domain/workflows/run/rules.ts'
import { runWorkflowAction } from '../../../domain/workflows/run/run-action.ts'
import { ok } from '../client.ts'
import { nextId } from '../next-id.ts'
import { workflowMakers } from '../records/workflows.ts'
import { recordMakers } from '../records.ts'
import type { Tenant, TestService } from '../service.ts'

const WAIT = { delay_step: { duration: 1, interval: 'days' } }

const TAGGED = '$contact.tag_applied'
const isWaitedFor = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((go) => setTimeout(go, 10))
}

/** Contacts run through workflows: one waits and goes on, one is canceled, and two workflows lead to each other. */
const runTraffic = async ({ api, workspaceId }: Tenant, make: (kind: string) => Promise<number>): Promise<void> => {
  const workflowBy = async (tag: number, ...steps: object[]): Promise<number> => {
    const { id } = ok(await api.post(`/workspaces/${workspaceId}/workflows`, { workflow: { name: 'Loop' } }))
    const trigger = { event_type_key: TAGGED, contacts_tag_id: tag }
    ok(await api.post(`/workflows/${id}/triggers`, { workflows_trigger: trigger }))
    for (const step_type_settings of steps)
      ok(await api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings } }))
    ok(await api.post(`/workflows/${id}/enable`))
    return id
  }
  const [a, b] = [await make('contacts/tag'), await make('contacts/tag')]
  const tagging = (action: string, tag: number) => ({ contact_tag_step: { action, contacts_tag_ids: [tag] } })
  const first = await workflowBy(a, tagging('Remove Tags', b), tagging('Add Tags', b))
  await workflowBy(b, tagging('Remove Tags', a), tagging('Add Tags', a))
  const apply = async (contact: number, tag_id: number) =>
    ok(await api.post(`/contacts/${contact}/applied_tags`, { contacts_applied_tag: { tag_id } }))
  await apply(await make('contact'), a)
  await isWaitedFor(async () => ok(await api.get(`/workflows/${first}`)).chain_cut !== null)
  const c = await make('contacts/tag')
  const waiting = await workflowBy(c, WAIT, { delay_step: { duration: 1, interval: 'years' } })
  const contact = await make('contact')
  const applied = await apply(contact, c)
  const runs = async () => ok(await api.get(`/workflows/${waiting}/runs`))
  const isPaused = async () => (await runs())[0]?.status === 'paused'
  await isWaitedFor(isPaused)
  ok(await api.delete(`/contacts/applied_tags/${applied.id}`))
  await apply(contact, c)
  const [{ id: run }] = await runs()
  await isWaitedFor(async () => ok(await api.get(`/workflows/runs/${run}/trace`)).skipped_entries.length > 0)
  const clock = `/workspaces/${workspaceId}/test_clock`
  const { now } = ok(await api.get(clock))
  const action = ok(
    await api.post(`/workspaces/${workspaceId}/contacts/run_workflow_actions`, {
      contacts_run_workflow_action: {
        ...{ workflow_id: waiting, target_ids: [await make('contact')] },
        scheduled_for: new Date(Date.parse(now) + 60 * 60 * 1000).toISOString(),
      },
    }),
  )
  ok(await api.post(clock, { to: new Date(Date.parse(now) + 26 * 60 * 60 * 1000).toISOString() }))
  await isWaitedFor(async () => ok(await api.get(`/workflows/runs/${run}/trace`)).steps.length > 0)
  await isWaitedFor(async () => ok(await api.get(clock)).state === 'ready')
  const path = `/contacts/run_workflow_actions/${action.id}`
  await isWaitedFor(async () => ok(await api.get(path)).completed_at !== null)
  ok(await api.delete(path))
  ok(await api.post(`/workflows/${waiting}/disable`))
  await isWaitedFor(async () => (await runs()).every((one: { status: string }) => one.status === 'canceled'))
  ok(await api.delete(`/workflows/${waiting}`))
  await isWaitedFor(async () => (await api.get(`/workflows/runs/${run}`)).status === 404)
}

/** A run fails at a step whose target is gone, and that is noted with the workflow. */
const brokenTraffic = async (tenant: Tenant, { background }: TestService): Promise<void> => {
  const { api, workspaceId } = tenant
  const create = async () =>
    ok(await api.post(`/workspaces/${workspaceId}/workflows`, { workflow: { name: 'Ends' } })).id
  const [target, id] = [await create(), await create()]
  const step = { step_type_settings: { move_step: { workflow_id: target } } }
  ok(await api.post(`/workflows/${id}/steps`, { workflows_step: step }))
  ok(await api.post(`/workflows/${id}/triggers`, { workflows_trigger: { event_type_key: '$survey.complete' } }))
  ok(await api.post(`/workflows/${id}/enable`))
  ok(await api.delete(`/workflows/${target}`))
  ok(await api.post(`/workflows/${id}/runs`, { run: { contact_id: await recordMakers.contact!.make(tenant) } }))
  const { live } = background.stores.readModels
  await isWaitedFor(async () => Array.isArray((await live.get('workflow', id))?.told_broken))
}

const TRIES = 50

/** A run is held before it takes a step, and released; and so are actions on contacts before their time. */
const heldTraffic = async (tenant: Tenant, { background }: TestService): Promise<void> => {
  const { api, teamId, workspaceId } = tenant
  const { engine, ids, now } = background.core
  const workflow_id = await workflowMakers['workflows/run']!.owner!(tenant)
  const act = async (asked: Ask, id: number, isNew = false): Promise<void> => {
    const stamp = { at: new Date(now(workspaceId)).toISOString(), actor: { label: 'worker:runs' } }
    const cause = { causationId: 'traffic', correlationId: 'traffic' }
    const result = await engine.transact({ ...stampCommand(asked, stamp, id), isNew, teamId, workspaceId, ...cause })
    if (result instanceof Refusal) throw result
  }
  const contact_id = await recordMakers.contact!.make(tenant)
  const tag_ids = [await recordMakers['contacts/tag']!.make(tenant)]
  const scheduled_for = new Date(now(workspaceId) + 86_400_000).toISOString()
  const contacts = `/workspaces/${workspaceId}/contacts`
  const target_ids = [contact_id]
  const course = ok(await api.post(`/workspaces/${workspaceId}/courses`, { course: { title: 'Held' } })).id as number
  const section = { courses_section: { title: 'Held' } }
  const sectionId = ok(await api.post(`/courses/${course}/sections`, section)).id as number
  for (const [{ resource, decider }, path, fields] of [
    [runWorkflowAction, `${contacts}/run_workflow_actions`, { workflow_id, target_ids }],
    [tagAction, `${contacts}/tag_actions`, { tag_ids, target_ids }],
    [enrollAction, `${contacts}/enroll_actions`, { course_ids: [course], target_ids }],
    [publishAction, `/courses/${course}/sections/publish_actions`, { target_ids: [sectionId] }],
  ] as const) {
    const wanted = { [resource.root]: { ...fields, scheduled_for } }
    const { id } = ok(await api.post(path, wanted))
    await act(ask(decider, id, 'hold', { held_reason: 'older_copy' }), id)
    await act(ask(decider, id, 'release', {}), id)
    ok(await api.delete(`/${resource.name}s/${id}`))
  }
  for (let tries = 0; tries < TRIES; tries++) {
    const id = await nextId(ids, run)
    await act(ask(runs, 'new', 'create', { workflow_id, contact_id, forced: true }), id, true)
    await act(ask(runs, id, 'hold', { reason: 'older_copy' }), id)
    if ((await engine.records(runs, id, -1)).root(run)?.held_reason === null) continue
    return act(ask(runs, id, 'release', {}), id)
  }
  throw new Error('no run was held')
}

/** A workflow is built, enabled, edited, archived and removed. */
export const workflowTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
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
  // The first version is retired by the third.
  await changeStep(tagged, { name: 'Tag' })
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
  await runTraffic(tenant, (kind) => recordMakers[kind]!.make(tenant))
  await heldTraffic(tenant, service)
  await brokenTraffic(tenant, service)
}
