import { expect } from 'chai'
import { makeBrowser } from '../../../api/accounts/cookies.ts'
import { allow, Browser, consentTo, issuerOf, type Person, signedInPerson, targetOf } from '../../support/oauth.ts'
import { agentRequest, exchange, registeredAgent } from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const CALLBACK = 'https://application.example/callback'

/** Request that a stranger begins, and what its browser has of it. */
const begun = async (origin: string, request: string) => {
  const browser = new Browser(origin)
  const answer = await browser.fetch(request)
  const [, uid = ''] = /\/oauth\/consent\/([\w-]+)/.exec(answer.headers.get('location') ?? '') ?? []
  expect(uid).not.to.equal('')
  return { browser, uid, page: `/oauth/consent/${uid}`, resume: `/oauth/authorize/${uid}` }
}

/** Puts all cookies of a browser into another, beside its own or in their place, as a page of a sibling host does. */
const plant = (from: Browser, into: Browser, how: 'beside' | 'over'): void => {
  for (const { name, value, path } of from.cookies()) into.set(name, value, how === 'over' ? path : '/oauth')
  for (const name of ['mr_oauth_request', 'mr_oauth_resume']) into.set(name, 'planted', '/oauth')
}

describe('a planted request of OAuth', () => {
  let service: TestService
  let origin: string
  let victim: Person

  before(async () => {
    service = await testService()
    origin = issuerOf(service)
  })

  beforeEach(async () => {
    victim = await signedInPerson(service)
  })

  const ofApplication = async () => {
    const { client_id } = await makeApplication(victim.tenant)
    return agentRequest(
      { origin, clientId: String(client_id) },
      { redirect_uri: CALLBACK, scope: 'read', state: 'attackers' },
    )
  }

  const ofAgent = async () => agentRequest(await registeredAgent(origin), { state: 'attackers' })

  for (const how of ['beside', 'over'] as const)
    it(`is not consented to without a click (${how})`, async () => {
      const request = await ofApplication()
      await allow(victim, request)
      const attack = await begun(origin, request)
      plant(attack.browser, victim.browser, how)
      await victim.browser.fetch(attack.page)
      const answer = await attack.browser.fetch(attack.resume)
      expect(answer.status).to.equal(410)
      expect(answer.headers.get('refresh')).to.equal(null)
    })

  for (const [kind, requestOf] of [
    ['an application', ofApplication],
    ['an agent', ofAgent],
  ] as const)
    it(`is not consented to by a click for another browser (${kind})`, async () => {
      const attack = await begun(origin, await requestOf())
      // A browser that is not known yet takes what is planted for its own.
      plant(attack.browser, victim.browser, 'over')
      const { answer } = await victim.browser.open(attack.page)
      if (answer.status === 200) {
        const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(await answer.text()) ?? []
        const body = { form_token: token, workspace_id: String(victim.tenant.workspaceId), decision: 'allow' }
        await victim.browser.fetch(attack.page, { method: 'POST', body: new URLSearchParams(body) })
      }
      const resumed = await attack.browser.fetch(attack.resume)
      expect(resumed.status).to.equal(410)
      expect(resumed.headers.get('refresh')).to.equal(null)
    })

  it('finds a browser that is known as one with two cookies, and decides nothing', async () => {
    const request = await ofApplication()
    await allow(victim, request)
    const attack = await begun(origin, request)
    const [foreign] = attack.browser.cookies().filter(({ name }) => name === 'mr_browser')
    victim.browser.set('mr_browser', foreign!.value, '/oauth')
    expect((await victim.browser.fetch(attack.page)).status).to.equal(410)
  })

  it('goes on in the browser alone in which it was decided, and only while its person is signed in', async () => {
    const agent = await registeredAgent(origin)
    const page = await consentTo(victim, agentRequest(agent))
    const [, uid = ''] = /consent\/([\w-]+)/.exec(page.path) ?? []
    const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page.html) ?? []
    const body = { form_token: token, workspace_id: String(victim.tenant.workspaceId), decision: 'allow' }
    await victim.browser.fetch(page.path, { method: 'POST', body: new URLSearchParams(body) })
    const other = await signedInPerson(service)
    const own = victim.browser.cookies()
    for (const { name, value, path } of own) if (name !== 'mr_session') other.browser.set(name, value, path)
    expect((await other.browser.fetch(`/oauth/authorize/${uid}`)).status).to.equal(410)
    const answer = await victim.browser.fetch(`/oauth/authorize/${uid}`)
    const code = targetOf(answer).searchParams.get('code')
    expect((await exchange(agent, { code: code! })).status).to.equal(200)
  })

  it('leaves no cookie of the library in a browser', async () => {
    await allow(victim, await ofAgent())
    const names = victim.browser.cookies().map(({ name }) => name)
    expect(names.sort()).to.deep.equal(['mr_browser', 'mr_session'])
  })

  it('has cookies with TLS that no other host can set', async () => {
    const secure = await startTestService({ MILLRACE_API_URL: 'https://accounts.example.com' })
    const { client_id } = await makeApplication(await secure.tenant())
    const query = new URLSearchParams({ response_type: 'code', client_id: String(client_id), redirect_uri: CALLBACK })
    const answer = await fetch(`${secure.url}/oauth/authorize?${query}`, { redirect: 'manual' })
    const set = answer.headers.getSetCookie()
    expect(set).to.have.length(1)
    expect(set[0]).to.match(/^__Host-mr_browser=.*; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/)
    const { cookie } = makeBrowser({ accountsUrl: 'https://x.example', secrets: secure.background.stores.secrets })
    expect(cookie).to.match(/^__Host-/)
  })
})
