import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { type Tenant, testService } from '../../../support/service.ts'
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
