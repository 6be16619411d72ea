import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PASSWORD, withPassword } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { issuerOf, type Person, signedInPerson } from '../support/oauth.ts'
import { type Agent, agentRequest, exchange, registeredAgent } from '../support/oauth-agents.ts'
import { makeApplication } from '../support/platform.ts'
import { type TestService, testService } from '../support/service.ts'
import { expectAccessible, fill, tabTo } from './support/keyboard.ts'

const ELSEWHERE = 'https://agent.example/callback'
const PRIVATE = 'cursor://anysphere.cursor-mcp/oauth/callback'

describe(`connecting applications in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let person: Person
  let browser: Browser
  let agent: Agent
  let listening: Server
  /** Address at which a program on this computer waits. */
  let callback: string
  let context: BrowserContext
  let page: Page

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    person = await signedInPerson(service)
    browser = await startChromium()
    agent = await registeredAgent(issuerOf(service), {
      redirect_uris: ['http://127.0.0.1/callback', ELSEWHERE, PRIVATE],
    })
    // The program leads on to another origin, as many do.
    listening = createServer(({ url = '', headers: { host = '' } }, answer) => {
      const home = `http://${host.replace('127.0.0.1', 'localhost')}${url.replace('/callback', '/home')}`
      if (url.startsWith('/callback')) answer.writeHead(302, { location: home }).end()
      else answer.end('arrived')
    }).listen(0, '127.0.0.1')
    await once(listening, 'listening')
    callback = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/callback`
  })

  after(async () => {
    await browser?.close()
    listening?.close()
  })

  beforeEach(async () => {
    context = await browser.newContext()
    const [session] = person.browser.cookies()
    await context.addCookies([{ name: session!.name, value: session!.value, url: issuerOf(service) }])
    await context.route('https://agent.example/**', (route) => route.fulfill({ body: 'arrived' }))
    page = await context.newPage()
  })

  afterEach(() => context?.close())

  const open = (redirect_uri: string, state: string) =>
    page.goto(issuerOf(service) + agentRequest(agent, { redirect_uri, state, scope: 'contacts:read' }))

  /** Presses a button, and waits until the browser is where it leads. */
  const pressFor = async (button: string, destination: RegExp): Promise<URL> => {
    await Promise.all([page.waitForURL(destination), page.getByRole('button', { name: button }).click()])
    return new URL(page.url())
  }

  it('16 36: Allow and Deny arrive at another origin', async () => {
    await open(ELSEWHERE, 'far')
    await expectAccessible(page)
    const allowed = await pressFor('Allow', /^https:\/\/agent\.example\/callback/)
    const code = allowed.searchParams.get('code')!
    expect((await exchange(agent, { code, redirect_uri: ELSEWHERE })).status).to.equal(200)
    await open(ELSEWHERE, 'far')
    const denied = await pressFor('Deny', /^https:\/\/agent\.example\/callback/)
    expect(denied.searchParams.get('error')).to.equal('access_denied')
  })

  it('16 36: Allow and Deny arrive at a program on this computer, whatever its port, even if that leads on to a further origin', async () => {
    await open(callback, 'near')
    const allowed = await pressFor('Allow', /^http:\/\/localhost:\d+\/home/)
    expect(allowed.searchParams.get('state')).to.equal('near')
    expect(await page.locator('body').innerText()).to.equal('arrived')
    await open(callback, 'near')
    expect((await pressFor('Deny', /^http:\/\/localhost:\d+\/home/)).searchParams.get('error')).to.equal(
      'access_denied',
    )
  })

  for (const [button, parameter] of [
    ['Allow', 'code'],
    ['Deny', 'error'],
  ] as const) {
    it(`16 36: ${button} opens a private scheme, and the page that stays leads there, too`, async () => {
      const requested: string[] = []
      const protocol = await context.newCDPSession(page)
      await protocol.send('Page.enable')
      protocol.on('Page.frameRequestedNavigation', ({ url }) => requested.push(url))
      await open(PRIVATE, 'scheme')
      await page.getByRole('button', { name: button }).click({ noWaitAfter: true })
      await until(() => requested.some((url) => url.startsWith(PRIVATE)))
      const went = new URL(requested.find((url) => url.startsWith(PRIVATE))!)
      expect(went.searchParams.has(parameter)).to.equal(true)
      expect(went.searchParams.get('state')).to.equal('scheme')
      const left = await page.content()
      expect(left).to.include('<h1>Back to the application</h1>')
      expect(left).to.include(`<a href="${went.href.replaceAll('&', '&amp;')}">Continue</a>`)
    })
  }

  it('16 36: an application that passes silently is reached from the form by which somebody signs in', async () => {
    const { tenant, userId } = await signedInPerson(service)
    const user = await service.background.stores.readModels.live.get('user', userId)
    const address = String(user?.email)
    await withPassword(service, { userId, address })
    const { client_id } = await makeApplication(tenant, { redirect_uris: [ELSEWHERE] })
    const more = { redirect_uri: ELSEWHERE, scope: 'read' }
    const request = issuerOf(service) + agentRequest({ origin: '', clientId: String(client_id) }, more)
    const signIn = async () => {
      await context.clearCookies()
      await page.goto(request)
      await fill(page, 'address', address)
      await fill(page, 'password', PASSWORD)
      await tabTo(page, 'Sign in')
      await page.keyboard.press('Enter')
    }
    await signIn()
    await pressFor('Allow', /^https:\/\/agent\.example\/callback/)
    await signIn()
    await page.waitForURL(/^https:\/\/agent\.example\/callback/)
  })

  it('16 36: is done by keyboard alone', async () => {
    await open(callback, 'keys')
    await tabTo(page, 'decision')
    await page.keyboard.press('Enter')
    await page.waitForURL(/^http:\/\/localhost:\d+\/home/)
  })
})
