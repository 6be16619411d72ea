import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { ASKS, buyerOn, DECLINED, GOOD } from './support/buyer.ts'
import { createPages, type OpenPage, type PageOptions, type Pages } from './support/checkout-page.ts'
import { CHECKOUT } from './support/markup.ts'

describe('paying on a page, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  /** A page with a book in its cart, an address typed and a card. */
  const ready = async (card = GOOD, options: Partial<PageOptions> = {}, prepare?: (opened: OpenPage) => void) => {
    const opened = await pages.open({ body: CHECKOUT, ...options }, prepare)
    const buyer = buyerOn(opened.page)
    await buyer.choose('book')
    await buyer.email()
    await buyer.type(card)
    return { ...opened, buyer }
  }

  it('56, 64: a declined card, then a good one, without a reload', async () => {
    const { page, shop, buyer } = await ready(DECLINED)
    await page.getByLabel('First name').fill('Ana')
    await buyer.pay()
    await page.getByText('The card was declined').waitFor()
    expect(await buyer.codes()).to.deep.equal(['declined'])
    expect(await page.getByRole('button', { name: 'Pay' }).isEnabled()).to.equal(true)
    expect(await page.getByLabel('First name').inputValue()).to.equal('Ana')
    await page.waitForTimeout(300)
    expect(await buyer.alert()).to.include('declined')
    await buyer.type(GOOD)
    await buyer.pay()
    await buyer.left()
    expect(shop.asked('/checkout/pay').map(({ attempt }) => attempt)).to.deep.equal([1, 2])
    expect(shop.charges).to.have.length(1)
    expect(new Set(shop.asked('/checkout/pay').map(({ cart }) => cart?.id)).size).to.equal(1)
  })

  it('61: the bank asks; a refusal there frees the cart, and consent pays', async () => {
    const { page, shop, buyer } = await ready(ASKS)
    await buyer.pay()
    const dialog = page.getByRole('dialog', { name: 'Your bank asks' })
    await dialog.waitFor()
    expect(await buyer.read('document.querySelector("dialog").contains(document.activeElement)')).to.equal(true)
    await page.keyboard.press('Escape')
    await page.getByText('The card was declined').waitFor()
    expect(await buyer.read('seen.pending')).to.satisfy((all: boolean[]) => all.at(-1) === false)
    await buyer.pay()
    await dialog.getByRole('button', { name: 'Authorise' }).click()
    await buyer.left()
    expect(shop.asked('/checkout/confirm').map(({ result }) => result)).to.deep.equal(['refused', 'approved'])
    expect(shop.charges).to.have.length(1)
  })

  it('a double click, Enter and a click pay once, and the button is disabled meanwhile', async () => {
    const { page, shop, buyer } = await ready(GOOD)
    shop.instead.set('/checkout/pay', async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return undefined
    })
    await buyer.read(`(() => {
      const button = document.querySelector('[data-cf-element=pay]')
      button.click(); button.click(); document.querySelector('form').requestSubmit()
    })()`)
    await page.waitForFunction('document.querySelector("[data-cf-element=pay]").disabled')
    await buyer.left()
    expect(shop.asked('/checkout/pay')).to.have.length(1)
  })

  it('43: ten quantities within 100 ms, answers in random order', async () => {
    const { shop, buyer } = await ready(GOOD, {}, ({ shop: held }) =>
      held.instead.set('/checkout/state', async () => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
        return undefined
      }),
    )
    const before = await buyer.read<number>('seen.state.length')
    const totals = await buyer.read<number[]>(`(async () => {
      const all = []
      for (let quantity = 1; quantity <= 10; quantity++) {
        all.push(CfSdk.checkout.setQuantity('v_book', 'p_book', quantity))
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return (await Promise.all(all)).map(({ totals }) => totals.total)
    })()`)
    expect(totals.at(-1)).to.equal(10_000)
    expect((await buyer.state()).totals.total).to.equal(10_000)
    const shown = (await buyer.read<{ totals: { total: number } }[]>('seen.state')).slice(before)
    const sums = shown.map((state) => state.totals.total)
    expect(sums).to.deep.equal([...sums].sort((a, b) => a - b))
    expect(await buyer.read('seen.pending.slice(-2)')).to.deep.equal([true, false])
    expect(shop.asked('/checkout/state').length).to.be.lessThan(12)
  })

  it('44, 46: a price raised since it was shown is not charged; the new one is shown and paid', async () => {
    const { page, shop, buyer } = await ready()
    shop.products.set('v_book|p_book', { name: 'E-book', amount: 1200, physical: false })
    await buyer.pay()
    await page.getByText('The total has changed').waitFor()
    expect(shop.charges).to.deep.equal([])
    expect((await buyer.state()).totals.total).to.equal(1200)
    await buyer.pay()
    await buyer.left()
    expect(shop.charges.map(({ total }) => total)).to.deep.equal([1200])
  })

  it('48: a code of 100 % hides the card, and nothing of it is needed', async () => {
    const { page, shop } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    await buyer.choose('book')
    await buyer.read(`CfSdk.checkout.updateState({ coupon_codes: ['FREE'] })`)
    expect(await page.getByLabel('Card number').isVisible()).to.equal(false)
    await buyer.email()
    await buyer.pay()
    await buyer.left()
    expect(shop.charges).to.deep.equal([{ total: 0, token: null }])
  })

  it('49: a code is priced again when the e-mail address is known', async () => {
    const { page, shop } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    await buyer.choose('book')
    await buyer.read(`CfSdk.checkout.updateState({ coupon_codes: ['TEN'] })`)
    await buyer.email()
    await page.keyboard.press('Tab')
    await page.waitForFunction('seen.state.length >= 4')
    expect(shop.asked('/checkout/state').at(-1)?.cart?.email).to.equal('ana@example.test')
  })

  it('51: wrong quantities and prices are errors of the state', async () => {
    const { buyer } = await ready()
    for (const wrong of ['-1', '1.5', '1e9', 'NaN', '"2"']) {
      await buyer.read(`CfSdk.checkout.setQuantity('v_book', 'p_book', ${wrong})`)
      expect(await buyer.codes(), wrong).to.deep.equal(['invalid_quantity'])
    }
    await buyer.read(`CfSdk.checkout.setQuantity('v_book', 'p_other', 1)`)
    expect(await buyer.codes()).to.deep.equal(['not_sold'])
    expect((await buyer.state()).line_items.map(({ quantity }) => quantity)).to.deep.equal([1])
  })

  it('57: an answer that is lost after the charge: the buyer sees that it is checked, pays once, and is led on', async () => {
    const { page, shop, buyer } = await ready()
    let isLost = true
    shop.instead.set('/checkout/status', () => (isLost ? { gone: true } : undefined))
    shop.instead.set('/checkout/pay', (body) => {
      shop.charges.push({ total: body.shown?.total ?? 0, token: 'charged' })
      shop.standing.set(body.cart?.id ?? '', { ok: true, status: 'paid', redirect: '/next/thank-you' })
      return { gone: true }
    })
    await buyer.pay()
    await page.getByText('The payment is being checked').waitFor()
    expect(await page.getByRole('button', { name: 'Pay' }).isDisabled()).to.equal(true)
    isLost = false
    await buyer.left()
    expect(shop.charges).to.have.length(1)
    expect(shop.asked('/checkout/pay')).to.have.length(1)
  })

  it('58: a reload while the charge runs leads on when it is known', async () => {
    const { page, shop, buyer } = await ready()
    shop.instead.set('/checkout/pay', (body) => {
      shop.standing.set(body.cart?.id ?? '', { ok: true, status: 'pending' })
      return { ok: true, status: 'pending' }
    })
    await buyer.pay()
    await page.getByText('The payment is being checked').waitFor()
    await page.reload()
    await page.getByText('The payment is being checked').waitFor()
    expect(await page.getByRole('button', { name: 'Pay' }).isDisabled()).to.equal(true)
    for (const id of shop.standing.keys())
      shop.standing.set(id, { ok: true, status: 'paid', redirect: '/next/thank-you' })
    expect(await buyer.left()).to.deep.equal(['/next/thank-you'])
    expect(shop.asked('/checkout/pay')).to.have.length(1)
  })

  it('58: Back from the next page leads on again, and opening the page anew begins a new cart', async () => {
    const { page, shop, buyer } = await ready(GOOD, { follow: true })
    await buyer.pay()
    await page.waitForURL('**/next/thank-you')
    await page.goBack({ waitUntil: 'commit' })
    await page.waitForURL('**/next/thank-you')
    await page.goto(new URL('/', page.url()).href)
    await page.waitForFunction('window.CfSdk !== undefined')
    await buyer.choose('book')
    await page.waitForTimeout(300)
    expect(new URL(page.url()).pathname).to.equal('/')
    expect(await page.getByRole('button', { name: 'Pay' }).isEnabled()).to.equal(true)
    expect(shop.charges).to.have.length(1)
  })

  it('4: storage that refuses, and 28: storage that is not consented to, change nothing', async () => {
    const refusing = await pages.open({ body: CHECKOUT }, ({ page }) =>
      page.addInitScript(
        `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
      ),
    )
    const buyer = buyerOn(refusing.page)
    await buyer.choose('book')
    await buyer.email()
    await buyer.type(GOOD)
    await buyer.pay()
    await buyer.left()
    const denied = await ready(GOOD, { head: '<meta name="cf-consent" content="denied">' })
    await denied.buyer.pay()
    await denied.buyer.left()
    expect(await denied.buyer.read('sessionStorage.length + localStorage.length + document.cookie.length')).to.equal(0)
  })

  it('says what is missing, in the form and in the state', async () => {
    const { page, shop, buyer } = await ready('4111 1111 1111 1111')
    await buyer.pay()
    await page.getByRole('alert').getByText('Please use a test card').waitFor()
    expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).to.equal('true')
    expect(await page.getByLabel('Card number').getAttribute('aria-errormessage')).to.be.a('string')
    expect(shop.asked('/checkout/pay')).to.deep.equal([])
    await page.getByLabel('Card number').fill(GOOD)
    expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).to.equal(null)
    await page.getByLabel('E-mail').fill('')
    await buyer.pay()
    expect(await buyer.read('document.activeElement.type')).to.equal('email')
    expect(shop.asked('/checkout/pay')).to.deep.equal([])
  })
})
