import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { buyerOn, GOOD } from './support/buyer.ts'
import { createPages, type Pages } from './support/checkout-page.ts'
import { CHECKOUT } from './support/markup.ts'

describe('checkout on a page, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  it('sells a digital product with a test card and leads on', async () => {
    const { page, shop } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    await buyer.choose('book')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    expect(await buyer.left()).to.deep.equal(['/next/thank-you'])
    expect(shop.charges).to.deep.equal([{ total: 1000, token: 'sim_4242424242424242' }])
    expect(shop.asked('/checkout/pay')).to.have.length(1)
  })

  it('ships a physical product', async () => {
    const { page, shop } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    await buyer.choose('mug')
    await buyer.ship()
    await page.waitForFunction('seen.state.at(-1).totals.total === 3000')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(shop.charges).to.deep.equal([{ total: 3000, token: 'sim_4242424242424242' }])
    expect(shop.asked('/checkout/pay')[0]?.cart?.shipping_address).to.deep.equal({
      street: 'Hauptstr. 1',
      city: 'Berlin',
      region: '',
      postal_code: '10115',
      country: 'DE',
    })
  })
})
