import { expect } from 'chai'
import { consentTo, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
import {
  agentRequest,
  exchange,
  registeredAgent,
  secondServer,
  sendForm,
  sendJson,
  tokensFor,
} from '../../support/oauth-agents.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const CALLBACK = 'http://127.0.0.1/callback'
const DAY_MS = 86_400_000

describe('registration of agents', () => {
  let service: TestService
  let person: Person
  let origin: string

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
    origin = issuerOf(service)
  })

  const register = (said: unknown) => sendJson(`${origin}/oauth/register`, said)

  it('16 29: accepts what agent clients send, and says what was registered', async () => {
    const { status, body, headers } = await register({
      redirect_uris: [
        CALLBACK,
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'vscode://vscode.github-authentication',
      ],
      scope: 'openid profile offline_access contacts:read',
      client_name: 'An agent',
      software_id: 'unknown here',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
    expect(status, JSON.stringify(body)).to.equal(201)
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(body).to.include({ client_name: 'An agent', token_endpoint_auth_method: 'none', scope: 'contacts:read' })
    expect(body.redirect_uris).to.have.length(3)
    expect(body.grant_types).to.deep.equal(['authorization_code', 'refresh_token'])
    expect(body).not.to.have.any.keys('software_id', 'client_secret')
  })

  it('16 29: registers the least that a client may say, and grants it every scope of agents', async () => {
    const agent = await registeredAgent(origin, { client_name: undefined })
    expect(await tokensFor(person, agent, { scope: 'read write contacts:write store:read' })).to.include({
      scope: 'read write contacts:write store:read',
    })
  })

  it('16 29: gives a secret to a client that asks for one, and takes it as a field and in the header', async () => {
    for (const method of ['client_secret_post', 'client_secret_basic']) {
      const { body } = await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: method })
      expect(body.client_id).to.match(/^[\w-]+$/)
      expect(body.client_secret).to.match(/^[\w-]{40,}$/)
      const wrong = { grant_type: 'refresh_token', refresh_token: 'none', client_id: body.client_id }
      const basic = { authorization: `Basic ${btoa(`${body.client_id}:${body.client_secret}`)}` }
      expect((await sendForm(`${origin}/oauth/token`, wrong)).body.error).to.equal('invalid_client')
      const withSecret = { ...wrong, client_secret: body.client_secret }
      expect((await sendForm(`${origin}/oauth/token`, withSecret)).body.error).to.equal('invalid_grant')
      expect((await sendForm(`${origin}/oauth/token`, wrong, basic)).body.error).to.equal('invalid_grant')
    }
  })

  const REFUSED = {
    'javascript:': 'javascript:alert(1)',
    'data:': 'data:text/html,hi',
    'file:': 'file:///etc/passwd',
    'schemes of the operating system': 'ms-settings:privacy',
    'ms-msdt:': 'ms-msdt:/id',
    'search-ms:': 'search-ms:query=x',
    'microsoft-edge:': 'microsoft-edge:https://evil.example',
    'chrome:': 'chrome://settings',
    'tel:': 'tel:+15550100',
    'sms:': 'sms:+15550100',
    'itms-services:': 'itms-services://?action=download-manifest',
    'shell:': 'shell:startup',
    'a fragment': 'https://agent.example/callback#part',
    'user info': 'https://me:you@agent.example/callback',
    'a wildcard': 'https://*.agent.example/callback',
    'http: off loopback': 'http://agent.example/callback',
    'http: of the private network': 'http://192.168.1.4/callback',
    'no address at all': 'callback',
    'a line break': 'https://agent.example/callback\n',
  }

  it(`16 30: refuses ${Object.keys(REFUSED).join(', ')}`, async () => {
    for (const [what, uri] of Object.entries(REFUSED)) {
      const { status, body } = await register({ redirect_uris: [CALLBACK, uri] })
      expect([status, body.error], what).to.deep.equal([400, 'invalid_redirect_uri'])
    }
    for (const uris of [[], undefined, CALLBACK, [7]]) {
      const { status, body } = await register({ redirect_uris: uris })
      expect([status, body.error]).to.deep.equal([400, 'invalid_redirect_uri'])
    }
  })

  it('16 35: answers what is no JSON object in the form of OAuth', async () => {
    for (const text of ['{', '[]', '"text"', '\xff']) {
      const answer = await fetch(`${origin}/oauth/register`, { method: 'POST', body: text })
      expect(answer.status).to.equal(400)
      expect(answer.headers.get('cache-control')).to.equal('no-store')
      expect(JSON.parse(await answer.text()).error).to.equal('invalid_request')
    }
  })

  it('16 31: is limited by address', async () => {
    const own = await startTestService({ MILLRACE_FAILED_ATTEMPTS: '3' })
    const said = { redirect_uris: [CALLBACK] }
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) statuses.push((await sendJson(`${own.url}/oauth/register`, said)).status)
    expect(statuses).to.deep.equal([201, 201, 201, 429, 429])
    const { body, headers } = await sendJson(`${own.url}/oauth/register`, said)
    expect(body.error).to.equal('temporarily_unavailable')
    expect(Number(headers.get('retry-after'))).to.be.above(0)
  })

  it('16 31: writes nothing into the log', async () => {
    const { log } = service.background.stores
    await service.caughtUp()
    const before = await log.lastPosition()
    await registeredAgent(origin)
    expect(await log.lastPosition()).to.equal(before)
  })

  it('16 31: lets a registration go after 30 days that nobody consented to, and keeps one that somebody did', async () => {
    const [unused, used, running] = [
      await registeredAgent(origin),
      await registeredAgent(origin),
      await registeredAgent(origin),
    ]
    await tokensFor(person, used)
    const almost = await secondServer(service, { now: () => Date.now() + 30 * DAY_MS - 1000 })
    const after = await secondServer(service, { now: () => Date.now() + 30 * DAY_MS + 60_000 })
    const found = async (at: string, { clientId }: { clientId: string }) =>
      (await exchange({ origin: at, clientId }, { code: 'none' })).body.error
    expect(await found(almost.origin, unused)).to.equal('invalid_grant')
    // An authorization that is under way holds its client.
    await fetch(almost.origin + agentRequest(running), { redirect: 'manual' })
    expect(await found(after.origin, unused)).to.equal('invalid_client')
    expect(await found(after.origin, used)).to.equal('invalid_grant')
    expect(await found(after.origin, running)).to.equal('invalid_grant')
    const { status } = await exchange({ origin: after.origin, clientId: unused.clientId }, { code: 'none' })
    expect(status).to.equal(401)
    const page = await fetch(after.origin + agentRequest(unused), { redirect: 'manual' })
    expect(page.status).to.equal(400)
    expect(await page.text()).to.include('connect again')
    almost.close()
    after.close()
  })

  it('16 31: 10,000 registrations change nothing for one that is in use', async () => {
    const { shortTerm } = service.background.stores
    const until = Date.now() + 30 * DAY_MS
    const group = 'crowd'
    for (let count = 0; count < 10_000; count++)
      await shortTerm.put({ kind: 'oauth/Client', key: `agent_crowd${count}` }, { data: { until }, until, group })
    const agent = await registeredAgent(origin)
    expect((await consentTo(person, agentRequest(agent))).html).to.include('An agent')
    expect(await shortTerm.removeGroup(group)).to.equal(10_000)
  })
})
