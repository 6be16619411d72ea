import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ok } from '../support/client.ts'
import { type SdkFunnel, type SdkPage, sdkFunnel } from '../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { ASKS, buyerOn, DECLINED, GOOD } from './support/buyer.ts'
import { CHECKOUT, OFFER } from './support/markup.ts'
import { WHY_NOT } from './support/visitor.ts'

/** Chooses the first price that the page sells, as a page's own script does. */
const CHOOSE = `<script>addEventListener('DOMContentLoaded', async () => {
  const { products: [{ variants: [{ id, prices: [price] }] }] } = await CfSdk.products()
  CfSdk.checkout.setQuantity(id, price.id, 1)
  CfSdk.checkout.onOtoOutcome((outcome) => (window.outcome = outcome))
})</script>`

describe('checkout and offer in Chromium, against the server', () => {
  let service: TestService
  let tenant: Tenant
  let funnel: SdkFunnel
  let browser: Browser
  let author: Server
  const bodies = new Map<string, string>()

  const sells = async (page: SdkPage, amount: string, physical: boolean): Promise<string> => {
    const { api, workspaceId } = tenant
    const made = ok(await api.post(`/workspaces/${workspaceId}/products`, { product: { name: 'Mug' } }))
    const variant = made.default_variant_id
    if (physical) ok(await api.put(`/products/variants/${variant}`, { products_variant: { product_type: 'physical' } }))
    const { id } = ok(await api.post(`/products/variants/${variant}/prices`, { products_price: { amount } }))
    ok(await api.put(`/pages/${page.id}`, { page: { show_page_step: { product_ids: [made.id] } } }))
    const { publicIds } = service.background.stores
    return `${publicIds.of('products/variant').encode(variant)}|${publicIds.of('products/price').encode(id)}`
  }

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    tenant = await service.tenant({ test: true })
    author = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        bodies.get(request.url ?? '') ?? '<!doctype html><html lang="en"><title>Thanks</title><h1>Thanks</h1>',
      )
    }).listen(0, '127.0.0.1')
    await once(author, 'listening')
    const { port } = author.address() as AddressInfo
    const urls = [`http://shop.test:${port}/buy`, `http://offers.test:${port}/more`, `http://shop.test:${port}/thanks`]
    funnel = await sdkFunnel(tenant, urls, false)
    ok(await tenant.api.put(`/funnels/${funnel.id}/checkout`, { checkout: { enabled: true } }))
    await sells(funnel.pages[0]!, '12.50', true)
    const offered = await sells(funnel.pages[1]!, '7.00', true)
    const html = ({ token }: SdkPage, body: string) => `<!doctype html><html lang="en"><head><title>Page</title>
      <meta name="cf-page-token" content="${token}"><script defer src="${service.sdkUrl}/sdk.js"></script></head><body>${body}</body></html>`
    bodies.set('/buy', html(funnel.pages[0]!, CHECKOUT + CHOOSE))
    bodies.set('/more', html(funnel.pages[1]!, OFFER.replace('v_mug|p_mug', offered)))
    const args = ['--no-sandbox', '--host-resolver-rules=MAP *.test 127.0.0.1']
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
  })
  after(async () => {
    await browser?.close()
    author?.closeAllConnections()
    author?.close()
  })

  const orders = async () => ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders`))
  const visit = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    page.on('pageerror', (error) => {
      throw error
    })
    await page.goto(funnel.pages[0]!.url)
    return page
  }

  it('a declined card, a good one, the offer on another domain, and the way to the end', async () => {
    const before = (await orders()).length
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
    const made = (await orders()).slice(before)
    expect(made.map((order: { total_amount: string }) => order.total_amount)).to.deep.equal(['12.50', '7.00'])
    expect(made.map((order: { shipping_address_city: string }) => order.shipping_address_city)).to.deep.equal([
      'Berlin',
      'Berlin',
    ])
  })

  it('the bank asks: refused, then authorised', async () => {
    const before = (await orders()).length
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
    expect((await orders()).length).to.equal(before)
    await buyer.pay()
    await dialog.getByRole('button', { name: 'Authorise' }).click()
    await page.waitForURL('**/more*')
    await page.getByRole('button', { name: 'No' }).click()
    await page.waitForURL('**/thanks*')
    expect((await orders()).length).to.equal(before + 1)
  })

  it('an offer without a checkout before it is not sold', async () => {
    const before = (await orders()).length
    const page = await (await browser.newContext()).newPage()
    await page.goto(funnel.pages[1]!.url)
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForTimeout(1000)
    expect((await orders()).length).to.equal(before)
  })
})
