import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { buyerOn } from './support/buyer.ts'
import { createPages, type PageOptions, type Pages } from './support/checkout-page.ts'
import { CHECKOUT } from './support/markup.ts'

type Calls = readonly (readonly [name: string, value: Record<string, unknown>])[]

const TOKENS = `<style>:root {
  --cfsdk-checkout-color-scheme: dark; --cfsdk-checkout-color-primary: #00f; --cfsdk-checkout-color-text: #eee;
  --cfsdk-checkout-color-danger: #f00; --cfsdk-checkout-color-placeholder: #999; --cfsdk-checkout-color-background: #111;
  --cfsdk-checkout-color-border: #333; --cfsdk-checkout-input-shadow: none; --cfsdk-checkout-border-radius: 3px;
  --cfsdk-checkout-font-family: serif; --cfsdk-checkout-font-size: 17px; --cfsdk-checkout-spacing-unit: 5px;
}</style>`

describe('gateways on a page, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  const open = async (options: Omit<PageOptions, 'body'>) => {
    const opened = await pages.open({ body: CHECKOUT, ...options })
    return { ...opened, buyer: buyerOn(opened.page) }
  }
  const stripeCalls = async (name: string, read: (expression: string) => Promise<Calls>) =>
    (await read('stripeCalls')).filter(([call]) => call === name).map(([, value]) => value)

  it('62: the amount in the field of Stripe follows the total, and that is what is charged', async () => {
    const { page, shop, buyer } = await open({ gateway: 'stripe' })
    await buyer.choose('book', 100)
    const card = page.getByLabel('Stripe card number')
    await card.fill('4242 4242 4242 4242')
    await buyer.choose('book', 50)
    await buyer.email()
    await page.getByLabel('First name').fill('Ana')
    await page.getByLabel('Last name').fill('Lima')
    await buyer.pay()
    await buyer.left()
    const [made] = await stripeCalls('createPaymentMethod', buyer.read)
    expect(made).to.deep.equal({ billing_details: { email: 'ana@example.test', name: 'Ana Lima' }, amount: 50_000 })
    expect((await stripeCalls('elements', buyer.read))[0]).to.deep.include({
      mode: 'payment',
      amount: 100_000,
      currency: 'usd',
      setupFutureUsage: 'off_session',
    })
    expect(shop.charges).to.deep.equal([{ total: 50_000, token: 'pm_4242' }])
  })

  it('Stripe: a card that is incomplete, one that is declined, one whose bank asks', async () => {
    const { page, shop, buyer } = await open({ gateway: 'stripe' })
    await buyer.choose('book')
    await buyer.email()
    const card = page.getByLabel('Stripe card number')
    await card.fill('4242')
    await buyer.pay()
    await page.getByText('Your card number is incomplete').waitFor()
    await card.fill('4000 0000 0000 0002')
    await buyer.pay()
    await page.getByText('The card was declined').waitFor()
    await card.fill('4000 0025 0000 3155')
    page.once('dialog', (dialog) => dialog.accept())
    await buyer.pay()
    await buyer.left()
    expect((await buyer.read<Calls>('stripeCalls')).filter(([name]) => name === 'handleNextAction')).to.deep.equal([
      ['handleNextAction', 'pi_1_secret_2'],
    ])
    expect(shop.charges).to.have.length(1)
  })

  it('Stripe: a subscription that begins with nothing to pay keeps a method for later', async () => {
    const { page, shop, buyer } = await open({ gateway: 'stripe' })
    shop.products.set('v_book|p_book', { name: 'Trial', amount: 0, physical: false })
    shop.instead.set('/checkout/state', (body) => ({ ok: true, ...shop.price(body), payment_required: true }))
    await buyer.choose('book')
    await page.getByLabel('Stripe card number').fill('4242 4242 4242 4242')
    await buyer.email()
    await buyer.pay()
    await buyer.left()
    expect((await stripeCalls('elements', buyer.read))[0]).to.deep.include({ mode: 'setup', currency: 'usd' })
    expect(shop.charges).to.deep.equal([{ total: 0, token: 'pm_4242' }])
  })

  it('Stripe gets the style of the page, all of it', async () => {
    const { buyer } = await open({ gateway: 'stripe', head: TOKENS })
    await buyer.choose('book')
    await buyer.read(`new Promise((done) => setTimeout(done, 200))`)
    expect((await stripeCalls('elements', buyer.read))[0]?.appearance).to.deep.equal({
      theme: 'night',
      variables: {
        colorPrimary: '#00f',
        colorText: '#eee',
        colorDanger: '#f00',
        colorTextPlaceholder: '#999',
        colorBackground: '#111',
        borderRadius: '3px',
        fontFamily: 'serif',
        fontSizeBase: '17px',
        spacingUnit: '5px',
      },
      rules: { '.Input': { borderColor: '#333', boxShadow: 'none' } },
    })
  })

  it('Payments AI: a token with the buyer and the address, and the text-level style alone', async () => {
    const { page, shop, buyer } = await open({ gateway: 'payments_ai', head: TOKENS })
    await buyer.choose('mug')
    await buyer.ship()
    await buyer.email()
    await page.getByLabel('First name').fill('Ana')
    await page.getByLabel('Last name').fill('Lima')
    await page.getByLabel('FramePay card number').fill('4242 4242 4242 4242')
    await page.getByLabel('FramePay expiry').fill('12/34')
    await page.getByLabel('FramePay security code').fill('123')
    expect(await page.locator('.cf-sdk-card-field').count()).to.equal(3)
    for (const hook of ['number', 'expiration', 'cvv'])
      expect(await page.locator(`.cf-sdk-card-field.cf-sdk-card-${hook}`).count(), hook).to.equal(1)
    await page.waitForFunction('seen.state.at(-1).totals.total === 3000')
    await buyer.pay()
    await buyer.left()
    const calls = await buyer.read<Calls>('framepayCalls')
    expect(calls[0]).to.deep.equal([
      'initialize',
      {
        publishableKey: 'pk_test_1',
        icon: { display: false },
        style: {
          base: {
            color: '#eee',
            backgroundColor: '#111',
            fontFamily: 'serif',
            fontSize: '17px',
            placeholder: { color: '#999' },
          },
          focus: { color: '#00f' },
          invalid: { color: '#f00' },
        },
      },
    ])
    expect(calls[1]?.[1]).to.deep.equal({
      method: 'payment-card',
      billingAddress: {
        firstName: 'Ana',
        lastName: 'Lima',
        address: 'Hauptstr. 1',
        city: 'Berlin',
        country: 'DE',
        postalCode: '10115',
        emails: [{ label: 'main', value: 'ana@example.test', primary: true }],
      },
    })
    expect(shop.charges).to.deep.equal([{ total: 3000, token: 'token_4242' }])
  })

  it('Payments AI: without a name the reason is in the state, and not in the console', async () => {
    const { page, buyer } = await open({ gateway: 'payments_ai' })
    await buyer.choose('book')
    await buyer.email()
    await page.getByLabel('FramePay card number').fill('4242 4242 4242 4242')
    await buyer.pay()
    await page.getByText('The first name is required').waitFor()
    expect(await buyer.codes()).to.deep.equal(['token-validation-error'])
    expect(await buyer.read('warnings')).to.deep.equal(['FramePay tokenization failed'])
  })

  it('61: Payments AI: the bank asks in a window of its own, and the page goes on by itself', async () => {
    const { page, shop, buyer } = await open({ gateway: 'payments_ai' })
    await buyer.choose('book')
    await buyer.email()
    await page.getByLabel('First name').fill('Ana')
    await page.getByLabel('FramePay card number').fill('4000 0025 0000 3155')
    await buyer.pay()
    const link = page.getByRole('dialog').getByRole('link', { name: 'Go to your bank' })
    const [bank] = await Promise.all([page.waitForEvent('popup'), link.click()])
    expect(new URL(bank.url()).pathname).to.equal('/bank')
    await bank.close()
    for (const id of shop.standing.keys())
      shop.standing.set(id, { ok: true, status: 'paid', redirect: '/next/thank-you' })
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await buyer.left()
  })

  for (const [how, held] of [
    ['answers 404', 'missing'],
    ['hangs', 60_000],
  ] as const)
    it(`63: a script that ${how}: within 10 s the mount says so, and a retry needs no reload`, async () => {
      const started = Date.now()
      const { page, let: release } = await pages.open({ body: CHECKOUT, gateway: 'stripe' }, ({ hold }) =>
        hold('stand-ins/stripe.js', held),
      )
      const buyer = buyerOn(page)
      await buyer.choose('book')
      const mount = page.locator('[data-cf-element=payment-method] .cf-sdk-payment')
      await page.getByRole('alert').getByText('The payment form could not be loaded').waitFor({ timeout: 12_000 })
      expect(Date.now() - started).to.be.lessThan(14_000)
      expect(await mount.getAttribute('aria-busy')).to.equal(null)
      const errors = await buyer.read<object[]>('CfSdk.checkout.currentState().then(({ errors }) => errors)')
      expect(errors).to.deep.equal([
        { code: 'gateway_unavailable', message: 'The payment form could not be loaded.', source: 'sdk' },
      ])
      await page.getByLabel('E-mail').fill('ana@example.test')
      release('stand-ins/stripe.js')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByLabel('Stripe card number').fill('4242 4242 4242 4242')
      await page.waitForFunction(`!document.querySelector('.cf-sdk-payment').hasAttribute('aria-busy')`)
      expect(await buyer.codes()).to.deep.equal([])
      await buyer.pay()
      await buyer.left()
    })

  it('3: a mount that is made twice has one field', async () => {
    const { page, buyer } = await open({})
    await buyer.choose('book')
    await page.getByLabel('Card number').waitFor()
    await buyer.read(`(() => {
      const mount = document.querySelector('[data-cf-element=payment-method]')
      const next = mount.cloneNode(false)
      mount.replaceWith(next)
    })()`)
    await page.getByLabel('Card number').waitFor()
    await page.waitForTimeout(200)
    expect(await page.getByLabel('Card number').count()).to.equal(1)
    expect(await page.locator('.cf-sdk-payment').count()).to.equal(1)
  })
})
