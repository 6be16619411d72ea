import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { linkOf, newPerson, withPassword } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { appOf, codeAfter } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { type AccountPages, accountPages, SCRIPTS, textOf } from './support/account-pages.ts'
import { expectAccessible, fill, headingOf, press } from './support/keyboard.ts'

describe(`second factors and sessions in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
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

  it('16 16–19: codes are turned on, asked for and turned off, by keyboard alone', async () => {
    const { person, context, page, failed } = await pages.newSignedIn()
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

    await pages.signInBy(page, person)
    expect(await headingOf(page)).to.equal('Enter your code')
    await expectAccessible(page)
    await page.goto(pages.at('/account'))
    expect(await headingOf(page)).to.equal('Sign in')
    await page.goto(pages.at('/sign-in/code'))
    await fill(page, 'code', codeAfter(app, now, 1))
    await press(page, 'Sign in')
    expect(await headingOf(page)).to.equal('Your account')

    await context.clearCookies()
    await page.goto(pages.at(new URL(await linkOf(service, person)).pathname))
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
    expect(failed).to.deep.equal([])
    await context.close()
  })

  it('16 12: nobody is signed in after signing out, whatever the browser goes back to', async () => {
    const { context, page } = await pages.newSignedIn()
    await press(page, 'Security')
    const [stolen] = (await context.cookies()).filter(({ name }) => name === 'mr_session')
    await press(page, 'Sign out')
    await page.goBack()
    await page.reload()
    expect(await headingOf(page)).to.equal('Sign in')
    await context.addCookies([stolen!])
    await page.goto(pages.at('/account'))
    expect(await headingOf(page)).to.equal('Sign in')
    await context.close()
  })

  it('16 12: a session that somebody else put into the browser is not taken over by signing in', async () => {
    const attacker = await pages.newSignedIn()
    const [planted] = (await attacker.context.cookies()).filter(({ name }) => name === 'mr_session')
    const person = await newPerson(service)
    await withPassword(service, person)
    const { context, page } = await pages.newPage()
    await context.addCookies([planted!])
    await page.goto(pages.at('/account'))
    await press(page, 'Sign out')
    await context.addCookies([{ ...planted!, value: `${person.userId}.${'x'.repeat(43)}` }])
    await pages.signInBy(page, person)
    const [own] = (await context.cookies()).filter(({ name }) => name === 'mr_session')
    expect(own!.value).not.to.be.oneOf([planted!.value, `${person.userId}.${'x'.repeat(43)}`])
    expect(await page.locator('footer').innerText()).to.contain(person.address)
    await attacker.context.close()
    await context.close()
  })

  it('sessions are listed and ended', async () => {
    const { person, context, page } = await pages.newSignedIn()
    const other = await pages.newPage()
    await pages.signInBy(other.page, person)
    await press(page, 'Security')
    expect(await textOf(page)).to.match(
      /This browser Chrome on Linux, signed in [\s\S]*Another browser Chrome on Linux, /,
    )
    await expectAccessible(page, SCRIPTS)
    await press(page, 'Sign out all other browsers')
    expect(await textOf(page)).not.to.contain('Another browser')
    await other.page.goto(pages.at('/account'))
    expect(await headingOf(other.page)).to.equal('Sign in')
    await context.close()
    await other.context.close()
  })
})
