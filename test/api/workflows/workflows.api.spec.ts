import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { inWorkspace } from '../../support/records/making.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { WAIT, workflowOf } from './making.ts'

describe('workflows over REST', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })

  const archive = (path: string, archived: boolean) => tenant.api.put(path, { workflow: { archived } })

  it('begin as drafts, disabled', async () => {
    const { id, show } = await workflowOf(tenant)
    expect(await show()).to.include({
      ...{ id, workspace_id: tenant.workspaceId, status: 'draft', disabled: true, archived: false },
      ...{ run_type: 'asynchronous', active_runs_count: 0, completed_runs_count: 0 },
    })
  })

  it('take no run_type, status or disabled from clients', async () => {
    const workflow = { name: 'Mine', run_type: 'one_time', status: 'live', disabled: false, archived: true }
    const made = ok(await tenant.api.post(inWorkspace('/workflows')(tenant), { workflow }))
    expect(made).to.include({ run_type: 'asynchronous', status: 'draft', disabled: true, archived: false })
    const changed = ok(await tenant.api.put(`/workflows/${made.id}`, { workflow: { ...workflow, archived: false } }))
    expect(changed).to.include({ run_type: 'asynchronous', status: 'draft', disabled: true })
  })

  it('need a name', async () => {
    const { status, body } = await tenant.api.post(inWorkspace('/workflows')(tenant), { workflow: { name: ' ' } })
    expect(status).to.equal(422)
    expect(body.error).to.equal("Request unprocessable: Name can't be blank")
  })

  it('are enabled only with an active trigger', async () => {
    const { trigger, enable, disable } = await workflowOf(tenant)
    const refused = await enable()
    expect(refused.status).to.equal(422)
    expect(refused.body.error).to.equal(
      'Request unprocessable: A workflow cannot be enabled without at least one active trigger.',
    )
    await trigger({ event_type_key: '$optin', active: false })
    expect((await enable()).status).to.equal(422)
    await trigger({ event_type_key: '$optin' })
    expect(ok(await enable())).to.include({ status: 'live', disabled: false })
    expect(ok(await disable())).to.include({ status: 'draft', disabled: true, active_runs_count: 0 })
    expect(ok(await disable()), 'again').to.include({ status: 'draft', disabled: true })
  })

  it('are drafts without being disabled when their last active trigger goes', async () => {
    const { trigger, enable, show } = await workflowOf(tenant)
    const { id } = await trigger({ event_type_key: '$optin' })
    await enable()
    ok(await tenant.api.put(`/workflows/triggers/${id}`, { workflows_trigger: { active: false } }))
    expect(await show()).to.include({ status: 'draft', disabled: false })
    ok(await tenant.api.put(`/workflows/triggers/${id}`, { workflows_trigger: { active: true } }))
    expect(await show()).to.include({ status: 'live', disabled: false })
    await tenant.api.delete(`/workflows/triggers/${id}`)
    expect(await show()).to.include({ status: 'draft', disabled: false })
  })

  it('are disabled when they are archived, and can be enabled only when they no longer are', async () => {
    const { path, trigger, enable } = await workflowOf(tenant)
    await trigger({ event_type_key: '$optin' })
    await enable()
    expect(ok(await archive(path, true))).to.include({ status: 'archived', archived: true, disabled: true })
    const refused = await enable()
    expect(refused.status).to.equal(422)
    expect(refused.body.error).to.equal('Request unprocessable: An archived workflow cannot be enabled.')
    expect(ok(await archive(path, false))).to.include({ status: 'draft', archived: false, disabled: true })
    expect(ok(await enable())).to.include({ status: 'live' })
  })

  it('go with their triggers and steps', async () => {
    const { path, trigger, step } = await workflowOf(tenant)
    const paths = [
      path,
      `/workflows/triggers/${(await trigger({ event_type_key: '$optin' })).id}`,
      `/workflows/steps/${(await step(WAIT)).id}`,
    ]
    expect((await tenant.api.delete(path)).status).to.equal(204)
    for (const one of paths) expect((await tenant.api.get(one)).status, one).to.equal(404)
    expect((await tenant.api.get(`${path}/steps`)).status).to.equal(404)
  })

  it('keep to their workspace', async () => {
    const { path } = await workflowOf(tenant)
    const other = await (await testService()).tenant()
    expect((await other.api.get(`${path}/structure`)).status).to.equal(404)
    expect((await other.api.post(`${path}/enable`)).status).to.equal(404)
  })
})
