import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { workflowOf } from './making.ts'

describe('filters by which workflows split', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })

  const splitBy = async () => {
    const filter_id = await recordMakers.refine_filter!.make(tenant)
    const workflow = await workflowOf(tenant)
    const { id } = await workflow.step({ conditional_split_step: { condition: { filter_id } } })
    return { workflow, id, filter_id, remove: () => tenant.api.delete(`/refine_filters/${filter_id}`) }
  }

  it('are named by either form of an id, and shown as integers', async () => {
    const { workflow, id, filter_id } = await splitBy()
    const settings = { conditional_split_step: { condition: { filter_id, is_setup: true } } }
    const [node] = (await workflow.structure()).steps
    expect(node).to.deep.include({ id, state: 'active', step_type_settings: settings })
    const { public_id } = ok(await tenant.api.get(`/refine_filters/${filter_id}`))
    const other = await workflow.step({ conditional_split_step: { condition: { filter_id: public_id } } })
    expect(other.step_type_settings).to.deep.equal(settings)
    const cleared = { step_type_settings: { conditional_split_step: { condition: { filter_id: null } } } }
    expect(ok(await workflow.change(id, cleared))).to.deep.include({
      state: 'notSetup',
      step_type_settings: { conditional_split_step: { condition: { filter_id: null, is_setup: false } } },
    })
  })

  it('14 88: a filter that a workflow uses is not deleted', async () => {
    const { workflow, id, remove } = await splitBy()
    const refused = await remove()
    expect(refused.status).to.equal(422)
    expect(refused.body.error).to.equal('Request unprocessable: Filter is used by a workflow')
    expect((await tenant.api.delete(`/workflows/steps/${id}`)).status).to.equal(204)
    expect((await remove()).status, workflow.path).to.equal(204)
  })

  it('14 88: nor one that only the version uses on which runs begin', async () => {
    const { workflow, id, remove } = await splitBy()
    await workflow.trigger({ event_type_key: '$optin' })
    await workflow.enable()
    await tenant.api.delete(`/workflows/steps/${id}`)
    expect((await remove()).status, 'until the edit is published').to.equal(422)
    await workflow.enable()
    expect((await remove()).status).to.equal(204)
  })

  it('14 88: it goes with the workflow, and is free when that is disabled and its split gone', async () => {
    const first = await splitBy()
    await tenant.api.delete(first.workflow.path)
    expect((await first.remove()).status).to.equal(204)
    const second = await splitBy()
    await second.workflow.trigger({ event_type_key: '$optin' })
    await second.workflow.enable()
    await second.workflow.disable()
    await tenant.api.delete(`/workflows/steps/${second.id}`)
    expect((await second.remove()).status).to.equal(204)
  })
})
