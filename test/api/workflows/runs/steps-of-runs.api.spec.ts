import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { type Tenant, testService } from '../../../support/service.ts'
import { workflowOf } from '../making.ts'
import { addTags, type Enrolling, enrolling } from './enrolled.ts'

describe('steps of runs', () => {
  let tenant: Tenant
  let on: Enrolling
  let start: number
  let contact: number
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })
  beforeEach(async () => {
    start = await on.make('contacts/tag')
    contact = await on.make('contact')
  })

  const filterOn = async (tag: number): Promise<number> => {
    const criteria = [{ attribute: 'tags.id', clause: 'in', value: [String(tag)] }]
    const path = `/workspaces/${tenant.workspaceId}/refine_filters`
    return ok(await tenant.api.post(path, { refine_filter: { criteria } })).id
  }

  it('set an attribute of the contact, and clear it', async () => {
    const field = await on.make('forms/field')
    const set = (action: string, value?: string) => ({
      contact_custom_attribute_step: { action, field_id: field, ...(value && { value }) },
    })
    const workflow = await on.startedBy(start, set('Add Attribute', 'blue'))
    await on.applyTag(contact, start)
    await on.runIn(workflow, 'completed')
    const attributes = async () => Object.values(ok(await tenant.api.get(`/contacts/${contact}`)).custom_attributes)
    expect(await attributes()).to.deep.equal(['blue'])
    const second = await on.make('contacts/tag')
    const clearing = await on.startedBy(second, set('Remove Attribute'))
    await on.applyTag(contact, second)
    await on.runIn(clearing, 'completed')
    expect(await attributes()).to.deep.equal([''])
  })

  it('open an opportunity in the first stage of a pipeline, and move the one that is there', async () => {
    const pipeline = await on.make('sales/pipeline')
    const { stages } = ok(await tenant.api.get(`/sales/pipelines/${pipeline}`))
    const step = (more: object) => ({
      create_opportunity_step: { name: 'Deal', value: '99.00', sales_pipeline_id: pipeline, ...more },
    })
    const last = stages.at(-1).id
    const workflow = await on.startedBy(start, step({}), step({ move_existing: true, sales_pipelines_stage_id: last }))
    await on.applyTag(contact, start)
    await on.runIn(workflow, 'completed')
    const path = `/workspaces/${tenant.workspaceId}/sales/opportunities?filter[primary_contact_id]=${contact}`
    const found = ok(await tenant.api.get(path))
    expect(found).to.have.length(1)
    expect(found[0]).to.deep.include({ name: 'Deal', value: '99.00', pipelines_stage_id: last })
  })

  it('14 86: a split sees the tag that the step before it applied', async () => {
    const [tag, yes, no] = [await on.make('contacts/tag'), await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(start, addTags(tag))
    const split = await workflow.step({ conditional_split_step: { condition: { filter_id: await filterOn(tag) } } })
    await workflow.step(addTags(yes), { parent_step_id: split.id, branch: 'matched' })
    await workflow.step(addTags(no), { parent_step_id: split.id, branch: 'unmatched' })
    ok(await workflow.enable())
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    expect(await on.tagsOf(contact))
      .to.include(yes)
      .and.not.to.include(no)
    expect((await on.trace(id)).steps[1]).to.include({ step_type: 'conditional_split_step', branch: 'matched' })
  })

  it('14 87: the branch of a split is recorded with the step, and one alone is taken', async () => {
    const [first, second] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(start)
    const split = await workflow.step({ split_test_step: { variants: [{ weight: 50 }, { weight: 50 }] } })
    await workflow.step(addTags(first), { parent_step_id: split.id, branch: '0' })
    await workflow.step(addTags(second), { parent_step_id: split.id, branch: '1' })
    ok(await workflow.enable())
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    const { branch } = (await on.trace(id)).steps[0]
    expect(branch).to.be.oneOf(['0', '1'])
    const tags = await on.tagsOf(contact)
    expect([tags.includes(first), tags.includes(second)]).to.deep.equal([branch === '0', branch === '1'])
  })

  it('14 89: what cannot succeed is recorded as failed, and the run goes on', async () => {
    const [gone, after] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(start, addTags(gone), addTags(after))
    await tenant.api.delete(`/contacts/tags/${gone}`)
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    expect((await on.trace(id)).steps[0]).to.include({ outcome: 'failed', reason: 'the tags are gone' })
    expect(await on.tagsOf(contact)).to.include(after)
  })

  it('that are not set up are passed', async () => {
    const chat = { send_chat_message_step: { message: 'Hello' } }
    const workflow = await on.startedBy(start, chat)
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    expect((await on.trace(id)).steps.map((one: { reason: string }) => one.reason)).to.deep.equal([
      'the step is not set up',
    ])
  })

  it('deliver a webhook to the endpoint of the step alone', async () => {
    const endpoints = `/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`
    const make = async () => {
      const body = { url: 'https://hooks.example/in', name: 'E', event_type_ids: ['contact.created'] }
      return ok(await tenant.api.post(endpoints, { webhooks_outgoing_endpoint: body })).id as number
    }
    const [one] = [await make(), await make()]
    const workflow = await on.startedBy(start, { deliver_webhook_step: { webhooks_outgoing_endpoint_id: one } })
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    await on.soon(async () => {
      const events = ok(
        await tenant.api.get(
          `/workspaces/${tenant.workspaceId}/webhooks/outgoing/events?filter[event_type_id]=$workflow.webhook_step_reached`,
        ),
      )
      expect(events).to.have.length(1)
      expect(events[0].data).to.include({ id, contact_id: contact })
      expect(events[0].deliveries.map((each: { endpoint_id: number }) => each.endpoint_id)).to.deep.equal([one])
    })
  })

  it('14 91: move the contact out of one workflow and into the other, once', async () => {
    const [other, tag] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const target = await on.startedBy(other, addTags(tag))
    const workflow = await on.startedBy(start, { move_step: { workflow_id: target.id } }, addTags(other))
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    const moved = await on.runIn(target, 'completed')
    expect(await on.passed(id), 'no step behind it').to.deep.equal([['move_step', 'done']])
    const trace = await on.trace(moved)
    expect(trace.from_run_id).to.equal(id)
    expect(trace.chain.map((one: { workflow_id: number }) => one.workflow_id)).to.deep.equal([workflow.id, target.id])
  })

  it('14 91: end the run with a reason where the other workflow is disabled by then', async () => {
    const target = await on.startedBy(await on.make('contacts/tag'))
    const workflow = await on.startedBy(start, { move_step: { workflow_id: target.id } })
    ok(await target.disable())
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'completed')
    expect((await on.trace(id)).steps[0]).to.include({
      outcome: 'failed',
      reason: 'Workflow is not enabled; enable it before starting a run.',
    })
    expect(await on.runsOf(target)).to.deep.equal([])
  })

  it('14 104: workflows that lead to each other are stopped, which both show and the trace of the run names', async () => {
    const [a, b] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const untag = (tag: number) => ({ contact_tag_step: { action: 'Remove Tags', contacts_tag_ids: [tag] } })
    const first = await on.startedBy(a, untag(b), addTags(b))
    const second = await on.startedBy(b, untag(a), addTags(a))
    await on.applyTag(contact, a)
    await on.soon(async () => {
      for (const one of [first, second]) expect((await one.show()).chain_cut).not.to.equal(null)
    })
    const runs = [...(await on.runsOf(first)), ...(await on.runsOf(second))]
    expect(runs).to.have.length(10)
    const traces = await Promise.all(runs.map(({ id }) => on.trace(id)))
    const last = traces.find((one) => one.cut_workflow_ids.length > 0)
    expect(last.cut_workflow_ids).to.deep.equal([first.id])
    expect(last.chain).to.have.length(10)
    expect((await first.show()).chain_cut.workflow_ids).to.deep.equal(
      Array.from({ length: 11 }, (_, index) => (index % 2 === 0 ? first.id : second.id)),
    )
  })

  it('14 104: also where they move the contact to each other', async () => {
    const other = await workflowOf(tenant)
    await other.trigger({ event_type_key: '$optin' })
    const workflow = await on.startedBy(start, { move_step: { workflow_id: other.id } })
    await other.step({ move_step: { workflow_id: workflow.id } })
    ok(await other.enable())
    await on.applyTag(contact, start)
    await on.soon(async () => expect((await workflow.show()).chain_cut).not.to.equal(null))
    expect([...(await on.runsOf(workflow)), ...(await on.runsOf(other))]).to.have.length(10)
  })
})
