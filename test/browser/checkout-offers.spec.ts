import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { buyerOn, GOOD } from './support/buyer.ts'
import { createPages, type OpenPage, type Pages } from './support/checkout-page.ts'
import { OFFER } from './support/markup.ts'

type Outcome = { readonly status: string; readonly recoverable: boolean; readonly message: string }

const FALLBACK = `document.querySelector('main').insertAdjacentHTML('beforeend',
  '<form><label>E-mail <input type="email" data-cf-element="email"></label><div data-cf-element="payment-method"></div>'
  + '<button data-cf-element="pay">Pay</button></form>')`

describe('a one-click offer on a page, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  const open = async (body = OFFER, prepare?: (opened: OpenPage) => void) => {
    const opened = await pages.open({ body, offer: true }, prepare)
    const buyer = buyerOn(opened.page)
    await opened.page.waitForFunction('seen.state.length > 0')
    return {
      ...opened,
      buyer,
      accept: () => opened.page.getByRole('button', { name: 'Yes' }).click(),
      outcomes: () => buyer.read<readonly Outcome[]>('seen.outcome'),
      mount: opened.page.locator('[data-cf-element=shipping]'),
    }
  }

  it('is priced on load; accepted, it is sold once and leads on', async () => {
    const { shop, buyer, accept, mount } = await open()
    expect((await buyer.state()).line_items).to.have.length(1)
    expect(await mount.getAttribute('hidden')).to.equal('')
    await accept()
    await buyer.left()
    expect(shop.charges).to.deep.equal([{ total: 3000, token: null }])
  })

  it('declined, it leads on and nothing is charged', async () => {
    const { page, shop, buyer } = await open()
    await page.getByRole('button', { name: 'No' }).click()
    await buyer.left()
    expect(shop.charges).to.deep.equal([])
  })

  it('65: a double click sells once', async () => {
    const { page, shop, buyer } = await open()
    await page.getByRole('button', { name: 'Yes' }).dblclick()
    await buyer.left()
    expect(shop.asked('/offer/accept')).to.have.length(1)
  })

  it('without a grant it is unavailable on load, also for who listens later', async () => {
    const { shop, accept, outcomes, page } = await open(OFFER, ({ shop }) => {
      shop.offer.isOpen = false
    })
    expect(await outcomes()).to.deep.equal([
      { status: 'unavailable', message: 'This offer is not available.', recoverable: false },
    ])
    await accept()
    await page.waitForFunction('seen.outcome.length > 1')
    expect(shop.asked('/offer/accept')).to.deep.equal([])
  })

  it('the address form appears when no address is known, and what is in it is shipped to', async () => {
    const { page, shop, buyer, accept, mount } = await open(OFFER, ({ shop }) => {
      shop.offer.hasAddress = false
    })
    const form = page.getByRole('group', { name: 'Shipping address' })
    await form.waitFor()
    expect(await mount.getAttribute('hidden')).to.equal(null)
    // A saved address is never shown to a page.
    expect(await form.getByLabel('City').inputValue()).to.equal('')
    await accept()
    await page.waitForFunction('seen.outcome.length > 0')
    expect(await buyer.read('seen.outcome[0]')).to.deep.equal({
      status: 'failed',
      message: 'Please fill in the shipping address.',
      recoverable: true,
    })
    expect(shop.asked('/offer/accept')).to.deep.equal([])
    await buyer.ship()
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 500')
    await accept()
    await buyer.left()
    expect(shop.asked('/offer/accept')[0]?.shipping_address).to.deep.include({ city: 'Berlin', country: 'DE' })
    expect(shop.charges.map(({ total }) => total)).to.deep.equal([3000])
  })

  it('without a place for the address, accepting fails and can be repeated', async () => {
    const body = OFFER.replace('<div data-cf-element="shipping"></div>', '')
    const { page, outcomes, accept } = await open(body, ({ shop }) => {
      shop.offer.hasAddress = false
    })
    await accept()
    await page.waitForFunction('seen.outcome.length > 0')
    expect((await outcomes())[0]).to.deep.include({ status: 'failed', recoverable: true })
    expect(await page.getByRole('button', { name: 'Yes' }).isEnabled()).to.equal(true)
  })

  it('a digital offer asks for no address, unless the page wants the form always', async () => {
    const digital = ({ shop }: OpenPage) => {
      shop.offer.key = 'v_book|p_book'
      shop.offer.hasAddress = false
    }
    const { mount } = await open(OFFER.replace('v_mug|p_mug', 'v_book|p_book'), digital)
    expect(await mount.getAttribute('hidden')).to.equal('')
    const visible = OFFER.replace('v_mug|p_mug', 'v_book|p_book').replace('"shipping"', '"shipping" data-cf-visible')
    const { page } = await open(visible, digital)
    await page.getByRole('group', { name: 'Shipping address' }).waitFor()
  })

  it('67: no saved method: failed and recoverable; the form with a card sells the same offer', async () => {
    const { page, shop, buyer, accept, outcomes } = await open()
    shop.instead.set('/offer/accept', ({ payment }) => {
      const errors = [{ code: 'no_method', message: 'No card is saved', source: 'gateway' }]
      return payment ? undefined : { ok: true, status: 'refused', errors }
    })
    await accept()
    await page.waitForFunction('seen.outcome.length > 0')
    expect(await outcomes()).to.deep.equal([{ status: 'failed', message: 'No card is saved', recoverable: true }])
    await buyer.read(FALLBACK)
    await buyer.choose('mug')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(shop.asked('/offer/accept').at(-1)).to.deep.include({
      variant_id: 'v_mug',
      price_id: 'p_mug',
      payment: { token: 'sim_4242424242424242' },
    })
    expect(shop.charges).to.have.length(1)
  })

  it('66: an answer that is lost: never a second charge, and the page goes on when it is known', async () => {
    const { shop, buyer, accept } = await open()
    shop.instead.set('/offer/accept', (body) => {
      shop.charges.push({ total: body.shown?.total ?? 0, token: null })
      shop.standing.set(body.cart_id ?? '', { ok: true, status: 'paid', redirect: '/next/thank-you' })
      return { gone: true }
    })
    await accept()
    await buyer.left()
    expect(shop.charges).to.have.length(1)
    expect(shop.asked('/offer/accept')).to.have.length(1)
  })

  it('69: a price that changed after load is not charged, and the offer can be accepted at the new one', async () => {
    const { page, shop, buyer, accept, outcomes } = await open()
    shop.products.set('v_mug|p_mug', { name: 'Mug', amount: 2600, physical: true })
    await accept()
    await page.waitForFunction('seen.outcome.length > 0')
    expect(shop.charges).to.deep.equal([])
    expect((await outcomes())[0]).to.deep.include({ status: 'failed', recoverable: true })
    expect((await buyer.state()).totals.total).to.equal(3100)
    await accept()
    await buyer.left()
    expect(shop.charges.map(({ total }) => total)).to.deep.equal([3100])
  })

  it('a bank that asks again is answered on the page', async () => {
    const { page, shop, buyer, accept } = await open()
    shop.instead.set('/offer/accept', (body) => {
      const answer = { ok: true, status: 'action', action: { simulated: true } }
      shop.standing.set(body.cart_id ?? '', answer)
      return answer
    })
    await accept()
    await page.getByRole('dialog').getByRole('button', { name: 'Authorise' }).click()
    await buyer.left()
    expect(shop.charges).to.have.length(1)
  })
})
