import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { type Tenant, testService } from '../../../support/service.ts'
import { WAIT } from '../making.ts'
import { type Enrolling, enrolling } from './enrolled.ts'

describe('Contacts::RunWorkflowAction', () => {
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })

  const done = async (fields: object) => {
    const path = `/workspaces/${tenant.workspaceId}/contacts/run_workflow_actions`
    const { id } = ok(await tenant.api.post(path, { contacts_run_workflow_action: fields }))
    let shown = { performed_count: 0, failed_count: 0, failed_ids: [], failure_reason: null }
    await on.soon(async () => {
      shown = ok(await tenant.api.get(`/contacts/run_workflow_actions/${id}`))
      expect(shown).to.have.property('completed_at').that.is.a('string')
    })
    return shown
  }

  it('starts a workflow for the contacts that it names, once for each', async () => {
    const workflow = await on.startedBy(await on.make('contacts/tag'), WAIT)
    const contacts = await Promise.all(Array.from({ length: 5 }, () => on.make('contact')))
    expect(await done({ workflow_id: workflow.id, target_ids: contacts })).to.include({
      performed_count: 5,
      failed_count: 0,
    })
    await on.soon(async () => expect(await on.runsOf(workflow, '?filter[status]=paused')).to.have.length(5))
    const again = await done({ workflow_id: workflow.id, target_ids: contacts.slice(0, 2) })
    expect(again).to.include({ failed_count: 2, failure_reason: 'Contact is in a run of this workflow already' })
    expect(await done({ workflow_id: workflow.id, target_ids: contacts.slice(0, 2), force_run: true })).to.include({
      failed_count: 0,
    })
    await on.soon(async () => expect(await on.runsOf(workflow, '?filter[status]=paused')).to.have.length(7))
  })

  it('says for whom nothing could be started, since the workflow is not enabled', async () => {
    const workflow = await on.startedBy(await on.make('contacts/tag'))
    ok(await workflow.disable())
    const contact = await on.make('contact')
    expect(await done({ workflow_id: workflow.id, target_ids: [contact] })).to.deep.include({
      failed_ids: [contact],
      failure_reason: 'Workflow is not enabled; enable it before starting a run.',
    })
  })
})
