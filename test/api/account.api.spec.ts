import { expect } from 'chai'
import { type Tenant, testService } from '../support/service.ts'

describe('account over REST', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })

  it('tells who the token is, and which workspace it is bound to', async () => {
    const { body } = await tenant.api.get('/me')
    expect(body.connected_workspace).to.include({
      team_id: tenant.teamId,
      workspace_id: tenant.workspaceId,
      workspace_currency: 'USD',
    })
    expect(body.platform_application).to.equal(null)
    const wide = await tenant.withScopes(['read'], 'team')
    expect((await wide.get('/me')).body.connected_workspace).to.equal(null)
    expect((await tenant.api.get('/users')).body.map((user: { id: number }) => user.id)).to.deep.equal([body.id])
    expect((await tenant.api.get('/users/2000000000')).body.error).to.equal('User not found')
  })

  it('shows its team with the people in it, and no others', async () => {
    const teams = (await tenant.api.get('/teams')).body
    expect(teams.map((team: { id: number }) => team.id)).to.deep.equal([tenant.teamId])
    expect(teams[0].memberships.map((one: { user_first_name: string }) => one.user_first_name)).to.deep.equal(['Olive'])
    expect(teams[0]).not.to.have.property('billing_subscriptions')
    const wide = await tenant.withScopes(['read', 'write'], 'team')
    const changed = await wide.put(`/teams/${tenant.teamId}`, { team: { name: 'Renamed', locale: 'ja' } })
    expect(changed.body).to.include({ name: 'Renamed', locale: 'ja' })
    expect((await wide.put(`/teams/${tenant.teamId}`, { team: { locale: 'xx' } })).status).to.equal(422)
  })

  it('is not changed by a key of one workspace, whatever its scopes', async () => {
    const named = async () => (await tenant.api.get(`/teams/${tenant.teamId}`)).body.name
    const before = await named()
    for (const api of [tenant.api, await tenant.withScopes(['account:write'])]) {
      const refused = await api.put(`/teams/${tenant.teamId}`, { team: { name: 'Taken over' } })
      expect([refused.status, refused.body.error]).to.deep.equal([
        403,
        'Forbidden: this takes a token of the team, not of one workspace',
      ])
    }
    expect(await named()).to.equal(before)
  })

  it('knows the time zone of its team', async () => {
    const wide = await tenant.withScopes(['account:write'], 'team')
    const change = (time_zone: string) => wide.put(`/teams/${tenant.teamId}`, { team: { time_zone } })
    for (const known of ['Eastern Time (US & Canada)', 'America/New_York'])
      expect((await change(known)).body.time_zone).to.equal(known)
    const { status, body } = await change('Middle-earth')
    expect([status, body.error, body.details[0].field]).to.deep.equal([
      422,
      'Request unprocessable: Time zone is not a known time zone',
      'team.time_zone',
    ])
  })

  it('lists the workspaces within reach', async () => {
    const service = await testService()
    const { accounts } = service.background
    const second = await accounts.openWorkspace(tenant.teamId, {
      name: 'Second',
      subdomain: `second-${tenant.teamId}`,
      currency: 'JPY',
    })
    const list = async (client: Tenant['api']) =>
      (await client.get(`/teams/${tenant.teamId}/workspaces?sort_property=name`)).body.map(
        (one: { id: number }) => one.id,
      )
    expect(await list(tenant.api)).to.deep.equal([tenant.workspaceId])
    const wide = await tenant.withScopes(['read', 'write'], 'team')
    expect(await list(wide)).to.have.members([tenant.workspaceId, second])
    expect((await tenant.api.get(`/workspaces/${second}`)).status).to.equal(404)
    expect((await wide.get(`/workspaces/${second}/contacts`)).status).to.equal(200)
  })

  it('gives every workspace a subdomain of its own', async () => {
    const other = await (await testService()).tenant()
    const taken = (await tenant.api.get(`/workspaces/${tenant.workspaceId}`)).body.subdomain
    const refused = await other.api.put(`/workspaces/${other.workspaceId}`, { workspace: { subdomain: taken } })
    expect(refused.body.error).to.equal('Request unprocessable: Subdomain has already been taken')
    const renamed = await other.api.put(`/workspaces/${other.workspaceId}`, { workspace: { name: 'New name' } })
    expect(renamed.body.name).to.equal('New name')
    expect(
      (await other.api.put(`/workspaces/${other.workspaceId}`, { workspace: { subdomain: 'No Spaces' } })).status,
    ).to.equal(422)
  })
})
