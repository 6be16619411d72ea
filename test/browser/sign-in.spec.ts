import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { linkOf, newPerson, PASSWORD, type Person, withPassword } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { startTestService, type TestService, testService } from '../support/service.ts'
import { expectAccessible, fill, headingOf, press } from './support/keyboard.ts'

describe(`signing in in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let browser: Browser

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    browser = await startChromium()
  })
  after(() => browser?.close())

  /** Returns an address of the service under a name that the browser is given. */
  const at = (path: string, name = 'localhost'): string => {
    const url = new URL(path, service.url)
    url.hostname = name
    return url.href
  }

  /** Opens a link in a new browser without anything, and presses its button. */
  const entered = async (person: Person, name = 'localhost') => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at(new URL(await linkOf(service, person)).pathname, name))
    await press(page, `Sign in as ${person.address}`)
    return { context, page }
  }

  /** Serves a page of another host or port. */
  const serve = (context: BrowserContext, origin: string, body: string) =>
    context.route(`${origin}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>x</title>${body}` }),
    )

  const signInBy = async (page: Page, address: string, password: string) => {
    await fill(page, 'address', address)
    await fill(page, 'password', password)
    await press(page, 'Sign in')
  }

  it('16 1–15: a person gets in by a link, sets a password and signs in with it, by keyboard alone and without script', async () => {
    const person = await newPerson(service)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at(new URL(await linkOf(service, person)).pathname))
    expect(page.url()).to.equal(at('/in'))
    await expectAccessible(page)
    await press(page, `Sign in as ${person.address}`)
    expect(page.url()).to.equal(at('/account'))
    expect(await headingOf(page)).to.equal('Your account')
    await expectAccessible(page)

    await press(page, 'Choose a password')
    await fill(page, 'password', 'short')
    await press(page, 'Set the password')
    expect(await page.locator('main').innerText()).to.contain('at least 10 characters')
    await expectAccessible(page)
    await fill(page, 'password', PASSWORD)
    await press(page, 'Set the password')
    expect(await headingOf(page)).to.equal('The password was set')
    await expectAccessible(page)

    await press(page, 'Sign out')
    expect(await headingOf(page)).to.equal('You are signed out')
    await expectAccessible(page)
    await page.goto(at('/account/password'))
    expect(await headingOf(page)).to.equal('Sign in')
    await signInBy(page, person.address, 'wrong password')
    expect(await page.locator('main').innerText()).to.contain('not right')
    await expectAccessible(page, ['/account/passkeys.js'])
    await signInBy(page, person.address.toUpperCase(), PASSWORD)
    expect(page.url()).to.equal(at('/account/password'))
    await expectAccessible(page)
    await context.close()
  })

  it('16 9: keeps the cookie under a name of the network without TLS', async () => {
    const person = await newPerson(service)
    const { context, page } = await entered(person, 'shop.local')
    expect(page.url()).to.equal(at('/account', 'shop.local'))
    await context.close()
  })

  it('16 9: says why nobody is signed in, where the browser drops a cookie that is for TLS', async () => {
    const secure = await startTestService({ MILLRACE_API_URL: 'https://accounts.example.com' })
    const person = await newPerson(secure)
    await withPassword(secure, person)
    const context = await browser.newContext()
    const page = await context.newPage()
    const url = new URL('/sign-in', secure.url)
    url.hostname = 'shop.local'
    await page.goto(url.href)
    await signInBy(page, person.address, PASSWORD)
    expect(await headingOf(page)).to.equal('Your browser did not keep the cookie')
    expect(await page.locator('main').innerText()).to.contain('https://accounts.example.com')
    await expectAccessible(page)
    await context.close()
  })

  it('16 10: a script on another port of the host does not change who is signed in', async () => {
    const person = await newPerson(service)
    const { context, page } = await entered(person)
    await serve(context, 'http://localhost:9', '')
    await page.goto('http://localhost:9/')
    await page.evaluate(`for (const path of ['/', '/account', '/sign-in'])
      document.cookie = 'mr_session=${person.userId}.${'x'.repeat(43)}; path=' + path`)
    await page.goto(at('/account'))
    expect(await headingOf(page)).to.equal('Your account')
    await context.close()
  })

  it('16 11: whoever comes from another site is recognised, and forms of other sites and ports are refused', async () => {
    const person = await newPerson(service)
    const { context, page } = await entered(person)
    await serve(context, 'http://evil.example', `<a href="${at('/account')}">Go</a>`)
    await page.goto('http://evil.example/')
    await press(page, 'Go')
    expect(await headingOf(page)).to.equal('Your account')
    const token = await page.locator('form[action="/sign-out"] input').getAttribute('value')
    const form = `<form method="post" action="${at('/sign-out')}"><input type="hidden" name="form_token" value="${token}"><button>Send</button></form>`
    for (const origin of ['http://evil.example', 'http://localhost:9']) {
      await context.unroute('http://evil.example/**')
      await serve(context, origin, form)
      await page.goto(`${origin}/`)
      await press(page, 'Send')
      expect(await headingOf(page), origin).to.match(/^(That was not done|Sign in)$/)
      await page.goto(at('/account'))
      expect(await headingOf(page), origin).to.equal('Your account')
    }
    await context.close()
  })
})
