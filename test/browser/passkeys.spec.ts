import { expect } from 'chai'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { newPerson, PASSWORD, withPassword } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { type TestService, testService } from '../support/service.ts'
import { type AccountPages, accountPages, SCRIPTS, textOf } from './support/account-pages.ts'
import { expectAccessible, fill, headingOf, press, tabTo } from './support/keyboard.ts'

describe(`passkeys in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let browser: Browser
  let pages: AccountPages

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    browser = await startChromium()
    pages = accountPages(service, browser)
  })
  after(() => browser?.close())

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
    const { context, page, failed } = await pages.newSignedIn()
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
    await page.goto(pages.at('/sign-in?to=%2Faccount%2Fsecurity'))
    await expectAccessible(page, SCRIPTS)
    await press(page, 'Sign in with a passkey')
    expect(page.url()).to.equal(pages.at('/account/security'))
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
    await page.goto(pages.at('/sign-in'))
    await press(page, 'Sign in with a passkey')
    expect(await textOf(page)).to.contain('This passkey is not known here')
    await expectAccessible(page, SCRIPTS)
    expect(failed).to.deep.equal([])
    await context.close()
  })

  it('16 20: a passkey whose counter went back signs in', async () => {
    const { context, page } = await pages.newSignedIn()
    const { session, authenticatorId } = await authenticatorOf(page)
    await press(page, 'Security')
    await fill(page, 'name', 'Phone')
    await press(page, 'Add a passkey')
    await press(page, 'Sign out')
    await page.goto(pages.at('/sign-in'))
    await press(page, 'Sign in with a passkey')
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    expect(credential?.signCount).to.be.greaterThan(1)
    await session.send('WebAuthn.clearCredentials', { authenticatorId })
    await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 0 } })
    await press(page, 'Sign out')
    await page.goto(pages.at('/sign-in'))
    await press(page, 'Sign in with a passkey')
    expect(await headingOf(page)).to.equal('Your account')
    await press(page, 'Security')
    expect(await textOf(page)).to.contain('Its counter went back on')
    await expectAccessible(page, SCRIPTS)
    await context.close()
  })

  it('16 21: an authenticator that cannot verify its user adds no passkey, and the page stays usable', async () => {
    const { context, page } = await pages.newSignedIn()
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
    await page.goto(pages.at('/sign-in'))
    expect(await page.getByText('Sign in with a passkey').isVisible()).to.equal(false)
    await page.getByLabel('E-mail address').fill(person.address)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Security' }).click()
    expect(await textOf(page)).to.contain(
      'This browser has no passkeys, or runs no scripts. They work at http://localhost:',
    )
    expect(await page.getByText('Add a passkey').isVisible()).to.equal(false)
    await context.close()
  })

  it('16 22: passkeys are not offered at another name of the same machine', async () => {
    const { context, page } = await pages.newPage()
    const url = new URL(pages.at('/sign-in'))
    url.hostname = 'shop.local'
    await page.goto(url.href)
    expect(await headingOf(page)).to.equal('Sign in')
    expect(await page.getByText('Sign in with a passkey').isVisible()).to.equal(false)
    await context.close()
  })
})
