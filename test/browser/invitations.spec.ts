import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { newPerson, PASSWORD } from '../support/account.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { expectAccessible, fill, headingOf, press, tabTo } from './support/keyboard.ts'

describe(`joining a team in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let tenant: Tenant
  let browser: Browser

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    tenant = await service.tenant()
    browser = await startChromium()
  })
  after(() => browser?.close())

  const at = (path: string): string => {
    const url = new URL(path, service.url)
    url.hostname = 'localhost'
    return url.href
  }
  const invite = async (email: string, role: 'admin' | 'member') =>
    (await service.background.users.invite({ email, role, teamId: tenant.teamId })).path
  const textOf = (page: Page) => page.locator('main').innerText()

  it('16 23–26: a new person joins, invites, looks after keys and leaves, by keyboard alone and without script', async () => {
    const team = `/account/teams/${tenant.teamId}`
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at(await invite('keyboard.person@example.com', 'admin')))
    await expectAccessible(page)
    await fill(page, 'first_name', 'Kim')
    await fill(page, 'last_name', 'Keys')
    await fill(page, 'password', 'short')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#password-problem')
    await expectAccessible(page)
    await fill(page, 'password', PASSWORD)
    await Promise.all([page.waitForURL(at(team)), page.keyboard.press('Enter')])
    expect(await textOf(page)).to.contain('Kim Keys')
    await expectAccessible(page)

    await fill(page, 'email', 'another.person@example.com')
    await tabTo(page, 'role')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Invite')
    expect(await textOf(page)).to.contain('another.person@example.com · Admin')
    await press(page, 'Withdraw')
    expect(await textOf(page)).to.not.contain('another.person@example.com')

    await press(page, 'API keys')
    await expectAccessible(page)
    await fill(page, 'label', 'From the keyboard')
    await press(page, 'Make a key')
    expect(await textOf(page)).to.match(/mr_[\w-]{40}/)
    await expectAccessible(page)

    await page.goto(at(team))
    await press(page, 'Leave')
    expect(await textOf(page)).to.contain('From the keyboard')
    await expectAccessible(page)
    await press(page, 'Leave the team')
    expect(page.url()).to.equal(at('/account'))
    expect(await textOf(page)).to.contain('You are in no team')
    await context.close()
  })

  it('16 23: somebody else who is signed in is asked to sign out, and then goes on as the invited person', async () => {
    const other = await newPerson(service)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at(await service.background.userLinks.issue(other.userId, 'first')))
    await press(page, `Sign in as ${other.address}`)
    await page.goto(at(await invite('somebody.else@example.com', 'member')))
    await expectAccessible(page)
    await press(page, `Sign out ${other.address}, and go on as somebody.else@example.com`)
    expect(await textOf(page)).to.contain('With this you open an account for somebody.else@example.com')
    expect(await headingOf(page)).to.contain('Invitation to')
    await page.goto(at('/account'))
    expect(await headingOf(page)).to.equal('Sign in')
    await context.close()
  })
})
