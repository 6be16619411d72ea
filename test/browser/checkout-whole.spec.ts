import { expect } from 'chai'
import { until } from '../support/eventually.ts'
import { buyerOn, DECLINED, GOOD } from './support/buyer.ts'
import { INIT } from './support/fake-sdk.ts'
import { createFakeShop, type FakeShop } from './support/fake-shop.ts'
import { CHECKOUT, OFFER } from './support/markup.ts'
import { useBrowsing } from './support/visitor.ts'

const PATHS = [
  '/checkout/state',
  '/checkout/pay',
  '/checkout/status',
  '/checkout/confirm',
  '/offer',
  '/offer/accept',
  '/offer/decline',
]

describe('checkout by the SDK as it is built, under the strictest policy', () => {
  const browsing = useBrowsing()
  let shop: FakeShop
  beforeEach(() => {
    shop = createFakeShop()
    for (const path of PATHS) browsing.sdk.answer(path, ({ body }) => shop.answer(path, body))
  })

  const open = async (body: string, init: object) => {
    browsing.sdk.answer('/init', () => ({
      ...INIT,
      checkout: { gateway: 'simulator', key: null, live: false },
      ...init,
    }))
    browsing.write('shop.test/buy', { body })
    const visitor = await browsing.visit()
    await visitor.open('shop.test/buy')
    return { ...visitor, buyer: buyerOn(visitor.page) }
  }

  it('1, 43: calls before boot are kept, and a declined card and a good one sell once', async () => {
    const script = `<script>addEventListener('DOMContentLoaded', () => CfSdk.checkout.setQuantity('v_mug', 'p_mug', 2))</script>`
    const { page, buyer, errors, said } = await open(CHECKOUT + script, {})
    await buyer.ship()
    await buyer.email()
    await buyer.type(DECLINED)
    await until(async () => (await buyer.state()).totals.total === 5500)
    await buyer.pay()
    await page.getByText('The card was declined').waitFor()
    await buyer.type(GOOD)
    await buyer.pay()
    await page.waitForURL('**/next/thank-you')
    expect(shop.charges).to.deep.equal([{ total: 5500, token: 'sim_4242424242424242' }])
    const [first] = browsing.sdk.asked('/checkout/pay')
    expect(Object.keys(first)).to.include.members(['token', 'url', 'session', 'cart', 'shown', 'contact', 'attempt'])
    expect(errors).to.deep.equal([])
    // The last is the browser's own look for a favicon.
    const usual = /^(Init response|Found form|Failed to load resource: .* 404)/
    expect(said.filter((text) => !usual.test(text))).to.deep.equal([])
  })

  it('1: an offer accepted before boot is sold once', async () => {
    const script = `<script>addEventListener('DOMContentLoaded', () =>
      document.querySelector('[data-cf-element=oto-accept]').click())</script>`
    browsing.sdk.answer('/visits', async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { ok: true, session: 'secret' }
    })
    const { page, errors } = await open(`${OFFER}${script}`, { offer: true })
    await page.waitForURL('**/next/thank-you')
    expect(shop.charges).to.deep.equal([{ total: 3000, token: null }])
    expect(errors).to.deep.equal([])
  })

  it('a page without a checkout mounts nothing', async () => {
    const { page, buyer } = await open(CHECKOUT, { checkout: null })
    await page.waitForFunction('window.CfSdk !== undefined')
    const { errors } = await buyer.state()
    expect(errors.map(({ code }) => code)).to.deep.equal(['no_checkout'])
    expect(await page.locator('.cf-sdk-payment').count()).to.equal(0)
  })
})
