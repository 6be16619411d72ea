import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { findings } from './support/axe.ts'
import { buyerOn } from './support/buyer.ts'
import { createPages, type Pages } from './support/checkout-page.ts'
import { CHECKOUT } from './support/markup.ts'

describe('checkout for everybody, in Chromium', () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  for (const gateway of ['simulator', 'stripe', 'payments_ai'] as const)
    it(`axe-core finds nothing on the form of ${gateway}, nor with its errors`, async () => {
      const { page } = await pages.open({ body: CHECKOUT, gateway })
      const buyer = buyerOn(page)
      await buyer.choose('mug')
      await page.getByLabel('Bill to the same address').uncheck()
      await page.getByLabel('Country').first().waitFor()
      await page.getByRole('textbox', { name: /card number/i }).waitFor()
      if (gateway !== 'stripe') await page.getByRole('group', { name: 'Billing address' }).waitFor()
      expect(await findings(page)).to.deep.equal([])
      await buyer.email()
      await buyer.pay()
      await page.waitForFunction('document.querySelector("[aria-invalid]")')
      expect(await findings(page)).to.deep.equal([])
    })

  it('axe-core finds nothing on the question of the bank', async () => {
    const { page } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    await buyer.choose('book')
    await buyer.email()
    await buyer.type('4000 0025 0000 3155')
    await buyer.pay()
    await page.getByRole('dialog').waitFor()
    expect(await findings(page)).to.deep.equal([])
  })

  it('a buyer with a keyboard alone buys a mug', async () => {
    const { page, shop } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    const { keyboard } = page
    await buyer.choose('mug')
    await page.getByLabel('Country').waitFor()
    const typed = ['ana@example.test', 'Ana', 'Lima', 'Germany', 'Ana Lima', 'Hauptstr. 1', '', 'Berlin', '10115']
    await page.locator('body').press('Tab')
    for (const text of typed) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
    // The box for the billing address is left checked.
    await keyboard.press('Tab')
    for (const text of ['4242 4242 4242 4242', '12 / 34', '123']) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
    await page.waitForFunction('seen.state.at(-1).totals.total === 3000')
    expect(await buyer.read('document.activeElement.dataset.cfElement')).to.equal('pay')
    await keyboard.press('Enter')
    await buyer.left()
    expect(shop.charges).to.have.length(1)
  })

  it('64: errors are announced, the button gets the focus back, and a retry is found by its name', async () => {
    const { page } = await pages.open({ body: CHECKOUT })
    const buyer = buyerOn(page)
    await buyer.choose('book')
    await buyer.email()
    await buyer.type('4000 0000 0000 0002')
    await page.getByRole('button', { name: 'Pay' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The card was declined').waitFor()
    expect(await buyer.read('document.activeElement.dataset.cfElement')).to.equal('pay')
  })
})
