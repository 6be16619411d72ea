import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { coursesOf } from '../support/courses.ts'
import { askForLink } from '../support/member.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { type Shop, shopOf } from '../support/traffic/shop.ts'
import { expectAccessible, headingOf, press } from './support/keyboard.ts'

const BUYER = 'buyer.of.shop@example.com'

describe(`the members’ side in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let tenant: Tenant
  let shop: Shop
  let browser: Browser

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    tenant = await service.tenant({ test: true })
    shop = await shopOf(tenant)
    browser = await startChromium()
  })
  after(() => browser?.close())

  /** Returns an address of the members' side as this machine serves it. */
  const served = (address: string): string => {
    const url = new URL(address)
    url.port = new URL(service.publicUrl).port
    return url.href
  }
  it('15 86–95: a member signs in by a mail, completes a course, sees an order and cancels it, by keyboard alone and without script', async () => {
    const make = coursesOf(tenant)
    const { id: courseId, sections } = await make.taught(2)
    const [first, second] = sections[0]!.lessons
    for (const [lesson, title] of [
      [first, 'Wedging'],
      [second, 'Glazing'],
    ] as const)
      ok(
        await tenant.api.put(`/courses/lessons/${lesson}`, {
          courses_lesson: { title, lesson_content: `# How\n\n*${title}*` },
        }),
      )
    ok(await make.enroll(courseId, shop.contactId))
    const { order_id } = await shop.buys(
      await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months', self_cancel: true }),
    )
    await service.caughtUp()
    const link = await askForLink(service, tenant, BUYER)

    const context = await browser.newContext()
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(served(link))
    expect(page.url()).to.match(/\/members\/in$/)
    await expectAccessible(page)
    await press(page, 'Sign in as b…@e….com')
    expect(await headingOf(page)).to.equal('Welcome')
    await expectAccessible(page)

    await press(page, 'Courses')
    await expectAccessible(page)
    await press(page, 'Throwing')
    await expectAccessible(page)
    await press(page, 'Wedging')
    expect(await page.locator('main').innerText()).to.contain('How')
    await expectAccessible(page)
    await press(page, 'Mark as completed')
    await expectAccessible(page)
    await press(page, 'Next: Glazing')
    await press(page, 'Mark as completed')
    await press(page, 'All lessons of Throwing')
    expect(await page.locator('main').innerText())
      .to.contain('You have completed this course.')
      .and.contain('100 % completed')

    await press(page, 'Orders')
    await expectAccessible(page)
    await press(page, 'Order #1001')
    await expectAccessible(page)
    await press(page, 'Cancel the subscription')
    expect(await page.locator('main').innerText()).to.contain('You keep what it gives you until')
    await expectAccessible(page)
    await press(page, 'Cancel it')
    expect(await page.locator('main').innerText()).to.contain('Ends on')
    expect((await shop.order(Number(order_id))).service_status).to.equal('canceled')

    await press(page, 'Mail')
    await expectAccessible(page)
    await press(page, 'Sign out')
    expect(await headingOf(page)).to.equal('You are signed out')
    await expectAccessible(page)
    const { origin } = new URL(page.url())
    expect(asked.filter((url) => new URL(url).origin !== origin)).to.deep.equal([])
    await context.close()
  })

  it('15 87 91: a used, a changed and another member’s link open nothing', async () => {
    await service.caughtUp()
    const link = await askForLink(service, tenant, BUYER)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(served(link.replace(/.{4}$/, 'AAAA')))
    expect(await headingOf(page)).to.equal('This link does not work')
    await expectAccessible(page)
    await page.goto(served(link))
    await press(page, 'Sign in as b…@e….com')
    const other = await browser.newContext()
    const stranger = await other.newPage()
    await stranger.goto(served(link))
    expect(await headingOf(stranger)).to.equal('This link does not work')
    await stranger.goto(served(new URL('/members/orders', link).href))
    expect(await headingOf(stranger)).to.equal('Sign in')
    await expectAccessible(stranger)
    await context.close()
    await other.close()
  })
})
