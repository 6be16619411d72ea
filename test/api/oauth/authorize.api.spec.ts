import { expect } from 'chai'
import { allow, Browser, consentTo, issuerOf, type Person, signedInPerson, targetOf } from '../../support/oauth.ts'
import {
  AGENT_CALLBACK,
  type Agent,
  agentRequest,
  exchange,
  registeredAgent,
  tokensFor,
} from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { type TestService, testService } from '../../support/service.ts'

const APPLICATION_CALLBACK = 'https://application.example/callback'

describe('authorization', () => {
  let service: TestService
  let person: Person
  let origin: string
  let agent: Agent

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
    origin = issuerOf(service)
    agent = await registeredAgent(origin)
  })

  /** Asks without a browser. */
  const ask = (request: string) => fetch(origin + request, { redirect: 'manual' })

  /** Returns the page of a request that nobody is sent on from. */
  const faultOf = async (request: string): Promise<string> => {
    const answer = await ask(request)
    expect(answer.status, answer.headers.get('location') ?? '').to.equal(400)
    expect(answer.headers.get('location')).to.equal(null)
    expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'")
    return answer.text()
  }

  /** Returns what a request is answered with at the address of the application. */
  const errorAt = async (request: string): Promise<URLSearchParams> => {
    const answer = await ask(request)
    expect(answer.status, await answer.text()).to.equal(303)
    const { search, hash } = new URL(answer.headers.get('location')!)
    return new URLSearchParams(search || hash.slice(1))
  }

  it('16 28: a loopback address of an agent matches with any port, host and path exact', async () => {
    const on = await registeredAgent(origin, {
      redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]:7/callback', 'http://localhost:1234/callback?a=1'],
    })
    for (const redirect_uri of [
      'http://127.0.0.1/callback',
      'http://127.0.0.1:1/callback',
      'http://127.0.0.1:65535/callback',
      'http://[::1]:51004/callback',
      'http://localhost:51004/callback?a=1',
    ])
      expect((await ask(agentRequest(on, { redirect_uri }))).status, redirect_uri).to.equal(303)
    for (const redirect_uri of [
      'http://127.0.0.1:51004/callback/',
      'http://127.0.0.1:51004/Callback',
      'http://127.0.0.1:51004/callback?a=1',
      'http://127.0.0.2:51004/callback',
      'http://localhost:51004/callback',
      'https://127.0.0.1:51004/callback',
      'http://127.0.0.1:51004@evil.example/callback',
      'http://127.0.0.1.evil.example:51004/callback',
    ])
      expect(await faultOf(agentRequest(on, { redirect_uri })), redirect_uri).to.include('invalid_redirect_uri')
  })

  it('16 28: everything else is compared byte for byte', async () => {
    const on = await registeredAgent(origin, {
      redirect_uris: ['https://agent.example/callback', 'cursor://host/callback'],
    })
    for (const redirect_uri of [
      'https://agent.example:444/callback',
      'https://agent.example/callback/',
      'https://AGENT.example/callback',
      'https://agent.example/callback?a=1',
      'https://agent.example/callback%0a',
      'cursor://host/callback/',
      'cursor://other/callback',
    ])
      expect(await faultOf(agentRequest(on, { redirect_uri })), redirect_uri).to.include('invalid_redirect_uri')
  })

  it('16 27: the address of a platform application is compared byte for byte, port included', async () => {
    const callback = 'http://localhost:8080/callback'
    const { client_id } = await makeApplication(person.tenant, { redirect_uris: [callback] })
    const request = (redirect_uri: string) => agentRequest({ origin, clientId: String(client_id) }, { redirect_uri })
    expect((await ask(request(callback))).status).to.equal(303)
    for (const redirect_uri of [
      'http://localhost:8081/callback',
      'http://127.0.0.1:8080/callback',
      'http://localhost:8080/callback/',
      'http://LOCALHOST:8080/callback',
      'http://localhost:8080/callback\n',
    ])
      expect(await faultOf(request(redirect_uri)), redirect_uri).to.include('invalid_redirect_uri')
  })

  it('16 40: an unknown client is told on our own page, never by redirecting', async () => {
    for (const client_id of ['agent_unknown', 'unknown', 'https://127.0.0.1/client.json', undefined])
      expect(await faultOf(agentRequest(agent, { client_id }))).to.match(/invalid_client|invalid_request/)
  })

  it('an agent that anybody can register sends nobody on before somebody has decided', async () => {
    const on = await registeredAgent(origin, { redirect_uris: ['https://evil.example/phish'] })
    const wrongs: Record<string, string>[] = [
      { response_type: 'token' },
      { response_type: 'nonsense' },
      { prompt: 'none' },
      { scope: 'read', code_challenge_method: 'plain' },
      { resource: 'https://evil.example/' },
      { claims: '{', prompt: 'none' },
    ]
    for (const wrong of wrongs) {
      const request = agentRequest(on, { redirect_uri: 'https://evil.example/phish', error: 'x', ...wrong })
      expect(await faultOf(request), JSON.stringify(wrong)).not.to.include('evil.example/phish')
    }
    const begun = await ask(agentRequest(on, { redirect_uri: 'https://evil.example/phish', error: 'x' }))
    expect(begun.headers.get('location')).to.match(/^\/oauth\/consent\//)
  })

  it('an answer goes back in the query alone', async () => {
    const { client_id } = await makeApplication(person.tenant)
    const ofApplication = (more: Record<string, string>) =>
      agentRequest({ origin, clientId: String(client_id) }, { redirect_uri: APPLICATION_CALLBACK, ...more })
    for (const request of [(more: Record<string, string>) => agentRequest(agent, more), ofApplication]) {
      for (const response_mode of ['fragment', 'form_post', 'web_message', 'jwt', 'nonsense'])
        expect(await faultOf(request({ response_mode })), response_mode).to.include('response_mode')
      for (const response_mode of ['query', ''])
        expect((await ask(request({ response_mode }))).headers.get('location')).to.match(/^\/oauth\/consent\//)
    }
  })

  it('16 40: every redirect back carries state and iss, byte for byte the issuer of the metadata', async () => {
    const { issuer } = JSON.parse(await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).text())
    expect(issuer).to.equal(origin).and.not.match(/\/$/)
    const allowed = (await allow(person, agentRequest(agent))).searchParams
    expect([...allowed.keys()].sort()).to.deep.equal(['code', 'iss', 'state'])
    const denied = targetOf(await (await consentTo(person, agentRequest(agent))).decide('deny')).searchParams
    expect(denied.get('error')).to.equal('access_denied')
    const { client_id } = await makeApplication(person.tenant)
    const wrong = { redirect_uri: APPLICATION_CALLBACK, response_type: 'token' }
    const refused = await errorAt(agentRequest({ origin, clientId: String(client_id) }, wrong))
    expect(refused.get('error')).to.equal('unsupported_response_type')
    for (const sent of [allowed, denied, refused]) {
      expect(sent.get('state')).to.equal('the state')
      expect(sent.get('iss')).to.equal(issuer)
    }
  })

  it('16 33: public and agent clients must send S256', async () => {
    for (const wrong of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: undefined },
    ]) {
      expect(await faultOf(agentRequest(agent, wrong)), JSON.stringify(wrong)).to.include('invalid_request')
    }
    const { client_id } = await makeApplication(person.tenant, { confidential: false })
    const redirect_uri = APPLICATION_CALLBACK
    const request = { redirect_uri, code_challenge: undefined, code_challenge_method: undefined }
    const sent = await errorAt(agentRequest({ origin, clientId: String(client_id) }, request))
    expect(sent.get('error')).to.equal('invalid_request')
  })

  it('16 44: an agent gets a refresh token whether or not it asks for offline_access, with or without prompt=consent', async () => {
    for (const more of [
      {},
      { scope: 'read offline_access' },
      { scope: 'offline_access', prompt: 'consent' },
      { scope: 'openid profile', nonce: 'n', max_age: '0', prompt: 'login consent' },
    ])
      expect(await tokensFor(person, agent, more), JSON.stringify(more)).to.have.property('refresh_token')
  })

  it('16 44: prompt=none is answered with an error, since somebody must click', async () => {
    expect(await faultOf(agentRequest(agent, { prompt: 'none' }))).to.include('consent_required')
  })

  it('16 46: an agent that sends no resource, or one of the spellings of the agent server, gets a token for it', async () => {
    const agents = service.agentsUrl
    const host = new URL(agents).origin
    for (const resource of [
      undefined,
      host,
      `${host}/`,
      agents,
      `${agents}/`,
      agents.replace('localhost', 'LOCALHOST'),
    ]) {
      const code = (await allow(person, agentRequest(agent, { resource }))).searchParams.get('code')!
      expect((await exchange(agent, { code, resource })).status, resource).to.equal(200)
    }
    for (const resource of [origin, `${host}/other`, 'https://evil.example/mcp', 'no address'])
      expect(await faultOf(agentRequest(agent, { resource })), resource).to.include('invalid_target')
    const code = (await allow(person, agentRequest(agent))).searchParams.get('code')!
    expect((await exchange(agent, { code, resource: origin })).body.error).to.equal('invalid_target')
  })

  it('16 46: a platform application that names the agent server gets invalid_target', async () => {
    const { client_id } = await makeApplication(person.tenant)
    const redirect_uri = APPLICATION_CALLBACK
    const request = (resource: string) =>
      agentRequest({ origin, clientId: String(client_id) }, { redirect_uri, resource })
    expect((await errorAt(request(service.agentsUrl))).get('error')).to.equal('invalid_target')
    for (const resource of [origin, `${origin}/`, `${origin}/api/v2`])
      expect((await ask(request(resource))).headers.get('location'), resource).to.match(/^\/oauth\/consent\//)
  })

  it('16 14: somebody who is not signed in is led to the sign-in page, and back with the whole request', async () => {
    const browser = new Browser(origin)
    const request = agentRequest(agent, { state: 'a/b?c=d&e=é' })
    const began = await browser.fetch(request)
    const consent = began.headers.get('location')!
    const answer = await browser.fetch(consent)
    expect(answer.status).to.equal(303)
    const to = new URL(answer.headers.get('location')!, origin)
    expect(to.pathname).to.equal('/sign-in')
    expect(to.searchParams.get('to')).to.equal(consent)
    expect(new URL(consent, origin).searchParams.get('state')).to.equal('a/b?c=d&e=é')
  })

  it('sends an agent on to its own port', async () => {
    expect((await allow(person, agentRequest(agent))).href).to.match(new RegExp(`^${AGENT_CALLBACK}\\?`))
  })
})
