import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { type Tenant, testService } from '../../../support/service.ts'
import { WAIT, workflowOf } from '../making.ts'
import { addTags, type Enrolling, enrolling, removeTags } from './enrolled.ts'

describe('runs of workflows', () => {
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })

  it('14 81: begin when something happens that a trigger awaits, once for each event', async () => {
    const [start, added, other] = [
      await on.make('contacts/tag'),
      await on.make('contacts/tag'),
      await on.make('contacts/tag'),
    ]
    const workflow = await on.startedBy(start, addTags(added), removeTags(other))
    const contact = await on.make('contact')
    await on.applyTag(contact, other)
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    expect([...(await on.tagsOf(contact))].sort()).to.deep.equal([start, added].sort())
    const run = ok(await tenant.api.get(`/workflows/runs/${id}`))
    expect(run).to.deep.include({ workflow_id: workflow.id, contact_id: contact, current_step_id: null, type: null })
    expect(run.event_id).to.be.a('number')
    expect(run.completed_at).to.be.a('string')
    expect(await on.passed(id)).to.deep.equal([
      ['contact_tag_step', 'done'],
      ['contact_tag_step', 'done'],
    ])
    expect(ok(await tenant.api.get(workflow.path))).to.include({ active_runs_count: 0, completed_runs_count: 1 })
  })

  it('14 82: begin for nothing that happened before the workflow was enabled', async () => {
    const start = await on.make('contacts/tag')
    const [before, after] = [await on.make('contact'), await on.make('contact')]
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: start })
    await on.applyTag(before, start)
    ok(await workflow.enable())
    await on.applyTag(after, start)
    await on.runIn(workflow, 'completed')
    expect(await on.runsOf(workflow)).to.have.length(1)
    expect(await on.runsOf(workflow, `?filter[contact_id]=${before}`)).to.deep.equal([])
  })

  it('14 81: are one for a contact while it waits; what else would start it is in its trace, and after it the contact enters again', async () => {
    const start = await on.make('contacts/tag')
    const workflow = await on.startedBy(start, WAIT)
    const contact = await on.make('contact')
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    const [applied] = ok(await tenant.api.get(`/contacts/${contact}/applied_tags`))
    await tenant.api.delete(`/contacts/applied_tags/${applied.id}`)
    await on.applyTag(contact, start)
    await on.soon(async () => {
      const { skipped_entries } = await on.trace(id)
      expect(skipped_entries.map((one: { event_type_key: string }) => one.event_type_key)).to.deep.equal([
        '$contact.tag_applied',
      ])
    })
    expect(ok(await tenant.api.get(workflow.path))).to.include({ active_runs_count: 1, completed_runs_count: 0 })
    await on.later(2)
    expect(await on.runIn(workflow, 'completed')).to.equal(id)
    const [again] = ok(await tenant.api.get(`/contacts/${contact}/applied_tags`))
    await tenant.api.delete(`/contacts/applied_tags/${again.id}`)
    await on.applyTag(contact, start)
    await on.soon(async () => expect(await on.runsOf(workflow)).to.have.length(2))
  })

  it('14 84: begin when a tag is newly applied, and not when it was there', async () => {
    const start = await on.make('contacts/tag')
    const workflow = await on.startedBy(start)
    const contact = await on.make('contact')
    await on.applyTag(contact, start)
    await on.runIn(workflow, 'completed')
    const body = { contacts_tag_action: { tag_ids: [start], action_type: 'add', target_ids: [contact] } }
    const action = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/tag_actions`, body))
    await on.soon(async () =>
      expect(ok(await tenant.api.get(`/contacts/tag_actions/${action.id}`)).completed_at).to.be.a('string'),
    )
    const other = await on.make('contact')
    await on.applyTag(other, start)
    await on.soon(async () => expect(await on.runsOf(workflow)).to.have.length(2))
    expect(await on.runsOf(workflow, `?filter[contact_id]=${contact}`)).to.have.length(1)
  })

  it('14 98: wait at a delay, and go on behind it', async () => {
    const [start, early, late] = [
      await on.make('contacts/tag'),
      await on.make('contacts/tag'),
      await on.make('contacts/tag'),
    ]
    const workflow = await on.startedBy(start, addTags(early), WAIT, addTags(late))
    const contact = await on.make('contact')
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    expect(await on.tagsOf(contact))
      .to.include(early)
      .and.not.to.include(late)
    const { current } = await on.trace(id)
    expect(current).to.include({ step_type: 'delay_step' })
    expect(Date.parse(current.waits_until) - Date.parse(current.entered_at)).to.equal(24 * 60 * 60 * 1000)
    await on.later(1.01)
    await on.runIn(workflow, 'completed')
    expect(await on.tagsOf(contact)).to.include(late)
    expect((await on.passed(id)).map(([type]) => type)).to.deep.equal([
      'contact_tag_step',
      'delay_step',
      'contact_tag_step',
    ])
  })

  it('are started by hand while the workflow is enabled', async () => {
    const workflow = await workflowOf(tenant)
    const contact = await on.make('contact')
    const refused = await on.enrol(workflow, { contact_id: contact })
    expect(refused.status).to.equal(422)
    expect(refused.body.error).to.include('Workflow is not enabled; enable it before starting a run.')
    await workflow.trigger({ event_type_key: '$optin' })
    await workflow.step(WAIT)
    ok(await workflow.enable())
    const answer = await on.enrol(workflow, { contact_id: contact, skip_communication: true })
    expect(answer.status).to.equal(201)
    expect(answer.body).to.include({ event_id: null, skip_communication: true, contact_id: contact })
    const twice = await on.enrol(workflow, { contact_id: contact })
    expect(twice.status).to.equal(422)
    expect(twice.body.error).to.include('Contact is in a run of this workflow already')
    const foreign = await (await testService()).tenant()
    const other = await enrolling(foreign).make('contact')
    expect((await on.enrol(workflow, { contact_id: other })).status).to.equal(422)
    await on.runIn(workflow, 'paused')
    expect(await on.runsOf(workflow, '?filter[status]=completed')).to.deep.equal([])
    const bad = await tenant.api.get(`${workflow.path}/runs?filter[status]=over`)
    expect(bad.status).to.equal(422)
    expect(bad.body.error).to.include('status must be one of: active, paused, completed, canceled')
  })
})
