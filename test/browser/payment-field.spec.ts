import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { buyerOn } from './support/buyer.ts'
import { createPages, type OpenPage, type PageOptions, type Pages } from './support/checkout-page.ts'
import { CHECKOUT } from './support/markup.ts'

const SCRIPT = 'stand-ins/stripe.js'
const CARD = 'Stripe card number'
const GOOD = '4242 4242 4242 4242'
const SECOND = 1000

/** Says how the stand-in of Stripe's script is to be. */
const standIn = (how: object) => `window.stripeStandIn = ${JSON.stringify(how)}`

describe('the payment field in each of its states, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  /** A page of Stripe, or another gateway, whose time passes as the test says. */
  const open = async (prepare: (opened: OpenPage) => unknown, options: Partial<PageOptions> = {}) => {
    const opened = await pages.open({ body: CHECKOUT, gateway: 'stripe', ...options }, async (opening) => {
      await opening.page.clock.install()
      await prepare(opening)
    })
    const { page } = opened
    const box = page.locator('.cf-sdk-payment')
    return {
      ...opened,
      buyer: buyerOn(page),
      card: page.getByLabel(CARD),
      retry: page.getByRole('button', { name: 'Try again' }),
      pass: (milliseconds: number) => page.clock.runFor(milliseconds),
      standIn: (how: object) => page.evaluate(standIn(how)),
      /** Waits for what the mount says. */
      says: (text: string) => box.getByText(text).first().waitFor(),
      /** Waits until the mount has nothing to say, and looks at all that could. */
      async isQuiet() {
        await page.waitForFunction(`!document.querySelector('.cf-sdk-payment').hasAttribute('aria-busy')`)
        expect((await box.getByRole('alert').innerText()).trim()).to.equal('')
        expect((await box.getByRole('status').innerText()).trim()).to.equal('')
        expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).to.equal(false)
        expect(await buyerOn(page).codes()).to.deep.equal([])
      },
      errors: () =>
        page.evaluate<{ code: string; source: string }[]>(
          `CfSdk.checkout.currentState().then(({ errors }) => errors.map(({ code, source }) => ({ code, source })))`,
        ),
    }
  }
  const being = (how: object) => (opened: OpenPage) => opened.page.addInitScript({ content: standIn(how) })

  for (const delay of [0.1, 0.5, 2, 5, 9, 12, 15, 20])
    it(`a script that is ${delay} s late: the field comes by itself, with the price of the moment`, async () => {
      const { page, shop, buyer, card, retry, ...scene } = await open(({ hold }) => hold(SCRIPT, 'until let'))
      await buyer.choose('book')
      await scene.says('Loading the payment form')
      await scene.pass(delay * SECOND)
      if (delay > 10) {
        await scene.says('The payment form could not be loaded')
        expect(await scene.errors()).to.deep.equal([{ code: 'gateway_unavailable', source: 'sdk' }])
        expect(await retry.isVisible()).to.equal(true)
      }
      await buyer.choose('book', 3)
      scene.let(SCRIPT)
      await card.fill(GOOD)
      await scene.isQuiet()
      expect(await page.getByLabel(CARD).count()).to.equal(1)
      const [[, made] = []] = await buyer.read<[string, { amount: number }][]>(`stripeCalls`)
      expect(made?.amount).to.equal(3000)
      await buyer.choose('book', 2)
      await buyer.email()
      await buyer.pay()
      await buyer.left()
      expect(shop.charges).to.deep.equal([{ total: 2000, token: 'pm_4242' }])
    })

  it('a script that is blocked: said at once, and to pay is to try again', async () => {
    const { buyer, card, retry, shop, ...scene } = await open(({ hold }) => hold(SCRIPT, 'missing'))
    await buyer.choose('book')
    await scene.says('The payment form could not be loaded')
    await buyer.email()
    await retry.click()
    await scene.says('The payment form could not be loaded')
    scene.let(SCRIPT)
    await buyer.pay()
    await scene.says('Your card number is incomplete')
    await card.fill(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(shop.charges).to.have.length(1)
  })

  it('a script that hangs, tried again: the field comes once, whichever request is answered', async () => {
    const { page, buyer, card, retry, ...scene } = await open(({ hold }) => hold(SCRIPT, 'until let'))
    await buyer.choose('book')
    await scene.pass(11 * SECOND)
    await retry.click()
    await scene.says('Loading the payment form')
    await page.waitForFunction(`document.querySelectorAll('script[src*=stripe]').length === 2`)
    scene.let(SCRIPT)
    await card.waitFor()
    await scene.isQuiet()
    expect(await page.getByLabel(CARD).count()).to.equal(1)
  })

  it('a field that is ready after 15 s: at 10 s it says so, keeps what was typed, and can be used by itself', async () => {
    const { buyer, card, retry, shop, ...scene } = await open(being({ ready: 15 * SECOND }))
    await buyer.choose('book')
    await card.fill(GOOD)
    await scene.pass(11 * SECOND)
    await scene.says('The payment form is not ready yet')
    expect(await scene.errors()).to.deep.equal([{ code: 'gateway_not_ready', source: 'gateway' }])
    expect(await retry.isVisible()).to.equal(true)
    expect(await card.inputValue()).to.equal(GOOD)
    await scene.pass(5 * SECOND)
    await scene.isQuiet()
    expect(await card.inputValue()).to.equal(GOOD)
    await buyer.email()
    await buyer.pay()
    await buyer.left()
    expect(shop.charges).to.have.length(1)
  })

  it('a field that is never ready: who pays reads why not, and can try again', async () => {
    const { page, buyer, card, retry, shop, ...scene } = await open(being({ ready: 'never' }))
    await buyer.choose('book')
    await buyer.email()
    await card.waitFor()
    await buyer.pay()
    await scene.pass(11 * SECOND)
    await scene.says('The payment form is not ready yet')
    await page.waitForFunction(`!document.querySelector('[data-cf-element=pay]').disabled`)
    expect(shop.asked('/checkout/pay')).to.deep.equal([])
    await scene.standIn({})
    await retry.click()
    await scene.isQuiet()
    await card.fill(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(await buyer.read(`stripeCalls.filter(([name]) => name === 'elements').length`)).to.equal(2)
  })

  it('a field that fails: said, and tried again', async () => {
    const { buyer, card, retry, ...scene } = await open(being({ ready: 'fails' }))
    await buyer.choose('book')
    await scene.says('The payment form does not work')
    expect(await scene.errors()).to.deep.equal([{ code: 'gateway_unavailable', source: 'gateway' }])
    expect(await buyer.read('warnings')).to.deep.equal(['The payment form failed: Stripe is down'])
    await scene.standIn({})
    await retry.click()
    await card.waitFor()
    await scene.isQuiet()
  })

  it('a place that is taken away: who pays reads so, and the field comes back with it', async () => {
    const { page, buyer, card, ...scene } = await open(({ hold }) => hold(SCRIPT, 'until let'))
    await buyer.choose('book')
    await buyer.email()
    await buyer.read(`window.place = document.querySelector('[data-cf-element=payment-method]'); place.remove()`)
    await page.waitForFunction(`!place.firstChild`)
    await buyer.pay()
    await page.waitForFunction(`seen.error.length > 0`)
    expect(await scene.errors()).to.deep.equal([{ code: 'no_payment_method', source: 'sdk' }])
    scene.let(SCRIPT)
    await buyer.read(`document.querySelector('form').prepend(place)`)
    await card.fill(GOOD)
    await buyer.pay()
    await buyer.left()
  })

  for (const how of ['a click', 'Enter'] as const)
    it(`what was entered is submitted in the task of ${how}, however long the price takes`, async () => {
      const { page, shop, buyer, card } = await open(being({ demandsGesture: true }))
      await buyer.choose('book')
      await card.fill(GOOD)
      await buyer.email()
      shop.instead.set('/checkout/state', async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return undefined
      })
      if (how === 'Enter') await page.getByLabel('E-mail').press('Enter')
      else await buyer.pay()
      await buyer.left()
      expect(shop.charges).to.deep.equal([{ total: 1000, token: 'pm_4242' }])
    })

  it('Payments AI: late by 12 s, then ready after 15 s more', async () => {
    const options = { gateway: 'payments_ai' } as const
    const { page, buyer, ...scene } = await open(async (opened) => {
      opened.hold('stand-ins/framepay.js', 'until let')
      await opened.page.addInitScript({ content: 'window.framepayStandIn = { ready: 15000 }' })
    }, options)
    await buyer.choose('book')
    await scene.pass(12 * SECOND)
    await scene.says('The payment form could not be loaded')
    scene.let('stand-ins/framepay.js')
    await scene.says('Loading the payment form')
    await page.waitForFunction('window.framepayCalls?.length === 1')
    await scene.pass(11 * SECOND)
    await scene.says('The payment form is not ready yet')
    await scene.pass(5 * SECOND)
    await page.getByLabel('FramePay card number').waitFor()
    await scene.isQuiet()
    expect(await page.locator('.cf-sdk-card-field').count()).to.equal(3)
  })
})
