import { expect } from 'chai'
import { connecting } from '../../../domain/account/platform/public.ts'
import { type ApiClient, ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { connect, issueToken, makeApplication } from '../../support/platform.ts'
import { memberOf } from '../../support/records/account.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('people of a team over REST', () => {
  let tenant: Tenant
  let ofTeam: ApiClient
  let service: TestService
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    ofTeam = await tenant.withScopes(['account:write'], 'team')
  })

  const invite = (email: string, more: object = {}) =>
    ofTeam.post(`/teams/${tenant.teamId}/invitations`, { invitation: { email, ...more } })

  it('are invited, and the answer has no link', async () => {
    const made = await invite('Grace.Hopper@Example.com', { role_ids: ['admin'] })
    expect(made.status).to.equal(201)
    expect(made.body).to.include({ email: 'Grace.Hopper@Example.com', status: 'open', team_id: tenant.teamId })
    expect(made.body.role_ids).to.deep.equal(['admin'])
    const week = Date.parse(made.body.expires_at) - Date.parse(made.body.created_at)
    expect(week).to.equal(7 * 24 * 60 * 60 * 1000)
    expect(JSON.stringify(made.body)).not.to.match(/http|link|token/)
    expect(ok(await ofTeam.get(`/invitations/${made.body.id}`))).to.deep.equal(made.body)
    const again = await invite('grace.hopper@example.COM')
    expect([again.status, again.body.details[0]]).to.deep.equal([
      422,
      { field: 'invitation.email', code: 'taken', message: 'Email is already invited' },
    ])
    expect((await ofTeam.delete(`/invitations/${made.body.id}`)).status).to.equal(204)
    const listed = ok(await ofTeam.get(`/teams/${tenant.teamId}/invitations`))
    expect(listed.map((one: { status: string }) => one.status)).to.deep.equal(['withdrawn'])
    expect((await invite('grace.hopper@example.COM')).status).to.equal(201)
  })

  it('get the roles that there are, and no others', async () => {
    expect((await invite('x@example.com', { role_ids: [] })).body.details[0].field).to.equal('invitation.role_ids')
    expect((await invite('x@example.com', { role_ids: ['owner'] })).body.details[0].code).to.equal('inclusion')
    expect((await invite('not an address')).body.details[0].field).to.equal('invitation.email')
    const member = await memberOf(tenant)
    const change = (role_ids: readonly string[]) =>
      ofTeam.put(`/memberships/${member.id}`, { membership: { role_ids } })
    expect(ok(await change(['admin', 'member'])).role_ids).to.deep.equal(['admin', 'member'])
    expect((await change([])).body.details[0]).to.include({ field: 'membership.role_ids', code: 'blank' })
  })

  it('keep an admin', async () => {
    const other = await (await testService()).tenant()
    const api = await other.withScopes(['account:write'], 'team')
    const [owner] = ok(await api.get(`/teams/${other.teamId}/memberships`))
    expect(owner.role_ids).to.deep.equal(['admin'])
    for (const answer of [
      await api.delete(`/memberships/${owner.id}`),
      await api.put(`/memberships/${owner.id}`, { membership: { role_ids: ['member'] } }),
    ])
      expect([answer.status, answer.body.error]).to.deep.equal([
        422,
        'Request unprocessable: A team needs at least one admin',
      ])
  })

  it('16 26: a membership that is removed leaves the keys of the team, and the answer lists those that the person made', async () => {
    const { accounts } = (await testService()).background
    const { teamId, workspaceId } = tenant
    const member = await memberOf(tenant)
    const kept = { teamId, workspaceId, scopes: ['read'], label: 'Made by a person' }
    const made = await accounts.issueKey({ ...kept, madeById: member.userId })
    const revoked = await accounts.issueKey({ ...kept, madeById: member.userId, label: 'Revoked' })
    await accounts.revokeKey(revoked.id)
    await accounts.issueKey({ ...kept, label: 'Made by the operator' })
    const removed = ok(await ofTeam.delete(`/memberships/${member.id}`))
    expect(removed).to.deep.include({ id: member.id, team_id: teamId, user_id: member.userId })
    expect(removed.api_keys.map((key: { id: number }) => key.id)).to.deep.equal([made.id])
    expect(removed.api_keys[0]).to.include({ label: 'Made by a person', hint: made.token.slice(0, 7) })
    expect(JSON.stringify(removed)).not.to.contain(made.token)
    expect((await (await testService()).client(made.token).get('/me')).status).to.equal(200)
    expect((await ofTeam.delete(`/memberships/${member.id}`)).status).to.equal(404)
    const people = ok(await ofTeam.get(`/teams/${teamId}/memberships`))
    expect(people.map((one: { id: number }) => one.id)).not.to.contain(member.id)
  })

  it('16 26: what the person had connected ends at once, and is listed; what others have connected goes on', async () => {
    const { teamId, workspaceId, carryOut } = tenant
    const member = await memberOf(tenant)
    const application = Number((await makeApplication(tenant)).id)
    const ownerToken = await issueToken(tenant, await connect(tenant, ['read'], application))
    const own = { applicationId: application, userId: member.userId, membershipId: member.id, workspaceId }
    const connectionId = await carryOut!({ ...connecting(0, own, ['read', 'contacts:read']), id: 'new' })
    const token = await issueToken(tenant, connectionId, { scopes: ['read', 'contacts:read'] })
    const asToken = (sent: string) => service.client(sent).get('/me')
    expect((await asToken(token)).status).to.equal(200)
    const removed = ok(await ofTeam.delete(`/memberships/${member.id}`))
    expect((await asToken(token)).status).to.equal(401)
    expect((await asToken(ownerToken)).status).to.equal(200)
    expect(removed.connections.length).to.equal(1)
    expect(removed.connections[0]).to.deep.include({
      ...{ id: connectionId, platform_application_id: application, workspace_id: workspaceId },
      scopes: ['read', 'contacts:read'],
    })
    const listed = `/teams/${teamId}/platform_applications/connections`
    await eventually(async () => {
      const ids = ok(await ofTeam.get(listed)).map(({ id }: { id: number }) => id)
      expect(ids).not.to.contain(connectionId)
    })
  })

  it('16 26: what a removed member was assigned to is assigned to nobody', async () => {
    const { api, workspaceId } = tenant
    const member = await memberOf(tenant)
    const stages_attributes = [{ name: 'New', close_probability: 10 }]
    const pipeline = ok(
      await api.post(`/workspaces/${workspaceId}/sales/pipelines`, {
        sales_pipeline: { name: 'Deals', stages_attributes },
      }),
    )
    const primary_contact_id = await recordMakers.contact!.make(tenant)
    const deal = { name: 'Deal', pipelines_stage_id: pipeline.stages[0].id, primary_contact_id }
    const sales_opportunity = { ...deal, assignee_id: member.id }
    const { id } = ok(await api.post(`/workspaces/${workspaceId}/sales/opportunities`, { sales_opportunity }))
    ok(await ofTeam.delete(`/memberships/${member.id}`))
    await eventually(async () => expect(ok(await api.get(`/sales/opportunities/${id}`)).assignee_id).to.equal(null))
  })
})
