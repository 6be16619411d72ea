import { expect } from 'chai'
import { hashToken } from '../../../api/token-hash.ts'
import { allow, Browser, consentTo, issuerOf, type Person, signedInPerson, targetOf } from '../../support/oauth.ts'
import { type Agent, agentRequest, exchange, registeredAgent } from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { type TestService, testService } from '../../support/service.ts'

const CALLBACK = 'https://application.example/callback'

describe('consent', () => {
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

  const applied = async (fields: object = {}) => {
    const { client_id } = await makeApplication(person.tenant, fields)
    const clientId = String(client_id)
    return (more: Record<string, string> = {}) =>
      agentRequest({ origin, clientId }, { redirect_uri: CALLBACK, scope: 'read', ...more })
  }

  it('16 37: shows where people are sent, that a name is only a claim, the workspace, and the scopes as they act', async () => {
    const { html } = await consentTo(person, agentRequest(agent, { scope: 'read' }))
    for (const text of ['An agent', 'only its own claim', 'a program on this computer (127.0.0.1)', 'See everything'])
      expect(html).to.include(text)
    expect(html).to.include(`<option value="${person.tenant.workspaceId}">`)
    const words = async (request: string) =>
      [...(await consentTo(person, request)).html.matchAll(/<li>([^<]*)<\/li>/g)].map(([, text]) => text)
    const ofApi = await applied()
    expect(await words(agentRequest(agent, { scope: 'read' }))).to.deep.equal(['See everything'])
    expect(await words(ofApi({ scope: 'read' }))).to.deep.equal(['See and change everything'])
    expect(await words(ofApi({ scope: 'read contacts:write' }))).to.deep.equal(['See everything', 'Change contacts'])
    expect(await words(ofApi({ scope: 'contacts:read store:write' }))).to.deep.equal([
      'See and change products, orders and shipping',
      'See contacts',
    ])
    expect((await consentTo(person, ofApi())).html)
      .to.include('application.example')
      .and.not.include('own claim')
  })

  it('16 37: a name is text of at most 80 characters, without control or direction marks', async () => {
    const named = async (client_name: string) =>
      /<title>Connect (.*)\? –/.exec(
        (await consentTo(person, agentRequest(await registeredAgent(origin, { client_name })))).html,
      )?.[1]
    expect(await named('<script>alert(1)</script>')).to.equal('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(await named('a\u202eb\u0007c\nd\u200b')).to.equal('abcd')
    expect(await named('n'.repeat(100))).to.equal('n'.repeat(80))
    expect(await named('\u202e')).to.equal('An application without a name')
    const { html } = await consentTo(
      person,
      agentRequest(await registeredAgent(origin, { logo_uri: 'https://evil.example/x.png' })),
    )
    expect(html).not.to.include('evil.example')
  })

  it('16 38: no code without a click for public and self-registered clients, even if they were allowed before', async () => {
    const ofPublic = await applied({ confidential: false })
    for (const request of [agentRequest(agent), ofPublic()]) {
      await allow(person, request)
      expect((await consentTo(person, request)).html).to.include('Allow')
    }
  })

  it('16 38: a confidential application passes with the same workspace and scopes, but not with new_installation=true', async () => {
    const request = await applied()
    await allow(person, request())
    const { answer } = await person.browser.open(request())
    expect(targetOf(answer).searchParams.get('code')).to.be.a('string')
    const asking: Record<string, string>[] = [
      { new_installation: 'true' },
      { scope: 'read contacts:write' },
      { prompt: 'consent' },
    ]
    for (const more of asking)
      expect((await consentTo(person, request(more))).html, JSON.stringify(more)).to.include('Allow')
    const other = await signedInPerson(service)
    const shown = await other.browser.open(request())
    expect(shown.answer.status).to.equal(403)
  })

  it('binds the token to the workspace that was picked, and takes no other', async () => {
    const other = (await signedInPerson(service)).tenant.workspaceId
    const page = await consentTo(person, agentRequest(agent))
    const refused = await page.decide('allow', other)
    expect(refused.status).to.equal(403)
    expect(await refused.text()).to.include('Choose a workspace')
  })

  it('16 39: two authorizations in two tabs finish independently', async () => {
    const [first, second] = [
      await consentTo(person, agentRequest(agent, { state: 'first' })),
      await consentTo(person, agentRequest(agent, { state: 'second' })),
    ]
    const states = [targetOf(await second.decide('allow')), targetOf(await first.decide('allow'))]
    expect(states.map(({ searchParams }) => searchParams.get('state'))).to.deep.equal(['second', 'first'])
    for (const target of states)
      expect((await exchange(agent, { code: target.searchParams.get('code')! })).status).to.equal(200)
  })

  it('16 39: a page that was answered, is too old, or of another browser starts again with the same request', async () => {
    const request = agentRequest(agent, { scope: 'contacts:read', state: 'kept' })
    const page = await consentTo(person, request)
    const first = targetOf(await page.decide('allow'))
    const startsAgain = async (answer: Response) => {
      expect(answer.status).to.equal(410)
      const [, again = ''] = /<a href="([^"]*)">Start again/.exec(await answer.text()) ?? []
      return (await consentTo(person, again.replaceAll('&amp;', '&'))).html
    }
    expect(await startsAgain(await person.browser.fetch(page.path))).to.include('See contacts')
    // The same form again is a button that was pressed twice.
    expect(targetOf(await page.decide('allow')).href).to.equal(first.href)
    expect(await startsAgain(await page.decide('deny'))).to.include('See contacts')
    const other = await consentTo(person, request)
    expect((await new Browser(origin).fetch(other.path)).status).to.equal(410)
    const { interaction, uid } = { interaction: 'oauth/Interaction', uid: /consent\/([\w-]+)/.exec(other.path)![1]! }
    await service.background.stores.shortTerm.take({ kind: interaction, key: hashToken(uid) }, Date.now())
    expect(await startsAgain(await other.decide('allow'))).to.include('See contacts')
  })

  it('16 39: a cookie from before, or of nobody, is replaced', async () => {
    const browser = new Browser(origin)
    for (const { name, path, value } of person.browser.cookies()) browser.set(name, value, path)
    for (const name of ['mr_oauth', 'mr_oauth_request', 'mr_oauth_resume']) browser.set(name, 'former')
    expect((await allow({ browser }, agentRequest(agent))).searchParams.get('code')).to.be.a('string')
  })

  it('refuses a form without its token, of another person, or from another site', async () => {
    const page = await consentTo(person, agentRequest(agent))
    const fields = { workspace_id: String(person.tenant.workspaceId), decision: 'allow' }
    const send = (body: Record<string, string>, headers: Record<string, string> = {}) =>
      person.browser.fetch(page.path, { method: 'POST', body: new URLSearchParams(body), headers })
    const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page.html) ?? []
    const [, foreign = ''] =
      /name="form_token" value="([^"]*)"/.exec(
        (await consentTo(await signedInPerson(service), agentRequest(agent))).html,
      ) ?? []
    expect((await send(fields)).status).to.equal(403)
    expect((await send({ ...fields, form_token: foreign })).status).to.equal(403)
    const site = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await send({ ...fields, form_token: token }, site)).status).to.equal(403)
    expect((await send({ ...fields, form_token: token })).status).to.equal(303)
  })

  it('answers a form that cannot be read with a page, and decides nothing', async () => {
    const page = await consentTo(person, agentRequest(agent))
    const send = (body: string) =>
      person.browser.fetch(page.path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const refused: readonly [body: string, status: number][] = [
      ['decision=%ff', 400],
      [`decision=${'a'.repeat(65_537)}`, 413],
    ]
    for (const [body, status] of refused) {
      const answer = await send(body)
      expect(answer.status).to.equal(status)
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8')
      expect(await answer.text()).to.include('That was not done')
    }
    expect(targetOf(await page.decide('allow')).searchParams.get('code')).to.be.a('string')
  })
})
