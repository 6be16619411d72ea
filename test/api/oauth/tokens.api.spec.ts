import { expect } from 'chai'
import * as oauth from 'oauth4webapi'
import { allow, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
import {
  AGENT_CALLBACK,
  type Agent,
  codeFor,
  exchange,
  refresh,
  registeredAgent,
  secondServer,
  sendForm,
  sendJson,
  tokensFor,
} from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { type TestService, testService } from '../../support/service.ts'

const MINUTE_MS = 60_000

describe('the token endpoint', () => {
  let service: TestService
  let person: Person
  let origin: string
  let agent: Agent
  /** The same stores a minute and more later, and another process now. */
  let later: Awaited<ReturnType<typeof secondServer>>
  let other: Awaited<ReturnType<typeof secondServer>>

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
    origin = issuerOf(service)
    agent = await registeredAgent(origin)
    later = await secondServer(service, { now: () => Date.now() + MINUTE_MS + 1000 })
    other = await secondServer(service)
  })

  after(() => {
    later.close()
    other.close()
  })

  const isValid = async (refreshToken: string) => (await refresh(agent, refreshToken)).status === 200

  it('16 41: one code, 16 exchanges at once against two processes: one 200, the rest invalid_grant', async () => {
    const code = await codeFor(person, agent)
    const at = [agent, { ...agent, origin: other.origin }]
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => exchange(at[index % 2]!, { code })))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).to.have.length(1)
    for (const { status, body } of answers.filter((one) => one !== won[0]))
      expect([status, body.error]).to.deep.equal([400, 'invalid_grant'])
    expect(await isValid(won[0]!.body.refresh_token)).to.equal(true)
  })

  it('16 41: the same code again after a minute is refused, and revokes what the first exchange gave', async () => {
    const code = await codeFor(person, agent)
    const { body } = await exchange(agent, { code })
    const again = await exchange({ ...agent, origin: later.origin }, { code })
    expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_grant'])
    expect(await isValid(body.refresh_token)).to.equal(false)
  })

  it('16 41: a stolen code that was used, without its verifier, revokes nothing', async () => {
    const code = await codeFor(person, agent)
    const { body } = await exchange(agent, { code })
    const stolen = await exchange({ ...agent, origin: later.origin }, { code, code_verifier: 'x'.repeat(43) })
    expect(stolen.body.error).to.equal('invalid_grant')
    expect(await isValid(body.refresh_token)).to.equal(true)
  })

  it('16 33: a failed check does not use up the code', async () => {
    const code = await codeFor(person, agent)
    for (const wrong of [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: undefined },
      { redirect_uri: 'http://127.0.0.1:51005/callback' },
    ])
      expect((await exchange(agent, { code, ...wrong })).body.error, JSON.stringify(wrong)).to.equal('invalid_grant')
    const stranger = await registeredAgent(origin)
    expect((await exchange(stranger, { code })).body.error).to.equal('invalid_grant')
    expect((await exchange(agent, { code })).status).to.equal(200)
  })

  it('16 33: a verifier for a code that had no challenge is refused', async () => {
    const { client_id, client_secret } = await makeApplication(person.tenant)
    const redirect_uri = 'https://application.example/callback'
    const request = new URLSearchParams({ response_type: 'code', client_id: String(client_id), redirect_uri })
    const code = (await allow(person, `/oauth/authorize?${request}`)).searchParams.get('code')!
    const of = { origin, clientId: String(client_id) }
    const fields = { client_secret: String(client_secret), code, redirect_uri }
    expect((await exchange(of, fields)).body.error).to.equal('invalid_grant')
    expect((await exchange(of, { ...fields, code_verifier: undefined })).status).to.equal(200)
  })

  it('16 42: two processes of a client that refresh at the same moment both get working tokens', async () => {
    const { refresh_token } = await tokensFor(person, agent)
    const at = [agent, { ...agent, origin: other.origin }]
    const both = await Promise.all(at.map((one) => refresh(one, refresh_token)))
    expect(both.map(({ status }) => status)).to.deep.equal([200, 200])
    expect(both[0]!.body.refresh_token).to.not.equal(both[1]!.body.refresh_token)
    const lost = await refresh(agent, refresh_token)
    expect(lost.status).to.equal(200)
    for (const { body } of [...both, lost]) expect(await isValid(body.refresh_token)).to.equal(true)
  })

  it('16 42: after the grace the old token ends that grant only', async () => {
    const [first, second] = [await tokensFor(person, agent), await tokensFor(person, agent)]
    const rotated = await refresh(agent, first.refresh_token)
    const reused = await refresh({ ...agent, origin: later.origin }, first.refresh_token)
    expect([reused.status, reused.body.error]).to.deep.equal([400, 'invalid_grant'])
    expect(await isValid(rotated.body.refresh_token)).to.equal(false)
    expect(await isValid(second.refresh_token)).to.equal(true)
  })

  it('16 45: a refresh may narrow scopes, never widen them', async () => {
    const narrowed = async (held: string, scope: string) => {
      const { refresh_token } = await tokensFor(person, agent, { scope: held })
      const { status, body } = await refresh(agent, refresh_token, { scope })
      return status === 200 ? body.scope : body.error
    }
    expect(await narrowed('contacts:read contacts:write', 'contacts:read')).to.equal('contacts:read')
    expect(await narrowed('read contacts:write', 'read')).to.equal('read')
    expect(await narrowed('contacts:write', 'read')).to.equal('invalid_scope')
    expect(await narrowed('write', 'read')).to.equal('invalid_scope')
    expect(await narrowed('contacts:read', 'contacts:read contacts:write')).to.equal('invalid_scope')
    const { refresh_token } = await tokensFor(person, agent, { scope: 'contacts:read contacts:write' })
    const less = await refresh(agent, refresh_token, { scope: 'contacts:read' })
    expect((await refresh(agent, less.body.refresh_token)).body.scope).to.equal('contacts:read contacts:write')
  })

  it('16 45: after a new consent a client holds the union that it asked for', async () => {
    expect(await tokensFor(person, agent, { scope: 'contacts:read' })).to.include({ scope: 'contacts:read' })
    const union = 'contacts:read contacts:write'
    const { refresh_token, scope } = await tokensFor(person, agent, { scope: union })
    expect(scope).to.equal(union)
    expect((await refresh(agent, refresh_token)).body.scope).to.equal(union)
  })

  it('16 45: on the API a bare read, narrowed from more, must not act as everything', async () => {
    const { client_id, client_secret } = await makeApplication(person.tenant)
    const redirect_uri = 'https://application.example/callback'
    const of = { origin, clientId: String(client_id) }
    const secret = { client_secret: String(client_secret), redirect_uri, code_verifier: undefined }
    const request = new URLSearchParams({
      response_type: 'code',
      client_id: of.clientId,
      redirect_uri,
      scope: 'read contacts:write',
    })
    const code = (await allow(person, `/oauth/authorize?${request}`)).searchParams.get('code')!
    const { body } = await exchange(of, { ...secret, code })
    const narrowed = (scope: string) => refresh(of, body.refresh_token, { ...secret, redirect_uri: undefined, scope })
    expect((await narrowed('read')).body.error).to.equal('invalid_scope')
    expect((await narrowed('contacts:write')).body.scope).to.equal('contacts:write')
  })

  it('16 35: takes JSON as well as a form, and answers in the form of OAuth, in no cache', async () => {
    const url = `${origin}/oauth/token`
    const code = await codeFor(person, agent)
    const fields = { grant_type: 'authorization_code', client_id: agent.clientId, code }
    const more = {
      redirect_uri: 'http://127.0.0.1:51004/callback',
      code_verifier: 'a-verifier-of-forty-three-characters-or-more-0',
    }
    const { status, headers } = await sendJson(url, { ...fields, ...more })
    expect(status).to.equal(200)
    expect(headers.get('cache-control')).to.equal('no-store')
    for (const [answer, error, expected] of [
      [await sendJson(url, { ...fields, code: 'wrong', ...more }), 'invalid_grant', 400],
      [await sendJson(url, { ...fields, code: ['a', 'b'] }), 'invalid_request', 400],
      [await sendForm(url, { grant_type: 'unknown', client_id: agent.clientId }), 'unsupported_grant_type', 400],
      [await sendForm(url, { grant_type: 'authorization_code', client_id: 'nobody' }), 'invalid_client', 401],
      [await sendForm(url, {}), 'invalid_request', 400],
    ] as const) {
      expect([answer.status, answer.body.error]).to.deep.equal([expected, error])
      expect(answer.body).to.have.all.keys('error', 'error_description')
      expect(answer.headers.get('cache-control')).to.equal('no-store')
    }
  })

  it('credentials in a header that cannot be read are 401 with a challenge', async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const broken = ['id:foo%Qbar', 'id:', ':secret', 'no colon', 'id:s\u00e9cret', 'id:%FF'].map(basic)
    for (const path of ['/oauth/token', '/oauth/revoke'])
      for (const authorization of [...broken, 'Basic', 'Basic !!!', 'Basic aWQ6cw=', 'Bearer abc', 'nonsense']) {
        const fields = { grant_type: 'authorization_code', code: 'c', token: 't', redirect_uri: AGENT_CALLBACK }
        const { status, body, headers } = await sendForm(origin + path, fields, { authorization })
        expect([status, body.error], `${path} ${authorization}`).to.deep.equal([401, 'invalid_client'])
        expect(headers.get('www-authenticate'), authorization).to.match(/^Basic realm="/)
        expect(headers.get('cache-control')).to.equal('no-store')
      }
  })

  it('16 35: what is no JSON, no form, too long or sent by another method is 400 or 405 in the form of OAuth', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register']) {
      const json = { 'content-type': 'application/json', accept: 'text/html' }
      for (const [body, headers] of [
        ['{', json],
        ['[]', json],
        ['x'.repeat(70_000), { ...json, 'content-type': 'application/x-www-form-urlencoded' }],
        ['a=b', { 'content-type': 'text/plain' }],
      ] as const) {
        const answer = await fetch(origin + path, { method: 'POST', body, headers })
        expect(answer.status, `${path} ${body.slice(0, 10)}`).to.equal(400)
        expect(JSON.parse(await answer.text())).to.have.property('error', 'invalid_request')
        expect(answer.headers.get('cache-control')).to.equal('no-store')
      }
      expect((await fetch(origin + path)).status).to.equal(405)
    }
  })

  it('a field that is sent twice is refused', async () => {
    const body = `grant_type=authorization_code&client_id=${agent.clientId}&code=a&code=b`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', body, headers })
    expect([answer.status, JSON.parse(await answer.text()).error]).to.deep.equal([400, 'invalid_request'])
  })

  it('revoking a token ends its grant at once, in every process; a token of another client is left', async () => {
    const { refresh_token, access_token } = await tokensFor(person, agent)
    const stranger = await registeredAgent(origin)
    const revoke = (of: Agent, token: string) =>
      sendForm(`${of.origin}/oauth/revoke`, { token, client_id: of.clientId })
    expect((await revoke(stranger, refresh_token)).status).to.equal(200)
    expect((await refresh(agent, refresh_token)).status).to.equal(200)
    expect((await revoke({ ...agent, origin: other.origin }, access_token)).status).to.equal(200)
    expect((await refresh(agent, refresh_token)).body.error).to.equal('invalid_grant')
    expect((await revoke(agent, 'unknown')).status).to.equal(200)
  })

  it('oauth4webapi discovers, exchanges with checks of state and iss, refreshes and revokes', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(origin)
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    )
    const client: oauth.Client = { client_id: agent.clientId }
    const verifier = oauth.generateRandomCodeVerifier()
    const redirect = 'http://127.0.0.1:51004/callback'
    const request = new URL(server.authorization_endpoint!)
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    for (const [name, value] of Object.entries({
      ...{ client_id: agent.clientId, redirect_uri: redirect, response_type: 'code', state: 's' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    }))
      request.searchParams.set(name, value)
    const target = await allow(person, request)
    expect(() =>
      oauth.validateAuthResponse({ ...server, issuer: 'https://other.example' }, client, target, 's'),
    ).to.throw('iss')
    const callback = oauth.validateAuthResponse(server, client, target, 's')
    const none = oauth.None()
    const exchanged = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      none,
      callback,
      redirect,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged)
    const refreshed = await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token!, insecure)
    const again = await oauth.processRefreshTokenResponse(server, client, refreshed)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, none, again.refresh_token!, insecure),
    )
    expect((await refresh(agent, again.refresh_token!)).body.error).to.equal('invalid_grant')
  })
})
