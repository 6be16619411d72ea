import { expect } from 'chai'
import { TRIGGER_KEYS } from '../../../domain/workflows/workflow/trigger-keys.ts'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { type WorkflowUnderTest, workflowOf } from './making.ts'

describe('triggers of workflows over REST', () => {
  let tenant: Tenant
  let workflow: WorkflowUnderTest
  before(async () => {
    tenant = await (await testService()).tenant()
    workflow = await workflowOf(tenant)
  })

  const refusal = async (fields: object) => {
    const { status, body } = await workflow.sendTrigger(fields)
    expect(status).to.equal(422)
    return body
  }

  it('wait for each of the 42 events of the contract, and are active', async () => {
    const keys = Object.keys(TRIGGER_KEYS)
    expect(keys).to.have.length(42)
    for (const key of keys) {
      const { event_type_key, event_type_name, active, allow_anonymous_contacts } = await workflow.trigger({
        event_type_key: key,
      })
      expect(event_type_key).to.equal(key)
      expect(event_type_name).to.be.a('string').that.is.not.equal('')
      expect({ active, allow_anonymous_contacts }).to.deep.equal({ active: true, allow_anonymous_contacts: true })
    }
  })

  it('wait for nothing else', async () => {
    const { error, details } = await refusal({ event_type_key: '$order.paid' })
    expect(error).to.equal("Request unprocessable: event_type_key '$order.paid' is not a valid workflow trigger event.")
    expect(details[0].field).to.equal('workflows_trigger.event_type_key')
    expect((await refusal({ active: true })).error).to.equal("Request unprocessable: event_type_key can't be blank")
    const { id } = await workflow.trigger({ event_type_key: '$optin' })
    const changed = await tenant.api.put(`/workflows/triggers/${id}`, { workflows_trigger: { event_type_key: 'x' } })
    expect(changed.status).to.equal(422)
    expect(changed.body.error).to.include("event_type_key 'x' is not a valid workflow trigger event.")
  })

  it('take conditions by either form of an id, and show integers', async () => {
    const tag = ok(await tenant.api.get(`/contacts/tags/${await recordMakers['contacts/tag']!.make(tenant)}`))
    const page_id = await recordMakers.page!.make(tenant)
    const made = await workflow.trigger({
      ...{ event_type_key: '$contact.tag_applied', contacts_tag_id: tag.public_id, page_id: String(page_id) },
    })
    expect(made).to.include({ contacts_tag_id: tag.id, page_id, funnel_id: null, workflows_step_id: null })
    const path = `/workflows/triggers/${made.id}`
    const cleared = ok(await tenant.api.put(path, { workflows_trigger: { page_id: null } }))
    expect(cleared).to.include({ contacts_tag_id: tag.id, page_id: null })
  })

  it('refuse conditions on what the workspace does not have', async () => {
    const event_type_key = '$contact.tag_applied'
    const other = await (await testService()).tenant()
    const foreign = await recordMakers['contacts/tag']!.make(other)
    const page = await recordMakers.page!.make(tenant)
    const { public_id } = ok(await tenant.api.get(`/pages/${page}`))
    for (const [field, sent] of [
      ['contacts_tag_id', foreign],
      ['contacts_tag_id', 'nosuch'],
      ['contacts_tag_id', public_id],
      ['course_id', 1],
      ['survey_workflow_id', 'abcdefg'],
    ] as const) {
      const { error, details } = await refusal({ event_type_key, [field]: sent })
      expect(error).to.equal(`Request unprocessable: \`${field}\` '${sent}' was not found in this workspace.`)
      expect(details[0].field).to.equal(`workflows_trigger.${field}`)
    }
  })

  it('14 83: say which of their conditions are on records that were deleted, and are met by nothing', async () => {
    const { background } = await testService()
    const tag = await recordMakers['contacts/tag']!.make(tenant)
    const { id } = await workflow.trigger({ event_type_key: '$contact.tag_removed', contacts_tag_id: tag })
    const path = `/workflows/triggers/${id}`
    const show = async () => ok(await tenant.api.get(path))
    expect((await show()).lost_conditions).to.deep.equal([])
    ok(await tenant.api.delete(`/contacts/tags/${tag}`))
    await waitUntilSettled({ background })
    expect(await show()).to.deep.include({ contacts_tag_id: tag, lost_conditions: ['contacts_tag_id'] })
    const contacts_tag_id = await recordMakers['contacts/tag']!.make(tenant)
    const renewed = ok(await tenant.api.put(path, { workflows_trigger: { contacts_tag_id } }))
    expect(renewed).to.deep.include({ contacts_tag_id, lost_conditions: [] })
  })

  it('have a reason only for cancellations', async () => {
    const subscription_cancelation_reason = 'too_expensive'
    const cancelled = await workflow.trigger({ event_type_key: '$order.cancelled', subscription_cancelation_reason })
    expect(cancelled).to.include({ subscription_cancelation_reason })
    const churned = await workflow.trigger({ event_type_key: '$order.churned', subscription_cancelation_reason })
    expect(churned).to.include({ subscription_cancelation_reason: null })
    const path = `/workflows/triggers/${cancelled.id}`
    const changed = ok(await tenant.api.put(path, { workflows_trigger: { event_type_key: '$order.churned' } }))
    expect(changed).to.include({ subscription_cancelation_reason: null })
  })

  it('are found in the list of their workflow, and only active ones in its structure', async () => {
    const { id, path, trigger, structure } = await workflowOf(tenant)
    const first = await trigger({ event_type_key: '$optin' })
    const second = await trigger({ event_type_key: '$view', active: false })
    const listed = ok(await tenant.api.get(`${path}/triggers`))
    expect(listed.map((one: { id: number }) => one.id)).to.deep.equal([first.id, second.id])
    expect(listed[0]).to.include({ workflow_id: id })
    const { triggers } = await structure()
    expect(triggers).to.deep.equal([
      {
        ...{ id: first.id, public_id: first.public_id, event_type_key: '$optin', active: true },
        allow_anonymous_contacts: true,
      },
    ])
  })
})
