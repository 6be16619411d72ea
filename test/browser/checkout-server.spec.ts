import { expect } from 'chai'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROMIUM, WHY_NOT } from '../support/chromium.ts'
import { testService } from '../support/service.ts'
import { ASKS, buyerOn, DECLINED, GOOD } from './support/buyer.ts'
import { openSellingSite, type SellingSite } from './support/selling-site.ts'

describe('checkout and offer in Chromium, against the server', () => {
  let site: SellingSite
  let browser: Browser
  before(async function () {
    if (WHY_NOT) this.skip()
    const service = await testService()
    site = await openSellingSite(service, await service.tenant({ test: true }), {})
    const args = ['--no-sandbox', '--host-resolver-rules=MAP *.test 127.0.0.1']
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
  })
  after(async () => {
    await browser?.close()
    site?.close()
  })

  const visit = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
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
})
