import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { byForm, patience } from '../reliability/form.ts'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { openStripeDouble, STRIPE_KEY } from '../support/payments/stripe-double.ts'
import { openTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'
import { startTestService, type Tenant } from '../support/service.ts'
import { buyerOn } from './support/buyer.ts'
import { openSellingSite, type SellingSite } from './support/selling-site.ts'
import { pause } from './support/visitor.ts'

/** How long something is away. */
const OUTAGE_MS = byForm(2000, 60_000)

const portOf = (url: string): number => Number(new URL(url).port)

describe(`outages, as a buyer in Chromium sees them${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, function () {
  this.timeout(patience)
  let stripe: Awaited<ReturnType<typeof openStripeDouble>>
  let gateway: TcpProxy
  let sdk: TcpProxy
  let sdkPort: number
  let tenant: Tenant
  let site: SellingSite
  let browser: Browser

  before(async function () {
    if (WHY_NOT) this.skip()
    stripe = await openStripeDouble()
    gateway = await openTcpProxy(portOf(stripe.url))
    // Where it leads is known once the service has started.
    sdk = await openTcpProxy(0)
    const sdkUrl = `http://127.0.0.1:${sdk.port}`
    const service = await startTestService({
      MILLRACE_STRIPE_URL: `http://127.0.0.1:${gateway.port}`,
      MILLRACE_SDK_URL: sdkUrl,
    })
    sdkPort = portOf(service.sdkUrl)
    await sdk.cut()
    await sdk.mend(sdkPort)
    tenant = await service.tenant()
    const account = { name: 'Main', provider: 'stripe', secret_key: STRIPE_KEY, publishable_key: 'pk_test_1' }
    const path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
    const { id } = ok(await tenant.api.post(path, { payments_gateway_account: account }))
    site = await openSellingSite({ ...service, sdkUrl }, tenant, { gateway_account_id: id })
    browser = await startChromium()
  })
  afterEach(() => stripe?.behaves('answers'))
  after(async () => {
    await browser?.close()
    site?.close()
    await Promise.all([stripe?.close(), gateway?.cut(), sdk?.cut()])
  })

  const open = async (): Promise<{ readonly page: Page; readonly errors: string[] }> => {
    const context = await browser.newContext()
    await context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ path: 'test/browser/stand-ins/stripe.js' }),
    )
    await context.addInitScript(`window.standInToken = () => 'pm_${randomUUID()}'`)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    return { page, errors }
  }
  const fillIn = async (page: Page) => {
    const buyer = buyerOn(page)
    await page.getByLabel('Country').waitFor()
    await buyer.ship('DE')
    await buyer.email(`${randomUUID()}@example.com`)
    await page.getByLabel('First name').fill('Ana')
    await page.getByLabel('Last name').fill('Lima')
    await page.getByLabel('Stripe card number').fill('4242 4242 4242 4242')
  }
  const isChecked = (page: Page) => page.getByText('The payment is being checked').waitFor({ timeout: 30_000 })
  /** Expects that one more thing was sold and charged than before. */
  const soldOnce = async (orders: number, charges: number) => {
    expect((await site.orders()).length).to.equal(orders + 1)
    expect(stripe.charges.slice(charges).map(({ amount, status }) => [amount, status])).to.deep.equal([
      [1250, 'succeeded'],
    ])
  }

  it('the gateway is away in the middle of a checkout: it is being checked, charged once, and the buyer led on', async () => {
    const [orders, charges] = [(await site.orders()).length, stripe.charges.length]
    const { page, errors } = await open()
    await page.goto(site.buy.url)
    await fillIn(page)
    await gateway.cut()
    await buyerOn(page).pay()
    await isChecked(page)
    expect(await page.getByRole('button', { name: 'Pay' }).isDisabled()).to.equal(true)
    await pause(OUTAGE_MS)
    expect(stripe.charges.length).to.equal(charges)
    await gateway.mend(portOf(stripe.url))
    await page.waitForURL('**/more*', { timeout: 2 * OUTAGE_MS + 60_000 })
    await soldOnce(orders, charges)
    expect(errors).to.deep.equal([])
  })

  it('the gateway has charged, and is away before it can say so: charged once all the same', async () => {
    const [orders, charges] = [(await site.orders()).length, stripe.charges.length]
    const { page, errors } = await open()
    await page.goto(site.buy.url)
    await fillIn(page)
    stripe.behaves('acts and cuts', '/v1/payment_intents')
    await buyerOn(page).pay()
    await eventually(async () => expect(stripe.charges.length).to.equal(charges + 1))
    await gateway.cut()
    stripe.behaves('answers')
    await isChecked(page)
    await page.reload()
    await isChecked(page)
    await pause(OUTAGE_MS)
    await gateway.mend(portOf(stripe.url))
    await page.waitForURL('**/more*', { timeout: 2 * OUTAGE_MS + 60_000 })
    await soldOnce(orders, charges)
    expect(errors).to.deep.equal([])
  })

  it('the host of the SDK is away when a page is opened: it works as without the SDK, and whole after a reload', async () => {
    const { page, errors } = await open()
    await sdk.cut()
    await page.goto(site.buy.url)
    await page.getByLabel('E-mail').fill('ana@example.com')
    expect(await page.evaluate('typeof CfSdk')).to.equal('undefined')
    await page.getByRole('button', { name: 'Pay' }).click()
    await pause(OUTAGE_MS)
    expect(page.url()).not.to.include('ana')
    // The page's own script calls the SDK, which is not there.
    expect(errors.filter((error) => !error.includes('CfSdk is not defined'))).to.deep.equal([])
    await sdk.mend(sdkPort)
    const [orders, charges] = [(await site.orders()).length, stripe.charges.length]
    await page.goto(site.buy.url)
    await fillIn(page)
    await buyerOn(page).pay()
    await page.waitForURL('**/more*')
    await soldOnce(orders, charges)
  })

  it('the host of the SDK is away when the buyer pays: they are told, and pressing again buys once', async () => {
    const [orders, charges] = [(await site.orders()).length, stripe.charges.length]
    const { page, errors } = await open()
    await page.goto(site.buy.url)
    await fillIn(page)
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 1250)`)
    await sdk.cut()
    await buyerOn(page).pay()
    await page.getByRole('alert').getByText(/./).first().waitFor()
    await pause(OUTAGE_MS)
    expect(page.url()).to.equal(site.buy.url)
    await sdk.mend(sdkPort)
    await buyerOn(page).pay()
    await page.waitForURL('**/more*')
    await soldOnce(orders, charges)
    expect(errors).to.deep.equal([])
  })
})
