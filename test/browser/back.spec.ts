import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { buyerOn, GOOD } from './support/buyer.ts'
import { openSellingSite, type SellingSite } from './support/selling-site.ts'

for (const [how, keepsPages] of [
  ['loads pages again', false],
  ['keeps pages in memory', true],
] as const)
  describe(`Back on the pages of a funnel, where Chromium ${how}${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
    let service: TestService
    let tenant: Tenant
    let site: SellingSite
    let browser: Browser
    let page: Page
    before(async function () {
      if (WHY_NOT) this.skip()
      service = await testService()
      tenant = await service.tenant({ test: true })
      site = await openSellingSite(service, tenant, {})
      browser = await startChromium({ keepsPages })
    })
    after(async () => {
      await browser?.close()
      site?.close()
    })
    beforeEach(async () => {
      page = await (await browser.newContext()).newPage()
      await page.goto(new URL('/start', site.buy.url).href)
      await page.evaluate(`location.href = '/buy'`)
      await page.getByLabel('Country').waitFor()
      const buyer = buyerOn(page)
      await buyer.ship('DE')
      await buyer.email('ana@example.com')
      await buyer.type(GOOD)
      await buyer.pay()
      await page.waitForURL('**/more*')
      await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    })
    afterEach(() => page?.context().close())

    /** Goes Back until the page before the checkout. @returns where each step ended */
    const goesBack = async (end: string): Promise<readonly string[]> => {
      const ended: string[] = []
      while (ended.at(-1) !== '/start' && ended.length < 5) {
        await page.evaluate('window.isLeft = true; setTimeout(() => history.back())')
        // A page that comes back from memory is not loaded, and the address alone does not tell it from the one that was left.
        const isThere = `!window.isLeft && document.readyState === 'complete' && /^.(start|${end})/.test(location.pathname)`
        await until(() => page.evaluate(isThere).catch(() => false))
        ended.push(await page.evaluate('location.pathname'))
      }
      return ended
    }

    it('leads from an open offer to what was before the checkout, and sells nothing again', async () => {
      const before = (await site.orders()).length
      expect(await goesBack('more')).to.deep.equal(['/more', '/start'])
      expect((await site.orders()).length).to.equal(before)
    })

    for (const answer of ['Yes', 'No'])
      it(`leads on from an offer that was answered by ${answer}, and then to what was before the checkout`, async () => {
        const before = (await site.orders()).length
        await page.getByRole('button', { name: answer }).click()
        await page.waitForURL('**/thanks*')
        expect(await goesBack('thanks')).to.deep.equal(['/thanks', '/thanks', '/start'])
        expect((await site.orders()).length).to.equal(before + (answer === 'Yes' ? 1 : 0))
      })
  })
