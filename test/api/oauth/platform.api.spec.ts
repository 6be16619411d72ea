import { expect } from 'chai'
import * as client from 'openid-client'
import { credentials } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { allow, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
import { refresh, registeredAgent, secondServer, sendForm, tokensFor } from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { type TestService, testService } from '../../support/service.ts'

const CALLBACK = 'https://application.example/callback'

describe('the authorization server, for platform applications', () => {
  let service: TestService
  let person: Person

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
  })

  const applied = async (fields: object = {}) => {
    const made = await makeApplication(person.tenant, fields)
    const secret = made.client_secret as string | null
    const config = await client.discovery(
      new URL(issuerOf(service)),
      String(made.client_id),
      undefined,
      secret === null ? client.None() : client.ClientSecretPost(secret),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )
    return { config, made }
  }

  const requestOf = (config: client.Configuration, more: Record<string, string> = {}) =>
    client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      grant_type: 'authorization_code',
      new_installation: 'true',
      state: 'the state',
      ...more,
    })

  const connected = async (config: client.Configuration, more: Record<string, string> = {}) => {
    const target = await allow(person, requestOf(config, more))
    return client.authorizationCodeGrant(config, target, { expectedState: 'the state' })
  }

  it('16 43: openid-client connects an application; the token works on the API, and comes with a refresh token', async () => {
    const { config } = await applied()
    // The scopes that the contract has for a request that names none.
    const tokens = await connected(config)
    const { teamId, workspaceId } = person.tenant
    expect(tokens).to.include({ token_type: 'bearer', expires_in: 7200, scope: 'admin read' })
    expect(tokens).to.include({ team_id: teamId, workspace_id: workspaceId, workspace_url: issuerOf(service) })
    expect(tokens.created_at).to.be.a('number')
    expect(tokens.team_name).to.equal(tokens.workspace_name)
    const me = await service.client(tokens.access_token).get('/me')
    expect(me.status).to.equal(200)
    const again = await client.refreshTokenGrant(config, tokens.refresh_token!)
    expect(again.access_token).to.match(/^mrp_/).and.not.equal(tokens.access_token)
    expect(again.refresh_token ?? tokens.refresh_token).to.equal(tokens.refresh_token)
    for (const { access_token } of [tokens, again])
      expect((await service.client(access_token).get('/me')).status).to.equal(200)
  })

  const statusOf = async (token: string | undefined) => (await service.client(token).get('/me')).status

  it('16 43: refreshing leaves the earlier access token, and the refresh token of a public application stays the same, too', async () => {
    const { config } = await applied({ confidential: false })
    const verifier = client.randomPKCECodeVerifier()
    const challenge = await client.calculatePKCECodeChallenge(verifier)
    const request = requestOf(config, { code_challenge: challenge, code_challenge_method: 'S256' })
    const checks = { expectedState: 'the state', pkceCodeVerifier: verifier }
    const tokens = await client.authorizationCodeGrant(config, await allow(person, request), checks)
    for (let times = 0; times < 3; times++) {
      const again = await client.refreshTokenGrant(config, tokens.refresh_token!)
      expect(again.refresh_token ?? tokens.refresh_token).to.equal(tokens.refresh_token)
      expect(await statusOf(again.access_token)).to.equal(200)
    }
    expect(await statusOf(tokens.access_token)).to.equal(200)
  })

  it('16 41: a code that comes twice ends the tokens of its connection', async () => {
    const { config, made } = await applied()
    const target = await allow(person, requestOf(config))
    const tokens = await client.authorizationCodeGrant(config, target, { expectedState: 'the state' })
    const later = await secondServer(service, { now: () => Date.now() + 60_000 })
    const again = await sendForm(`${later.origin}/oauth/token`, {
      ...{ grant_type: 'authorization_code', client_id: String(made.client_id), redirect_uri: CALLBACK },
      ...{ client_secret: String(made.client_secret), code: target.searchParams.get('code')! },
    })
    later.close()
    expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_grant'])
    expect(await statusOf(tokens.access_token)).to.equal(401)
    expect((await connected(config)).access_token).to.match(/^mrp_/)
  })

  it('revoking an access token ends it alone, and revoking the refresh token disconnects the application', async () => {
    const { config } = await applied()
    const tokens = await connected(config)
    const again = await client.refreshTokenGrant(config, tokens.refresh_token!)
    await client.tokenRevocation(config, tokens.access_token)
    expect(await statusOf(tokens.access_token)).to.equal(401)
    expect(await statusOf(again.access_token)).to.equal(200)
    await client.tokenRevocation(config, tokens.refresh_token!)
    expect(await statusOf(again.access_token)).to.equal(401)
    const { api, teamId } = person.tenant
    const { body } = await api.get(`/teams/${teamId}/platform_applications/connections?sort_order=desc`)
    expect(JSON.stringify(body)).not.to.include(String(config.clientMetadata().client_id))
  })

  it('16 13: an application stays connected when its person resets all access, and an agent does not', async () => {
    const other = await signedInPerson(service)
    const agent = await registeredAgent(issuerOf(service))
    const ofAgent = await tokensFor(other, agent)
    const made = await makeApplication(other.tenant)
    const config = await client.discovery(
      new URL(issuerOf(service)),
      String(made.client_id),
      undefined,
      client.ClientSecretPost(String(made.client_secret)),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )
    const target = await allow(other, requestOf(config))
    const tokens = await client.authorizationCodeGrant(config, target, { expectedState: 'the state' })
    await other.tenant.carryOut!(ask(credentials, other.userId, 'resetAccess', {}))
    expect(await statusOf(tokens.access_token)).to.equal(200)
    expect(await statusOf((await client.refreshTokenGrant(config, tokens.refresh_token!)).access_token)).to.equal(200)
    expect((await refresh(agent, ofAgent.refresh_token)).body.error).to.equal('invalid_grant')
  })
})
