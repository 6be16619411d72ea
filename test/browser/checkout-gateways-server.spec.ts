import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, WEBSITE } from '../support/payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY } from '../support/payments/stripe-double.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { buyerOn } from './support/buyer.ts'
import { openSellingSite, type SellingSite } from './support/selling-site.ts'

/** Tokens of the cards of one buyer, as the doubles of the gateways' servers know them, for the stand-ins of their scripts. */
const tokens = () => `window.standInToken = (start, digits) => ({
  4242: start === 'pm_' ? 'pm_${randomUUID()}' : 'card-${randomUUID()}',
  '0002': start === 'pm_' ? 'pm_declined' : 'declined-${randomUUID()}',
  3155: start === 'pm_' ? 'pm_authentication-${randomUUID()}' : 'authentication-${randomUUID()}',
})[digits]
window.stripeStandIn = { demandsGesture: true }`

describe('gateways in Chromium, against the server', () => {
  let stripe: Awaited<ReturnType<typeof openStripeDouble>>
  let rebilly: Awaited<ReturnType<typeof openRebillyDouble>>
  let service: TestService
  let tenant: Tenant
  let browser: Browser
  let site: SellingSite | undefined

  before(async function () {
    if (WHY_NOT) this.skip()
    stripe = await openStripeDouble()
    rebilly = await openRebillyDouble()
    service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url, MILLRACE_PAYMENTS_AI_URL: rebilly.url })
    tenant = await service.tenant({ test: true })
    browser = await startChromium()
  })
  afterEach(() => site?.close())
  after(async () => {
    await browser?.close()
    await Promise.all([stripe?.close(), rebilly?.close()])
  })

  const visit = async (account: object): Promise<Page> => {
    const path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
    const { id } = ok(await tenant.api.post(path, { payments_gateway_account: { name: 'Main', ...account } }))
    site = await openSellingSite(service, tenant, { gateway_account_id: id })
    const context = await browser.newContext()
    await context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ path: 'test/browser/stand-ins/stripe.js' }),
    )
    await context.route('https://framepay.payments.ai/*.js', (route) =>
      route.fulfill({ path: 'test/browser/stand-ins/framepay.js' }),
    )
    await context.route('https://framepay.payments.ai/*.css', (route) =>
      route.fulfill({ path: 'test/browser/stand-ins/framepay.css' }),
    )
    await context.route('https://bank.example/**', (route) => route.fulfill({ body: 'Bank' }))
    await context.addInitScript(tokens())
    const page = await context.newPage()
    await page.goto(site.buy.url)
    await page.getByLabel('Country').waitFor()
    const buyer = buyerOn(page)
    await buyer.ship('DE')
    await buyer.email(`${randomUUID()}@example.com`)
    await page.getByLabel('First name').fill('Ana')
    await page.getByLabel('Last name').fill('Lima')
    return page
  }
  /** Takes the offer with the card of the checkout, and checks that both were sold. */
  const finish = async (page: Page) => {
    await page.waitForURL('**/more*')
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL('**/thanks*')
    const sums = (await site!.orders()).slice(-2).map((order) => order.total_amount)
    expect(sums).to.deep.equal(['12.50', '7.00'])
  }

  it('Stripe: declined, then a good card, then the offer', async () => {
    const page = await visit({ provider: 'stripe', secret_key: STRIPE_KEY, publishable_key: 'pk_test_1' })
    const card = page.getByLabel('Stripe card number')
    await card.fill('4000 0000 0000 0002')
    await buyerOn(page).pay()
    await page
      .getByRole('alert')
      .getByText(/declined/)
      .waitFor()
    await card.fill('4242 4242 4242 4242')
    await buyerOn(page).pay()
    await finish(page)
  })

  it('61: Stripe: the bank asks, and the buyer answers', async () => {
    const page = await visit({ provider: 'stripe', secret_key: STRIPE_KEY, publishable_key: 'pk_test_1' })
    await page.getByLabel('Stripe card number').fill('4000 0025 0000 3155')
    page.once('dialog', (dialog) => {
      stripe.answersBank('approved')
      void dialog.accept()
    })
    await buyerOn(page).pay()
    await page.waitForURL('**/more*')
  })

  const onStripe = { provider: 'stripe', secret_key: STRIPE_KEY, publishable_key: 'pk_test_1' }

  it('Stripe: a page that is loaded again while the bank asks lets the buyer answer', async () => {
    const page = await visit(onStripe)
    await page.getByLabel('Stripe card number').fill('4000 0025 0000 3155')
    await page.evaluate(`stripeStandIn.bank = 'waits'`)
    await buyerOn(page).pay()
    await page.waitForFunction(`stripeCalls.some(([name]) => name === 'handleNextAction')`)
    page.once('dialog', (dialog) => {
      stripe.answersBank('approved')
      void dialog.accept()
    })
    await page.reload()
    await page.waitForURL('**/more*')
    expect(stripe.charges.at(-1)?.status).to.equal('succeeded')
  })

  it('Stripe: the bank asks on an offer as well, and a reload there does not lose the question', async () => {
    const page = await visit(onStripe)
    const approves = () =>
      page.once('dialog', (dialog) => {
        stripe.answersBank('approved')
        void dialog.accept()
      })
    await page.getByLabel('Stripe card number').fill('4000 0025 0000 3155')
    approves()
    await buyerOn(page).pay()
    await page.waitForURL('**/more*')
    await page.waitForFunction(`CfSdk.checkout.currentState().then(({ totals }) => totals.total === 700)`)
    await page.evaluate(`stripeStandIn.bank = 'waits'`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForFunction(`window.stripeCalls?.some(([name]) => name === 'handleNextAction')`)
    approves()
    await page.reload()
    await page.waitForURL('**/thanks*')
    const sums = (await site!.orders()).slice(-2).map((order) => order.total_amount)
    expect(sums).to.deep.equal(['12.50', '7.00'])
  })

  const onPaymentsAi = {
    provider: 'payments_ai',
    secret_key: REBILLY_KEY,
    publishable_key: 'pk_sandbox_1',
    external_organization_id: ORGANIZATION,
    external_website_id: WEBSITE,
  }

  it('Payments AI: declined, then a good card, then the offer', async () => {
    const page = await visit(onPaymentsAi)
    const card = page.getByLabel('FramePay card number')
    await card.fill('4000 0000 0000 0002')
    await buyerOn(page).pay()
    await page
      .getByRole('alert')
      .getByText(/declined/)
      .waitFor()
    await card.fill('4242 4242 4242 4242')
    await buyerOn(page).pay()
    await finish(page)
  })

  it('61: Payments AI: the bank asks in a window of its own', async () => {
    const page = await visit(onPaymentsAi)
    await page.getByLabel('FramePay card number').fill('4000 0025 0000 3155')
    await buyerOn(page).pay()
    const dialog = page.getByRole('dialog')
    const [bank] = await Promise.all([page.waitForEvent('popup'), dialog.getByRole('link').click()])
    await bank.close()
    rebilly.answersBank('approved')
    await dialog.getByRole('button', { name: 'I have authorised it' }).click()
    await page.waitForURL('**/more*')
  })
})
