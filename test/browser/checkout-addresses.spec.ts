import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { buyerOn, GOOD, property } from './support/buyer.ts'
import { createPages, type Pages } from './support/checkout-page.ts'
import { CHECKOUT } from './support/markup.ts'

describe('addresses on a page, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  const open = async (body = CHECKOUT) => {
    const opened = await pages.open({ body })
    const buyer = buyerOn(opened.page)
    const form = opened.page.getByRole('group', { name: 'Shipping address' })
    const mount = opened.page.locator('[data-cf-element=shipping]')
    return { ...opened, buyer, form, mount }
  }

  it('is shown only while something is shipped', async () => {
    const { buyer, mount, form } = await open()
    await buyer.choose('book')
    expect(await mount.getAttribute('hidden')).to.equal('')
    await buyer.choose('mug')
    await form.waitFor()
    expect(await mount.getAttribute('hidden')).to.equal(null)
    await buyer.choose('mug', 0)
    expect(await mount.getAttribute('hidden')).to.equal('')
  })

  it('has labels, ids of its own, autocomplete and required by country', async () => {
    const { buyer, form, page } = await open()
    await buyer.choose('mug')
    const country = form.getByLabel('Country')
    expect(await country.getAttribute('autocomplete')).to.equal('shipping country')
    expect(await country.getAttribute('name')).to.equal(null)
    await country.selectOption('US')
    expect(await form.getByLabel('State').evaluate(...property('required'))).to.equal(true)
    expect(await form.getByLabel('ZIP code').evaluate(...property('required'))).to.equal(true)
    expect(await page.locator('.cf-sdk-address-field--address').count()).to.equal(1)
    const ids = await buyer.read<string[]>(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('54: Hong Kong, the Emirates and Ireland; what is required follows the country', async () => {
    const { buyer, form, page } = await open()
    await buyer.choose('mug')
    const required = (label: string) => form.getByLabel(label).evaluate(...property('required'))
    const country = form.getByLabel('Country')
    await country.selectOption('US')
    expect(await required('ZIP code')).to.equal(true)
    for (const code of ['HK', 'IE']) {
      await country.selectOption(code)
      await page.waitForFunction(`!document.querySelector('[autocomplete="shipping postal-code"]').required`)
      expect(await page.locator('.cf-sdk-address-field--region').isVisible(), code).to.equal(false)
    }
    await country.selectOption('AE')
    await form.getByLabel('Emirate').selectOption('DU')
    expect(await required('Postal code')).to.equal(false)
  })

  it('53: what the browser fills in within one tick survives, also when the countries come late', async () => {
    const { page, buyer } = await pages
      .open({ body: CHECKOUT }, ({ hold }) => hold('addresses/form.js', 800))
      .then((opened) => ({
        ...opened,
        buyer: buyerOn(opened.page),
      }))
    await buyer.choose('mug')
    await page.getByText('Loading the countries').waitFor()
    expect(await page.locator('.cf-sdk-address-box').first().getAttribute('aria-busy')).to.equal('true')
    await page.getByLabel('Country').waitFor()
    await buyer.read(`(() => {
      const field = (token) => document.querySelector('[autocomplete="shipping ' + token + '"]')
      const filled = { country: 'US', 'address-level1': 'California', 'postal-code': '94107', 'address-line1': '1 Main St', 'address-level2': 'San Francisco' }
      const fields = Object.entries(filled).map(([token, value]) => [field(token), value])
      for (const [element, value] of fields) {
        element.value = value
        element.dispatchEvent(new Event('input', { bubbles: true }))
        element.dispatchEvent(new Event('change', { bubbles: true }))
      }
    })()`)
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 2000')
    expect(await page.getByLabel('State').inputValue()).to.equal('CA')
    expect(await page.locator('.cf-sdk-address-box').first().getAttribute('aria-busy')).to.equal(null)
  })

  it('47: another country has other options, the cheapest is chosen, and only that total is charged', async () => {
    const { page, shop, buyer, form } = await open()
    await buyer.choose('mug')
    await buyer.ship('DE')
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 500')
    await buyer.read(`CfSdk.checkout.setShipping('express')`)
    expect((await buyer.state()).totals.shipping).to.equal(900)
    await form.getByLabel('Country').selectOption('US')
    await form.getByLabel('State').selectOption('NY')
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 2000')
    expect((await buyer.state()).shipping.selected_option_id).to.equal('overseas')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(shop.charges.map(({ total }) => total)).to.deep.equal([4500])
  })

  it('55: a digital cart: the hidden form does not block, and what stood in it is neither priced nor sent', async () => {
    const { page, shop, buyer } = await open()
    await buyer.choose('mug')
    await buyer.ship()
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 500')
    await page.getByLabel('City').fill('')
    await buyer.choose('mug', 0)
    await buyer.choose('book')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(shop.asked('/checkout/pay')[0]?.cart?.shipping_address).to.equal(null)
    expect(shop.charges.map(({ total }) => total)).to.deep.equal([1000])
  })

  it('data-cf-visible: the form is always there, and may be left empty where nothing is shipped', async () => {
    const { shop, buyer, form } = await open(CHECKOUT.replace('"shipping"', '"shipping" data-cf-visible'))
    await buyer.choose('book')
    expect(await form.isVisible()).to.equal(true)
    await buyer.email()
    await buyer.type(GOOD)
    await form.getByLabel('City').fill('Berlin')
    await buyer.pay()
    expect(await form.getByLabel('Country').getAttribute('aria-invalid')).to.equal('true')
    await form.getByLabel('City').fill('')
    await buyer.pay()
    await buyer.left()
    expect(shop.asked('/checkout/pay')[0]?.cart?.shipping_address).to.equal(null)
  })

  it('the billing address is that of shipping while the box is checked, and has a form when it is not', async () => {
    const { page, shop, buyer } = await open()
    await buyer.choose('mug')
    await buyer.ship()
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 500')
    const last = () => shop.asked('/checkout/state').at(-1)?.cart
    expect(last()?.billing_address).to.deep.equal(last()?.shipping_address)
    await page.getByLabel('Bill to the same address').uncheck()
    const billing = page.getByRole('group', { name: 'Billing address' })
    await billing.waitFor()
    await billing.getByLabel('Country').selectOption('HK')
    await billing.getByLabel('Address', { exact: true }).fill('Nathan Road 1')
    await billing.getByLabel('City').fill('Kowloon')
    await page.waitForTimeout(600)
    expect(last()?.billing_address).to.deep.include({ country: 'HK', city: 'Kowloon' })
    expect(last()?.shipping_address).to.deep.include({ country: 'DE' })
  })

  it('what is missing is said at the field, and an error of the server too', async () => {
    const { page, shop, buyer, form } = await open()
    await buyer.choose('mug')
    await buyer.email()
    await buyer.type(GOOD)
    await form.getByLabel('Country').waitFor()
    await buyer.pay()
    const city = form.getByLabel('City')
    expect(await city.getAttribute('aria-invalid')).to.equal('true')
    const error = page.locator(`[id="${await city.getAttribute('aria-errormessage')}"]`)
    expect(await error.innerText()).to.not.equal('')
    expect(await city.getAttribute('aria-describedby')).to.equal(await city.getAttribute('aria-errormessage'))
    await buyer.ship()
    expect(await city.getAttribute('aria-invalid')).to.equal(null)
    await page.waitForFunction('seen.state.at(-1).totals.shipping === 500')
    shop.instead.set('/checkout/pay', () => {
      const message = 'Postal code is not one of the country'
      const error = { code: 'invalid', message, field: 'shipping_address.postal_code', source: 'validation' }
      const { body } = shop.requests.at(-1)!
      return shop.refuse('cart_invalid', message, {
        version: body.shown?.version,
        state: { ...EMPTY, errors: [error] },
      })
    })
    await buyer.pay()
    await page.waitForFunction(`document.querySelector('[autocomplete="shipping postal-code"]').ariaInvalid === 'true'`)
  })

  it('a form that cannot be loaded is said to be so, once, and is tried again with the next press', async () => {
    const { page, let: release } = await pages.open({ body: CHECKOUT }, (opened) =>
      opened.hold('addresses/form.js', 'missing'),
    )
    const buyer = buyerOn(page)
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('addresses/form.js')) requests += 1
    })
    await buyer.choose('mug')
    await page.getByRole('alert').getByText('The address form could not be loaded').waitFor()
    await page.waitForTimeout(300)
    expect(requests).to.equal(1)
    expect(await buyer.codes()).to.deep.equal(['addresses_unavailable'])
    release('addresses/form.js')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    await page.getByLabel('Country').waitFor()
    expect(await buyer.codes()).to.deep.equal(['incomplete'])
  })

  it('takes an address from the page, and shows it', async () => {
    const { page, buyer, form } = await open()
    await buyer.choose('mug')
    await buyer.read(`CfSdk.checkout.updateState({ shipping_address: {
      street: 'Hauptstr. 1', city: 'Berlin', region: '', postal_code: '10115', country: 'DE' } })`)
    expect((await buyer.state()).totals.shipping).to.equal(500)
    await form.getByLabel('City').waitFor()
    expect(await form.getByLabel('City').inputValue()).to.equal('Berlin')
    await page.waitForTimeout(400)
    expect((await buyer.state()).totals.shipping).to.equal(500)
  })
})

const EMPTY = {
  line_items: [],
  totals: { subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0, currency: null },
  shipping: { address_required: true, options: [], selected_option_id: null },
}
