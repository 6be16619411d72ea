import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { type Tenant, testService } from '../../../support/service.ts'
import { WAIT, type WorkflowUnderTest, workflowOf } from '../making.ts'
import { addTags, type Enrolling, enrolling, removeTags } from './enrolled.ts'

const IN_ALREADY = 'Contact is in a run of this workflow already'

describe('entering a workflow', () => {
  let tenant: Tenant
  let on: Enrolling
  let contact: number
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })
  beforeEach(async () => {
    contact = await on.make('contact')
  })

  const forced = async (workflow: Pick<WorkflowUnderTest, 'id'>, more: object = { force_run: true }) => {
    const path = `/workspaces/${tenant.workspaceId}/contacts/run_workflow_actions`
    const wanted = { contacts_run_workflow_action: { workflow_id: workflow.id, target_ids: [contact], ...more } }
    const { id } = ok(await tenant.api.post(path, wanted))
    let failed = -1
    await on.soon(async () => {
      const shown = ok(await tenant.api.get(`/contacts/run_workflow_actions/${id}`))
      expect(shown.completed_at).to.be.a('string')
      failed = shown.failed_count
    })
    return failed
  }
  const paused = (workflow: Pick<WorkflowUnderTest, 'id'>, count: number) =>
    on.soon(async () => expect(await on.runsOf(workflow, '?filter[status]=paused')).to.have.length(count))

  it('14 81: a run that was forced counts, for events, requests, actions, moves and rehearsals', async () => {
    const [tag, other] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(tag, WAIT)
    const mover = await on.startedBy(other, { move_step: { workflow_id: workflow.id } })
    expect(await forced(workflow)).to.equal(0)
    await paused(workflow, 1)
    const [{ id: run } = { id: 0 }] = await on.runsOf(workflow)

    const refused = await on.enrol(workflow, { contact_id: contact })
    expect([refused.status, refused.body.details[0].message]).to.deep.equal([422, IN_ALREADY])
    expect(await forced(workflow, {}), 'an action that forces nothing').to.equal(1)
    const rehearsed = ok(await tenant.api.post(`${mover.path}/rehearse`, { run: { contact_id: contact } }))
    expect(rehearsed.steps[0]).to.include({ outcome: 'failed', reason: IN_ALREADY })
    await on.applyTag(contact, other)
    const moved = await on.runIn(mover, 'completed')
    expect((await on.trace(moved)).steps[0]).to.include({ outcome: 'failed', reason: IN_ALREADY })
    await on.applyTag(contact, tag)
    await on.soon(async () => expect((await on.trace(run)).skipped_entries).to.have.length(1))
    expect(await on.runsOf(workflow)).to.have.length(1)

    expect(await forced(workflow), 'beside another, where that is forced').to.equal(0)
    await paused(workflow, 2)
    await on.later(1)
    await paused(workflow, 0)
    ok(await on.enrol(workflow, { contact_id: contact }))
  })

  it('14 81: counts while one that was forced beside another outlives it', async () => {
    const workflow = await on.startedBy(await on.make('contacts/tag'), WAIT)
    ok(await on.enrol(workflow, { contact_id: contact }))
    await paused(workflow, 1)
    await on.later(0.5)
    expect(await forced(workflow)).to.equal(0)
    await paused(workflow, 2)
    await on.later(0.6)
    await paused(workflow, 1)
    const refused = await on.enrol(workflow, { contact_id: contact })
    expect([refused.status, refused.body.details[0].message]).to.deep.equal([422, IN_ALREADY])
  })

  it('14 82: by a trigger that is turned away loses nobody whose event came before, and takes in none from before', async () => {
    const [early, late] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await workflowOf(tenant)
    const trigger = await workflow.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: early })
    await workflow.step(WAIT)
    ok(await workflow.enable())
    const [first, second] = [
      await Promise.all(Array.from({ length: 40 }, () => on.make('contact'))),
      await Promise.all(Array.from({ length: 10 }, () => on.make('contact'))),
    ]
    const actions = `/workspaces/${tenant.workspaceId}/contacts/tag_actions`
    const tagAll = async (target_ids: readonly number[], tag: number) => {
      const { id } = ok(await tenant.api.post(actions, { contacts_tag_action: { tag_ids: [tag], target_ids } }))
      await on.soon(async () =>
        expect(ok(await tenant.api.get(`/contacts/tag_actions/${id}`)).completed_at).to.be.a('string'),
      )
    }
    await Promise.all([tagAll(second, late), tagAll(first, early)])
    const turned = { workflows_trigger: { contacts_tag_id: late } }
    ok(await tenant.api.put(`/workflows/triggers/${trigger.id}`, turned))
    ok(await tenant.api.put(`/workflows/triggers/${trigger.id}`, { workflows_trigger: { active: false } }))
    await on.soon(async () => expect((await workflow.show()).active_runs_count).to.equal(first.length))
    for (const one of first) expect(await on.runsOf(workflow, `?filter[contact_id]=${one}`)).to.have.length(1)
    for (const one of second) expect(await on.runsOf(workflow, `?filter[contact_id]=${one}`)).to.have.length(0)
  })

  it('14 104: is bounded where one tag leads to ever more of it', async () => {
    const tags = await Promise.all(Array.from({ length: 5 }, () => on.make('contacts/tag')))
    const all: WorkflowUnderTest[] = []
    for (const tag of tags) all.push(await on.startedBy(tag, removeTags(...tags), addTags(...tags)))
    await on.applyTag(contact, tags[0]!)
    await on.soon(async () => {
      const shown = await Promise.all(all.map((one) => one.show()))
      expect(shown.some(({ chain_cut }) => chain_cut !== null)).to.equal(true)
      for (const { active_runs_count } of shown) expect(active_runs_count).to.equal(0)
    })
    for (const one of all) expect((await on.runsOf(one)).length).to.be.within(1, 5)
  })
})
