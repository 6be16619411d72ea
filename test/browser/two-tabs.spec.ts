import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { until } from '../support/eventually.ts'
import { recordMakers } from '../support/records.ts'
import { callOf, visit } from '../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { ASKS, buyerOn, GOOD } from './support/buyer.ts'
import { openSellingSite, type SellingSite } from './support/selling-site.ts'

describe(`checkout and offer in several tabs of Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let tenant: Tenant
  let site: SellingSite
  let browser: Browser
  let context: BrowserContext
  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    tenant = await service.tenant({ test: true })
    browser = await startChromium()
  })
  beforeEach(async () => {
    site = await openSellingSite(service, tenant, {})
    context = await browser.newContext()
  })
  afterEach(async () => {
    await context?.close()
    site?.close()
  })
  after(() => browser?.close())

  const open = async (url = site.buy.url): Promise<Page> => {
    const page = await context.newPage()
    page.on('pageerror', (error) => {
      throw error
    })
    await page.goto(url)
    return page
  }
  const pay = async (page: Page, card = GOOD, email = 'ana@example.com') => {
    const buyer = buyerOn(page)
    await page.getByLabel('Country').waitFor()
    await buyer.ship('DE')
    await buyer.email(email)
    await buyer.type(card)
    await buyer.pay()
  }
  const keeps = async (quantity: number) => {
    const location_id = await recordMakers['fulfillments/location']!.make(tenant)
    const stock = { variant_id: site.variantId, levels: [{ location_id, quantity }] }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/fulfillments/stocks`, { fulfillments_stock: stock }))
  }

  it('sell the last unit to a visitor who closed the tab in which the bank asked', async () => {
    await keeps(1)
    const closed = await open()
    await pay(closed, ASKS)
    await closed.getByRole('dialog').waitFor()
    await closed.close()
    const before = (await site.orders()).length
    const page = await open()
    await pay(page)
    await page.waitForURL('**/more*')
    expect((await site.orders()).length).to.equal(before + 1)
  })

  it('leave an open offer with its visitor where another tab has the session of somebody else', async () => {
    const before = (await site.orders()).length
    const page = await open()
    await pay(page)
    await page.waitForURL('**/more*')
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    const { body } = await callOf(service)('/visits', site.more, visit())
    await page.evaluate(`document.cookie = document.cookie.replace(/(=.{22}).*/, '$1${body.session};path=/')`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL('**/thanks*')
    const made = (await site.orders()).slice(before)
    expect(made.map(({ total_amount }) => total_amount)).to.deep.equal(['12.50', '7.00'])
  })

  it('sell the same cart once, and again only when the visitor says so', async () => {
    const before = (await site.orders()).length
    const [first, second] = [await open(), await open()]
    await pay(first)
    await first.waitForURL('**/more*')
    await pay(second)
    const dialog = second.getByRole('dialog', { name: 'Buy it again?' })
    await dialog.getByRole('button', { name: 'Do not buy' }).click()
    await second.getByRole('button', { name: 'Pay' }).click()
    await dialog.getByText('You bought this a minute ago').waitFor()
    expect((await site.orders()).length).to.equal(before + 1)
    await dialog.getByRole('button', { name: 'Buy it again' }).click()
    await second.waitForURL('**/more*')
    expect((await site.orders()).length).to.equal(before + 2)
  })

  it('lead on, from each page of the funnel, who first chose to stay there, and charge once', async () => {
    const before = (await site.orders()).length
    const page = await open()
    let choices = 0
    page.on('dialog', (dialog) => (choices++ % 2 === 0 ? dialog.dismiss() : dialog.accept()))
    const stays = async (name: string, act: () => Promise<void>, next: string) => {
      await page.evaluate(`addEventListener('beforeunload', (event) => event.preventDefault())`)
      const asked = choices
      await act()
      await until(() => choices === asked + 1)
      await page.locator(`button:enabled`, { hasText: name }).click()
      await page.waitForURL(next)
    }
    await stays('Pay', () => pay(page), '**/more*')
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await stays('Yes', () => page.getByRole('button', { name: 'Yes' }).click(), '**/thanks*')
    const made = (await site.orders()).slice(before)
    expect(made.map(({ total_amount }) => total_amount)).to.deep.equal(['12.50', '7.00'])
  })
})
