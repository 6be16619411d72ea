import { expect } from 'chai'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { linkOf, newPerson, PASSWORD, type Person, withPassword } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { appOf, codeAfter } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { expectAccessible, fill, headingOf, press, tabTo } from './support/keyboard.ts'

const SCRIPTS = ['/account/passkeys.js']

describe(`second factors in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let browser: Browser

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    browser = await startChromium()
  })
  after(() => browser?.close())

  const at = (path: string): string => {
    const url = new URL(path, service.url)
    url.hostname = 'localhost'
    return url.href
  }

  const textOf = (page: Page): Promise<string> => page.locator('main').innerText()

  const signInBy = async (page: Page, { address }: Person) => {
    await page.goto(at('/sign-in'))
    await fill(page, 'address', address)
    await fill(page, 'password', PASSWORD)
    await press(page, 'Sign in')
  }

  /** Opens a new browser of somebody who has a password. */
  const newPage = async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const failed: string[] = []
    page.on('console', (message) => {
      const isIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isIcon) failed.push(message.text())
    })
    page.on('pageerror', (error) => failed.push(error.message))
    return { context, page, failed }
  }

  const newSignedIn = async () => {
    const person = await newPerson(service)
    await withPassword(service, person)
    const opened = await newPage()
    await signInBy(opened.page, person)
    return { person, ...opened }
  }

  it('16 16–19: codes are turned on, asked for and turned off, by keyboard alone', async () => {
    const { person, context, page, failed } = await newSignedIn()
    await press(page, 'Security')
    await expectAccessible(page, SCRIPTS)
    await press(page, 'Turn codes on')
    await expectAccessible(page)
    expect((await page.locator('[role=img] svg').boundingBox())?.width).to.be.within(150, 400)
    const app = appOf(await page.content())
    await fill(page, 'code', '12345')
    await press(page, 'Turn codes on')
    expect(await textOf(page)).to.contain('This code is not right')
    await expectAccessible(page)
    const now = Date.now()
    await fill(page, 'code', codeAfter(app, now, 0))
    await press(page, 'Turn codes on')
    expect(await headingOf(page)).to.equal('Your recovery codes')
    await expectAccessible(page)
    const recovery = await page.locator('ol code').allInnerTexts()
    expect(recovery).to.have.length(10)
    await press(page, 'Sign out')
    expect(await headingOf(page)).to.equal('You are signed out')

    await signInBy(page, person)
    expect(await headingOf(page)).to.equal('Enter your code')
    await expectAccessible(page)
    await page.goto(at('/account'))
    expect(await headingOf(page)).to.equal('Sign in')
    await page.goto(at('/sign-in/code'))
    await fill(page, 'code', codeAfter(app, now, 1))
    await press(page, 'Sign in')
    expect(await headingOf(page)).to.equal('Your account')

    await context.clearCookies()
    await page.goto(at(new URL(await linkOf(service, person)).pathname))
    await press(page, `Sign in as ${person.address}`)
    expect(await headingOf(page)).to.equal('Enter your code')
    await press(page, 'I cannot use my app')
    await expectAccessible(page)
    await fill(page, 'code', recovery[0]!)
    await press(page, 'Sign in')
    expect(await headingOf(page)).to.equal('Your account')

    await press(page, 'Security')
    expect(await textOf(page)).to.contain('Recovery codes left: 9.')
    await expectAccessible(page, SCRIPTS)
    await press(page, 'Make new recovery codes')
    await expectAccessible(page)
    await fill(page, 'code', recovery[1]!)
    await press(page, 'Make new recovery codes')
    const [fresh = ''] = await page.locator('ol code').allInnerTexts()
    await press(page, 'I have kept them')
    await press(page, 'Turn codes off')
    await fill(page, 'code', fresh)
    await press(page, 'Turn codes off')
    expect(await textOf(page)).to.contain('Signing in by password or link takes nothing else.')
    // Answers that say what was wrong are no successes, which browsers note.
    expect(failed.filter((text) => !/ 422 /.test(text))).to.deep.equal([])
    await context.close()
  })

  /** Gives a browser an authenticator of its own, which verifies its user. */
  const authenticatorOf = async (page: Page, isUserVerified = true) => {
    const session: CDPSession = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified, automaticPresenceSimulation: true },
      },
    })
    return { session, authenticatorId }
  }

  it('16 18 20–22: a passkey is added, signs in without anything else, and is removed', async () => {
    const { context, page, failed } = await newSignedIn()
    const { session, authenticatorId } = await authenticatorOf(page)
    await press(page, 'Security')
    await fill(page, 'name', 'Phone')
    await press(page, 'Add a passkey')
    expect(await textOf(page)).to.match(/Phone\s.*never used/)
    await expectAccessible(page, SCRIPTS)
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials.map(({ rpId, isResidentCredential }) => ({ rpId, isResidentCredential }))).to.deep.equal([
      { rpId: 'localhost', isResidentCredential: true },
    ])

    await press(page, 'Sign out')
    await page.goto(at('/sign-in?to=%2Faccount%2Fsecurity'))
    await expectAccessible(page, SCRIPTS)
    await press(page, 'Sign in with a passkey')
    expect(page.url()).to.equal(at('/account/security'))
    expect(await textOf(page))
      .to.contain('last used')
      .and.contain('with a second factor')

    // A second passkey on the same authenticator is refused by the browser.
    await fill(page, 'name', 'Phone again')
    await tabTo(page, 'Add a passkey')
    await page.keyboard.press('Enter')
    await page.getByText('This device or key has a passkey for you already.').waitFor()

    await press(page, 'Remove Phone')
    expect(await textOf(page)).to.contain('You have no passkey.')
    await press(page, 'Sign out')
    await page.goto(at('/sign-in'))
    await press(page, 'Sign in with a passkey')
    expect(await textOf(page)).to.contain('This passkey is not known here')
    await expectAccessible(page, SCRIPTS)
    expect(failed.filter((text) => !/ 422 /.test(text))).to.deep.equal([])
    await context.close()
  })

  it('16 20: a passkey whose counter went back signs in', async () => {
    const { context, page } = await newSignedIn()
    const { session, authenticatorId } = await authenticatorOf(page)
    await press(page, 'Security')
    await fill(page, 'name', 'Phone')
    await press(page, 'Add a passkey')
    await press(page, 'Sign out')
    await page.goto(at('/sign-in'))
    await press(page, 'Sign in with a passkey')
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    expect(credential?.signCount).to.be.greaterThan(1)
    await session.send('WebAuthn.clearCredentials', { authenticatorId })
    await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 0 } })
    await press(page, 'Sign out')
    await page.goto(at('/sign-in'))
    await press(page, 'Sign in with a passkey')
    expect(await headingOf(page)).to.equal('Your account')
    await press(page, 'Security')
    expect(await textOf(page)).to.contain('Its counter went back on')
    await expectAccessible(page, SCRIPTS)
    await context.close()
  })

  it('16 21: an authenticator that cannot verify its user adds no passkey, and the page stays usable', async () => {
    const { context, page } = await newSignedIn()
    await authenticatorOf(page, false)
    await press(page, 'Security')
    await fill(page, 'name', 'Key')
    await tabTo(page, 'Add a passkey')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing was done. Try again when you are ready.').waitFor()
    await expectAccessible(page, SCRIPTS)
    await context.close()
  })

  it('passkeys are not shown without script, and everything else works', async () => {
    const person = await newPerson(service)
    await withPassword(service, person)
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(at('/sign-in'))
    expect(await page.getByText('Sign in with a passkey').isVisible()).to.equal(false)
    await page.getByLabel('E-mail address').fill(person.address)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Security' }).click()
    expect(await textOf(page)).to.contain('This browser has no passkeys, or runs no scripts.')
    expect(await page.getByText('Add a passkey').isVisible()).to.equal(false)
    await context.close()
  })

  it('16 12: nobody is signed in after signing out, whatever the browser goes back to', async () => {
    const { context, page } = await newSignedIn()
    await press(page, 'Security')
    const [stolen] = (await context.cookies()).filter(({ name }) => name === 'mr_session')
    await press(page, 'Sign out')
    await page.goBack()
    await page.reload()
    expect(await headingOf(page)).to.equal('Sign in')
    await context.addCookies([stolen!])
    await page.goto(at('/account'))
    expect(await headingOf(page)).to.equal('Sign in')
    await context.close()
  })

  it('16 12: a session that somebody else put into the browser is not taken over by signing in', async () => {
    const attacker = await newSignedIn()
    const [planted] = (await attacker.context.cookies()).filter(({ name }) => name === 'mr_session')
    const person = await newPerson(service)
    await withPassword(service, person)
    const { context, page } = await newPage()
    await context.addCookies([planted!])
    await page.goto(at('/account'))
    await press(page, 'Sign out')
    await context.addCookies([{ ...planted!, value: `${person.userId}.${'x'.repeat(43)}` }])
    await signInBy(page, person)
    const [own] = (await context.cookies()).filter(({ name }) => name === 'mr_session')
    expect(own!.value).not.to.be.oneOf([planted!.value, `${person.userId}.${'x'.repeat(43)}`])
    expect(await page.locator('footer').innerText()).to.contain(person.address)
    await attacker.context.close()
    await context.close()
  })

  it('sessions are listed and ended', async () => {
    const { person, context, page } = await newSignedIn()
    const other = await newPage()
    await signInBy(other.page, person)
    await press(page, 'Security')
    expect(await textOf(page))
      .to.contain('This browser')
      .and.contain('Another browser')
    await expectAccessible(page, SCRIPTS)
    await press(page, 'Sign out all other browsers')
    expect(await textOf(page)).not.to.contain('Another browser')
    await other.page.goto(at('/account'))
    expect(await headingOf(other.page)).to.equal('Sign in')
    await context.close()
    await other.context.close()
  })
})
