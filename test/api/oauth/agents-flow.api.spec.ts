import { expect } from 'chai'
import * as client from 'openid-client'
import { allow, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
import { type TestService, testService } from '../../support/service.ts'

const CALLBACK = 'http://127.0.0.1/callback'

describe('the authorization server, for agents', () => {
  let service: TestService
  let person: Person

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
  })

  /** Registers an agent as openid-client does. */
  const registered = async (metadata: Partial<client.ClientMetadata> = {}) =>
    client.dynamicClientRegistration(
      new URL(issuerOf(service)),
      { client_name: 'An agent', redirect_uris: [CALLBACK], ...metadata },
      undefined,
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )

  const requestOf = async (config: client.Configuration, more: Record<string, string> = {}) => {
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: 'http://127.0.0.1:51004/callback',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...more,
    })
    return { url, checks: { pkceCodeVerifier: verifier, expectedState: state } }
  }

  it('openid-client discovers, registers, authorizes, exchanges, refreshes and revokes', async () => {
    const config = await registered()
    const { url, checks } = await requestOf(config, { scope: 'read' })
    const target = await allow(person, url)
    expect(target.origin + target.pathname).to.equal('http://127.0.0.1:51004/callback')
    const tokens = await client.authorizationCodeGrant(config, target, checks)
    expect(tokens.access_token).to.match(/^mra_/)
    expect(tokens.refresh_token).to.match(/^mrar_/)
    expect(tokens).to.include({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'read',
      workspace_id: person.tenant.workspaceId,
    })
    const again = await client.refreshTokenGrant(config, tokens.refresh_token!)
    expect(again.access_token).to.not.equal(tokens.access_token)
    await client.tokenRevocation(config, again.refresh_token!)
    await client.refreshTokenGrant(config, again.refresh_token!).then(
      () => expect.fail('it was revoked'),
      (error: client.ResponseBodyError) => expect(error.error).to.equal('invalid_grant'),
    )
  })
})
