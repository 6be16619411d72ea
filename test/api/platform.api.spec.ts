import { expect } from 'chai'
import { type ApiClient, ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { connect, issueToken, makeApplication, ownerOf } from '../support/platform.ts'
import { memberOf } from '../support/records/account.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'

describe('platform applications over REST', () => {
  let service: TestService
  let tenant: Tenant
  let wide: ApiClient
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    wide = await tenant.withScopes(['read', 'write'], 'team')
  })

  const connectionOf = async (id: number) => (await tenant.api.get(`/platform_applications/connections/${id}`)).body
  const statusWith = async (token: string) => (await service.client(token).get('/me')).status

  it('16 34: client ids and secrets have only letters, digits, _ and -; the secret is shown once, and again for a new one', async () => {
    const made = await makeApplication(tenant)
    expect(made.client_id).to.match(/^[A-Za-z0-9_-]{32}$/)
    expect(made.client_secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    const shown = ok(await wide.get(`/platform_applications/${made.id}`))
    expect(shown).not.to.have.property('client_secret')
    expect(shown).to.include({ client_id: made.client_id, confidential: true, shared: false, secret_rotated_at: null })
    const rotated = ok(await wide.post(`/platform_applications/${made.id}/rotate_secret`, undefined))
    expect(rotated.client_secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(rotated.client_secret).not.to.equal(made.client_secret)
    expect(rotated.client_id).to.equal(made.client_id)
    expect(rotated.secret_rotated_at).to.be.a('string')
  })

  it('has no secret for a public application, and does not make it confidential later', async () => {
    const made = await makeApplication(tenant, { confidential: false })
    expect(made.client_secret).to.equal(null)
    expect((await wide.post(`/platform_applications/${made.id}/rotate_secret`, undefined)).status).to.equal(422)
    const change = { platform_application: { confidential: true } }
    expect((await wide.put(`/platform_applications/${made.id}`, change)).status).to.equal(422)
  })

  it('16 27: a redirect address is checked when it is written, and shown byte for byte', async () => {
    const exact = ['https://application.example/Call%20back?x=1', 'http://localhost:3000/callback/']
    const made = await makeApplication(tenant, { redirect_uris: exact })
    expect(made.redirect_uris).to.deep.equal(exact)
    for (const uri of ['http://127.0.0.1:3000/callback', 'https://application.example/#part', 'javascript:alert(1)']) {
      const answer = await wide.put(`/platform_applications/${made.id}`, {
        platform_application: { redirect_uris: [uri] },
      })
      expect([answer.status, answer.body.details[0].field]).to.deep.equal([422, 'platform_application.redirect_uris'])
    }
  })

  it('acts for the person who connected it, in one workspace', async () => {
    const application = await makeApplication(tenant)
    const connection = await connect(tenant, ['read', 'write'], Number(application.id))
    const api = service.client(await issueToken(tenant, connection))
    const { user_id } = await ownerOf(tenant)
    const me = ok(await api.get('/me'))
    expect(me.id).to.equal(user_id)
    expect(me.connected_workspace).to.include({ team_id: tenant.teamId, workspace_id: tenant.workspaceId })
    expect(me.platform_application).to.deep.equal({
      id: application.id,
      public_id: application.public_id,
      team_id: tenant.teamId,
    })
    expect(await connectionOf(connection)).to.include({
      platform_application_id: application.id,
      user_id,
      workspace_id: tenant.workspaceId,
    })
  })

  it('lists the connections of a team, and to a token of one workspace only those of that workspace', async () => {
    const { accounts } = service.background
    const workspaceId = await accounts.openWorkspace(tenant.teamId, {
      name: 'Second',
      subdomain: `platform-second-${tenant.teamId}`,
      currency: 'USD',
    })
    const here = await connect(tenant)
    const ids = async (api: ApiClient) =>
      ok(await api.get(`/teams/${tenant.teamId}/platform_applications/connections`)).map(
        (one: { id: number }) => one.id,
      )
    const { token } = await accounts.issueKey({ teamId: tenant.teamId, workspaceId, scopes: ['read'], label: 'second' })
    expect(await ids(tenant.api)).to.include(here)
    expect(await ids(wide)).to.include(here)
    expect(await ids(service.client(token))).to.deep.equal([])
    expect((await service.client(token).delete(`/platform_applications/connections/${here}`)).status).to.equal(404)
  })

  it('16 26: is refused at once when its connection ends, and subscribers learn of it', async () => {
    const event_type_ids = ['platform_application.disconnected']
    const endpoint = { name: 'Applications', url: 'https://example.com/hook', event_type_ids, enabled: false }
    const path = `/workspaces/${tenant.workspaceId}/webhooks/outgoing`
    ok(await tenant.api.post(`${path}/endpoints`, { webhooks_outgoing_endpoint: endpoint }))
    const application = await makeApplication(tenant)
    const connection = await connect(tenant, ['read', 'write'], Number(application.id))
    const tokens = [await issueToken(tenant, connection), await issueToken(tenant, connection)]
    for (const token of tokens) expect(await statusWith(token)).to.equal(200)
    ok(await tenant.api.delete(`/platform_applications/connections/${connection}`))
    for (const token of tokens) expect(await statusWith(token)).to.equal(401)
    await eventually(async () => {
      const events = ok(await tenant.api.get(`${path}/events`))
      const [event] = events.filter((one: { subject_id: number }) => one.subject_id === connection)
      expect(event).to.include({ event_type_id: event_type_ids[0], subject_type: 'PlatformApplication' })
      const { id, public_id, name } = application
      expect(event.data.platform_application).to.deep.equal({ id, public_id, name })
      expect(event.data).to.include({ team_id: tenant.teamId, workspace_id: tenant.workspaceId })
    })
  })

  it("16 26: a connection is its person's own: it ends with the membership, at once, and that of another stays", async () => {
    const member = await memberOf(tenant)
    const application = Number((await makeApplication(tenant)).id)
    const own = await connect(tenant, ['read'], application, member)
    const others = await connect(tenant, ['read'], application)
    const [token, kept] = [
      await issueToken(tenant, own, { scopes: ['read'] }),
      await issueToken(tenant, others, { scopes: ['read'] }),
    ]
    expect(ok(await service.client(token).get('/me')).id).to.equal(member.userId)
    const removed = ok(await wide.delete(`/memberships/${member.id}`))
    expect(await statusWith(token)).to.equal(401)
    expect(await statusWith(kept)).to.equal(200)
    expect(removed.connections.map((one: { id: number }) => one.id)).to.deep.equal([own])
    await eventually(async () =>
      expect((await tenant.api.get(`/platform_applications/connections/${own}`)).status).to.equal(404),
    )
    expect((await connectionOf(others)).platform_application_id).to.equal(application)
  })

  it('is refused at once when the application is removed, and its connections end', async () => {
    const application = await makeApplication(tenant)
    const connection = await connect(tenant, ['read'], Number(application.id))
    const token = await issueToken(tenant, connection, { scopes: ['read'] })
    expect(await statusWith(token)).to.equal(200)
    ok(await wide.delete(`/platform_applications/${application.id}`))
    expect(await statusWith(token)).to.equal(401)
    await eventually(async () =>
      expect((await tenant.api.get(`/platform_applications/connections/${connection}`)).status).to.equal(404),
    )
  })

  it('ignores the scopes of the contract that allow nothing', async () => {
    const scopes = ['admin', 'delete', 'mcp', 'contacts:read']
    const connection = await connect(tenant, scopes)
    const api = service.client(await issueToken(tenant, connection, { scopes }))
    expect((await api.get(`/workspaces/${tenant.workspaceId}/contacts`)).status).to.equal(200)
    expect((await api.get(`/workspaces/${tenant.workspaceId}/products`)).status).to.equal(403)
    const only = service.client(await issueToken(tenant, connection, { scopes: ['admin', 'delete', 'mcp'] }))
    expect((await only.get('/me')).status).to.equal(403)
  })

  it('counts all tokens of a connection as one sender: the repeat of a request is known by any of them', async () => {
    const connection = await connect(tenant)
    const [first, second] = [await issueToken(tenant, connection), await issueToken(tenant, connection)]
    const create = (token: string) =>
      service
        .client(token)
        .post(
          `/workspaces/${tenant.workspaceId}/contacts`,
          { contact: { first_name: 'Ada' } },
          { headers: { 'idempotency-key': `once-${connection}` } },
        )
    const made = ok(await create(first))
    const repeated = await create(second)
    expect(repeated.headers.get('idempotency-replayed')).to.equal('true')
    expect(repeated.body.id).to.equal(made.id)
    expect((await create(tenant.token)).body.id).not.to.equal(made.id)
  })
})
