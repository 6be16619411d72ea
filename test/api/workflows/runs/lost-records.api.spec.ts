import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { startSink } from '../../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, testService } from '../../../support/service.ts'
import { waitUntilSettled } from '../../../support/settled.ts'
import { workflowOf } from '../making.ts'
import { addTags, type Enrolling, enrolling } from './enrolled.ts'

describe('records that workflows name', () => {
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })
  const settled = async () => waitUntilSettled({ background: (await testService()).background })

  it('are lost where a trigger waits for what a deleted step does, of this or of another workflow', async () => {
    const [watched, own] = [await workflowOf(tenant), await workflowOf(tenant)]
    const [tag, workflows_step_id] = [
      await on.make('contacts/tag'),
      Number((await watched.step({ notify_step: {} })).id),
    ]
    const mine = Number((await own.step(addTags(tag))).id)
    const event_type_key = '$contact.tag_applied'
    const triggers = [
      await own.trigger({ event_type_key, workflows_step_id }),
      await own.trigger({ event_type_key, workflows_step_id: mine }),
    ]
    for (const id of [workflows_step_id, mine]) ok(await tenant.api.delete(`/workflows/steps/${id}`))
    await settled()
    for (const { id } of triggers) {
      const { lost_conditions } = ok(await tenant.api.get(`/workflows/triggers/${id}`))
      expect(lost_conditions).to.deep.equal(['workflows_step_id'])
    }
  })

  it('show on the workflow which steps fail for everybody because what they name is gone', async () => {
    const target = await workflowOf(tenant)
    const workflow = await workflowOf(tenant)
    const moving = await workflow.step({ move_step: { workflow_id: target.id } })
    await workflow.trigger({ event_type_key: '$optin' })
    ok(await workflow.enable())
    expect((await workflow.show()).broken_steps).to.deep.equal([])
    ok(await tenant.api.delete(target.path))
    await settled()
    expect((await workflow.show()).broken_steps).to.deep.equal([{ step_id: moving.id, settings: ['workflow_id'] }])
  })

  it('are told by mail to the admins of the team, once for each step, when the first run has failed at it', async () => {
    const sink = await startSink()
    const service = await startTestService({ SMTP_URL: sink.url })
    const real = await service.tenant()
    const there = enrolling(real)
    const target = await workflowOf(real)
    const workflow = await workflowOf(real)
    const moving = await workflow.step({ move_step: { workflow_id: target.id } })
    await workflow.step(addTags(await there.make('contacts/tag')))
    await workflow.trigger({ event_type_key: '$survey.complete' })
    ok(await workflow.enable())
    ok(await real.api.delete(target.path))
    const fails = async (times: number) => {
      for (let n = 0; n < times; n++) ok(await there.enrol(workflow, { contact_id: await there.make('contact') }))
      await there.soon(async () => {
        const statuses = (await there.runsOf(workflow)).map(({ status }) => status)
        expect(new Set(statuses)).to.deep.equal(new Set(['completed']))
      })
      await waitUntilSettled({ background: service.background })
    }
    const told = () => sink.arrived.filter(({ source }) => source.includes('fail for everybody'))
    await fails(2)
    await there.soon(async () => expect(told()).to.have.length(1))
    await fails(2)
    expect(told()).to.have.length(1)
    const { live } = service.background.stores.readModels
    const members = await live.find('membership', { where: { team_id: real.teamId } })
    const person = members.find(({ platform_agent }) => !platform_agent)
    const owner = await live.get('user', Number(person?.user_id))
    expect(told()[0]?.to).to.deep.equal([owner?.email])
    expect(String(told()[0]?.source)).to.contain(String(moving.name)).and.contain('(workflow_id)')
    await sink.stop()
  })

  it('show users who have left, and nothing without which a step still works', async () => {
    const settings = { name: 'Deal', assignment_strategy: 'unassigned' }
    const [stage] = [await on.make('sales/pipelines/stage')]
    const { pipeline_id } = ok(await tenant.api.get(`/sales/pipelines/stages/${stage}`))
    const section = await on.make('courses/section')
    const workflow = await workflowOf(tenant)
    await workflow.step({
      create_opportunity_step: { ...settings, sales_pipeline_id: Number(pipeline_id), sales_pipelines_stage_id: stage },
    })
    await workflow.step({ enroll_step: { section_ids: [section] } })
    await workflow.trigger({ event_type_key: '$survey.complete' })
    ok(await workflow.enable())
    ok(await tenant.api.delete(`/sales/pipelines/stages/${stage}`))
    await settled()
    expect((await workflow.show()).broken_steps).to.deep.equal([])
  })

  it('take turns by what the step did last, whatever other runs begin', async () => {
    const members = [await on.make('membership'), await on.make('membership'), await on.make('membership')]
    const tag = await on.make('contacts/tag')
    const deal = { name: 'Deal', value: '99.00', sales_pipeline_id: await on.make('sales/pipeline') }
    const strategy = { assignment_strategy: 'round_robin', membership_ids: members }
    const workflow = await on.startedBy(tag, { create_opportunity_step: { ...deal, ...strategy } })
    // Two further workflows on the same event, so that the ids of the runs of the first are three apart.
    for (let n = 0; n < 2; n++) await on.startedBy(tag, addTags(tag))
    const contacts: number[] = []
    for (let n = 0; n < 7; n++) contacts.push(await on.make('contact'))
    await Promise.all(contacts.map((contact) => on.applyTag(contact, tag)))
    await on.soon(async () => {
      const statuses = (await on.runsOf(workflow)).map(({ status }) => status)
      expect(statuses).to.deep.equal(contacts.map(() => 'completed'))
    })
    await settled()
    const path = `/workspaces/${tenant.workspaceId}/sales/opportunities`
    const of = async (id: number) => ok(await tenant.api.get(`${path}?filter[assignee_id]=${id}`)).length
    const counts = await Promise.all(members.map(of))
    expect(counts.toSorted()).to.deep.equal([2, 2, 3])
  })
})
