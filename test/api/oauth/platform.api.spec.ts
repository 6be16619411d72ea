import { expect } from 'chai'
import * as client from 'openid-client'
import { allow, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
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
    const tokens = await connected(config, { scope: 'admin read' })
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
})
