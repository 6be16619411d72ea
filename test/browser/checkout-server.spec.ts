import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { type Tenant, testService } from '../support/service.ts'
import { ASKS, buyerOn, DECLINED, GOOD } from './support/buyer.ts'
import { openSellingSite, type SellingSite } from './support/selling-site.ts'

describe('checkout and offer in Chromium, against the server', () => {
  let site: SellingSite
  let tenant: Tenant
  let browser: Browser
  before(async function () {
    if (WHY_NOT) this.skip()
    const service = await testService()
    tenant = await service.tenant({ test: true })
    site = await openSellingSite(service, tenant, {})
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    site?.close()
  })

  const visit = async (prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Page> => {
    const context = await browser.newContext()
    await prepare?.(context)
    const page = await context.newPage()
    page.on('pageerror', (error) => {
      throw error
    })
    await page.goto(site.buy.url)
    return page
  }

  it('a declined card, a good one, the offer on another domain, and the way to the end', async () => {
    const before = (await site.orders()).length
    const page = await visit()
    const buyer = buyerOn(page)
    await page.getByLabel('Country').waitFor()
    await buyer.ship('DE')
    await buyer.email('ana@example.com')
    await buyer.type(DECLINED)
    await buyer.pay()
    await page
      .getByRole('alert')
      .getByText(/declined/)
      .waitFor()
    await buyer.type(GOOD)
    await buyer.pay()
    await page.waitForURL('**/more*')
    const yes = page.getByRole('button', { name: 'Yes' })
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await yes.click()
    await page.waitForURL('**/thanks*')
    const made = (await site.orders()).slice(before)
    expect(made.map((order) => order.total_amount)).to.deep.equal(['12.50', '7.00'])
    expect(made.map((order) => order.shipping_address_city)).to.deep.equal(['Berlin', 'Berlin'])
  })

  it('the bank asks: refused, then authorised', async () => {
    const before = (await site.orders()).length
    const page = await visit()
    const buyer = buyerOn(page)
    await page.getByLabel('Country').waitFor()
    await buyer.ship('DE')
    await buyer.email('bea@example.com')
    await buyer.type(ASKS)
    await buyer.pay()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Refuse' }).click()
    await page
      .getByRole('alert')
      .getByText(/confirm/)
      .waitFor()
    expect((await site.orders()).length).to.equal(before)
    await buyer.pay()
    await dialog.getByRole('button', { name: 'Authorise' }).click()
    await page.waitForURL('**/more*')
    await page.getByRole('button', { name: 'No' }).click()
    await page.waitForURL('**/thanks*')
    expect((await site.orders()).length).to.equal(before + 1)
  })

  it('an offer without a checkout before it is not sold', async () => {
    const before = (await site.orders()).length
    const page = await (await browser.newContext()).newPage()
    await page.goto(site.more.url)
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForTimeout(1000)
    expect((await site.orders()).length).to.equal(before)
  })

  const buys = async (page: Page, email: string) => {
    const buyer = buyerOn(page)
    await page.getByLabel('Country').waitFor()
    await buyer.ship('DE')
    await buyer.email(email)
    await buyer.type(GOOD)
    await buyer.pay()
    await page.waitForURL('**/more*')
  }

  it('13a-9: checkout and offer work where every visit is refused, and no path has a word that a blocker refuses', async () => {
    const before = (await site.orders()).length
    const asked: string[] = []
    const page = await visit((context) =>
      context.route('**/*', (route) => {
        const { pathname } = new URL(route.request().url())
        asked.push(pathname)
        return pathname === '/visits' ? route.abort() : route.continue()
      }),
    )
    await buys(page, 'blocker@example.com')
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL('**/thanks*')
    expect((await site.orders()).slice(before).map((order) => order.total_amount)).to.deep.equal(['12.50', '7.00'])
    expect(asked).to.include.members(['/visits', '/init', '/checkout/pay', '/trade', '/offer/accept'])
    expect(asked.some((path) => path.startsWith('/sdk/checkout'))).to.equal(true)
    // What follows /next/ is signed, and different each time.
    const names = asked.map((path) => path.replace(/^\/next\/.*/, '/next'))
    expect(names.filter((name) => /analytics|track|pixel|beacon|collect|event/i.test(name))).to.deep.equal([])
  })

  it('13a-12: a price from a cached init is shown and charged as it is by now', async () => {
    const before = (await site.orders()).length
    const page = await visit()
    const shown = `CfSdk.products().then(({ products }) => products[0].variants[0].prices[0].amount)`
    expect(Number(await page.evaluate(shown))).to.equal(12.5)
    const price = (amount: string) =>
      tenant.api.put(`/products/prices/${site.priceId}`, { products_price: { amount } }).then(ok)
    await price('15.00')
    try {
      await page.goto('about:blank')
      await page.goto(site.buy.url)
      expect(Number(await page.evaluate(shown)), 'init comes from the cache').to.equal(12.5)
      await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 1500)`)
      await buys(page, 'cached@example.com')
      const made = (await site.orders()).slice(before)
      expect(made.map((order) => order.total_amount)).to.deep.equal(['15.00'])
    } finally {
      await price('12.50')
    }
  })
})
