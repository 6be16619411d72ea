import type { Browser, BrowserContext, Page } from 'playwright-core'
import { linkOf, newPerson, PASSWORD, withPassword } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { destinationsIn } from '../support/destinations.ts'
import { eventually, until } from '../support/eventually.ts'
import { askForLink } from '../support/member.ts'
import { issuerOf, signedInPerson } from '../support/oauth.ts'
import { agentRequest, registeredAgent } from '../support/oauth-agents.ts'
import { keptMails } from '../support/owed-mails.ts'
import { callOf, sdkFunnel, submitOf, visit } from '../support/sdk-pages.ts'
import { turnOnCodes } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'

const LATENCY_MS = 800
const MEMBERS_URL = /\/members$/

/** Page with a button, and where pressing it is to end. */
interface Case {
  readonly url: string
  /** Fills the form in. */
  readonly fill?: (page: Page) => Promise<unknown>
  readonly button: string | RegExp
  readonly ends: RegExp
  /** What the page then says. Default: that somebody is signed in. */
  readonly says?: RegExp
  /** What it does is in the short-term store alone. */
  readonly isUnlogged?: true
  readonly cookies?: readonly { readonly name: string; readonly value: string }[]
}

describe(`buttons pressed twice in Chromium, over a slow line${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let browser: Browser
  let context: BrowserContext
  let page: Page

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    browser = await startChromium()
  })
  after(() => browser?.close())

  beforeEach(async () => {
    context = await browser.newContext()
    page = await context.newPage()
  })
  afterEach(() => context?.close())

  const at = (path: string): string => issuerOf(service) + path

  const linkFor = async (purpose: 'first' | 'reset') => {
    const { pathname } = new URL(await linkOf(service, await newPerson(service), purpose))
    return at(pathname)
  }

  const invited = async (email: string): Promise<string> => {
    const { teamId } = await service.tenant()
    return at((await service.background.users.invite({ teamId, email, role: 'member' })).path)
  }

  const cookiesOf = (jar: ReadonlyMap<string, string>) => [...jar].map(([name, value]) => ({ name, value }))

  const known = async () => {
    const person = await newPerson(service)
    return { person, own: await withPassword(service, person) }
  }

  const signInBy = async (address: string) => {
    await page.goto(at('/sign-in'))
    await page.getByLabel('E-mail address').fill(address)
    await page.getByLabel('Password').fill(PASSWORD)
  }

  const confirmation = async (): Promise<Case> => {
    const tenant = await service.tenant({ test: true })
    const [of] = (await sdkFunnel(tenant, ['https://slow.example/a', 'https://slow.example/b'], false)).pages
    ok(await tenant.api.put(`/pages/${of!.id}/opt_in`, { opt_in: { double: true } }))
    await service.caughtUp()
    const { body } = await callOf(service)('/visits', of!, visit())
    const { nonce } = (await callOf(service)('/nonce', of!, { session: body.session })).body
    await submitOf(service)(of!, { nonce, session: body.session }, [['email', 'slow@slow.example']])
    await waitUntilSettled(service)
    const [mail] = await keptMails(service, tenant, 'opt_in_confirmation')
    return { url: destinationsIn(mail!.html)[0]!, button: /./, ends: /./, says: /is confirmed/ }
  }

  const cases: Readonly<Record<string, () => Promise<Case>>> = {
    'signs in by a link': async () => ({ url: await linkFor('first'), button: /^Sign in as/, ends: /\/account$/ }),
    'sets a password by a link': async () => ({
      url: await linkFor('reset'),
      fill: (one) => one.getByLabel('New password').fill(PASSWORD),
      button: 'Set the password',
      ends: /\/account$/,
    }),
    'signs in by a password': async () => {
      const { person } = await known()
      return { url: at('/sign-in'), fill: () => signInBy(person.address), button: /^Sign in$/, ends: /\/account$/ }
    },
    'signs in by a code': async () => {
      const { person, own } = await known()
      const { next } = await turnOnCodes(own)
      const fill = async () => {
        await signInBy(person.address)
        await page.getByRole('button', { name: /^Sign in$/ }).click()
        await page.getByLabel('Code').fill(next)
      }
      return { url: at('/sign-in'), fill, button: /^Sign in$/, ends: /\/account$/ }
    },
    'signs in by a recovery code': async () => {
      const { person, own } = await known()
      const { recovery } = await turnOnCodes(own)
      const fill = async () => {
        await signInBy(person.address)
        await page.getByRole('button', { name: /^Sign in$/ }).click()
        await page.getByRole('link', { name: 'I cannot use my app' }).click()
        await page.getByLabel('Recovery code').fill(recovery[0]!)
      }
      return { url: at('/sign-in'), fill, button: /^Sign in$/, ends: /\/account$/ }
    },
    'signs in by a passkey': async () => {
      const { person } = await known()
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
          ...{ isUserVerified: true, automaticPresenceSimulation: true },
        },
      })
      await signInBy(person.address)
      await page.getByRole('button', { name: /^Sign in$/ }).click()
      await page.goto(at('/account/security'))
      await page.getByLabel('Name of the new passkey').fill('Phone')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('never used').waitFor()
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByText('Nobody is signed in').waitFor()
      return { url: at('/sign-in'), button: 'Sign in with a passkey', ends: /\/account$/ }
    },
    'changes the password': async () => {
      const { own } = await known()
      const fill = async (one: Page) => {
        await one.getByLabel('Present password').fill(PASSWORD)
        await one.getByLabel('New password').fill(`${PASSWORD} again`)
      }
      const cookies = cookiesOf(own.cookies)
      return { url: at('/account/password'), fill, button: 'Set the password', ends: /\/changed$/, cookies }
    },
    'accepts an invitation as somebody new': async () => ({
      url: await invited(`slow.${Date.now()}.${process.pid}@example.com`),
      fill: async (one) => {
        await one.getByLabel('First name').fill('Slow')
        await one.getByLabel('Last name').fill('Line')
      },
      button: /./,
      ends: /\/account\/teams\/\d+$/,
    }),
    'accepts an invitation while signed in': async () => {
      const { person, own } = await known()
      const url = await invited(person.address)
      return { url, button: /^Join/, ends: /\/account\/teams\/\d+$/, cookies: cookiesOf(own.cookies) }
    },
    'lets an agent in': async () => {
      const person = await signedInPerson(service)
      const agent = await registeredAgent(issuerOf(service), { redirect_uris: ['https://agent.example/callback'] })
      await context.route('https://agent.example/**', (route) => route.fulfill({ body: 'arrived' }))
      const url = issuerOf(service) + agentRequest(agent, { redirect_uri: 'https://agent.example/callback' })
      return {
        url,
        button: 'Allow',
        ends: /[?&]code=/,
        says: /arrived/,
        isUnlogged: true,
        cookies: person.browser.cookies(),
      }
    },
    'confirms an address': confirmation,
    'signs a member in': async () => {
      const tenant = await service.tenant()
      const email_address = `slow.${Date.now()}@far.example`
      ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } }))
      await service.caughtUp()
      const url = new URL(await askForLink(service, tenant, email_address))
      url.port = new URL(service.publicUrl).port
      return { url: url.href, button: /^Sign in as/, ends: MEMBERS_URL }
    },
  }

  /** Presses a button twice: at once, or again when the service has answered and the answer is on its way. */
  const pressTwice = async ({ button, isUnlogged }: Case, how: 'at once' | 'later'): Promise<void> => {
    const box = (await page.getByRole('main').getByRole('button', { name: button }).boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const { log } = service.background.stores
    const before = await log.lastPosition()
    if (how === 'at once') return page.mouse.dblclick(x, y)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.mouse.click(x, y)
    await sent
    if (!isUnlogged) await until(async () => (await log.lastPosition()) > before, 'the service has carried it out')
    await page.mouse.click(x, y)
  }

  for (const [what, prepared] of Object.entries(cases))
    for (const how of ['at once', 'later'] as const)
      it(`${what}, pressed twice (${how})`, async () => {
        const one = await prepared()
        if (one.cookies)
          await context.addCookies(one.cookies.map(({ name, value }) => ({ name, value, url: issuerOf(service) })))
        await page.goto(one.url)
        await one.fill?.(page)
        const slow = await context.newCDPSession(page)
        await slow.send('Network.enable')
        const line = { offline: false, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 }
        await slow.send('Network.emulateNetworkConditions', line)
        await pressTwice(one, how)
        // The first navigation is aborted, which is none of a failure here.
        const lands = one.says ?? /Sign out|was set/
        const isThere = async () => one.ends.test(page.url()) && lands.test(await page.locator('body').innerText())
        await eventually(async () => {
          if (!(await isThere().catch(() => false))) throw new Error(`it ended at ${page.url()}`)
        })
      })
})
