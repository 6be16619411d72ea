import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hasChromium, startChromium } from '../../support/chromium.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { browsedSite, type HostedSite, saying } from './support.ts'

const introduce = async (page: Page): Promise<void> => {
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await page.getByLabel('First name').fill('Ann')
  await page.getByLabel('Last name').fill('Lee')
}

describe('checkouts on hosted pages, with the SDK', () => {
  let browser: Browser
  let site: HostedSite
  let origin: string
  let context: BrowserContext
  before(async function () {
    if (!hasChromium) this.skip()
    browser = await startChromium()
    ;({ site, origin } = await browsedSite())
  })
  after(async () => browser?.close())
  afterEach(async () => context?.close())

  /** Sells a book, which is a file, at 12.50 and a mug, which is shipped, at 20.00. */
  const open = async (path: string, markup: string): Promise<Page> => {
    const { api, workspaceId } = site.tenant
    const productOf = async (name: string, product_type: string, amount: string) => {
      const made = createdBody(await api.post(`/workspaces/${workspaceId}/products`, { product: { name } }))
      createdBody(
        await api.put(`/products/variants/${made.default_variant_id}`, { products_variant: { product_type } }),
      )
      const products_price = { amount, payment_type: 'one_time' }
      createdBody(await api.post(`/products/variants/${made.default_variant_id}/prices`, { products_price }))
      return made.id
    }
    const product_ids = [await productOf('Book', 'digital', '12.5'), await productOf('Mug', 'physical', '20')]
    const funnel = await site.funnel('Shop')
    createdBody(await api.put(`/funnels/${funnel.id}/checkout`, { checkout: { enabled: true } }))
    const { url } = await site.step(funnel.id, path, { markup: saying('Buy', markup), show_page_step: { product_ids } })
    context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(origin + new URL(url).pathname)
    await page.getByLabel('Order summary').getByText('$12.50').first().waitFor()
    return page
  }

  it('ask for addresses only while the cart has something to ship', async () => {
    const page = await open('/mixed', '<checkout/>')
    const same = page.getByText('The billing address is the same')
    const address = page.getByRole('group', { name: 'Shipping address' })
    const shown = async () => [await same.isVisible(), await address.isVisible()]
    await page.getByLabel('Card number').waitFor()
    expect(await shown()).to.deep.equal([false, false])
    await page.getByRole('radio', { name: '$20.00' }).check()
    await address.waitFor()
    expect(await shown()).to.deep.equal([true, true])
    await page.getByRole('radio', { name: '$12.50' }).check()
    await same.waitFor({ state: 'hidden' })
    expect(await shown()).to.deep.equal([false, false])
  })

  it('have no step for a delivery of nothing, also when the cart changes on the way', async () => {
    const page = await open('/steps', '<checkout steps="3"/>')
    const [delivery, card] = [page.locator('legend', { hasText: 'Delivery' }), page.getByLabel('Card number')]
    const next = page.getByRole('button', { name: 'Continue' })
    await introduce(page)
    await next.click()
    await card.waitFor()
    expect(await delivery.isVisible()).to.equal(false)
    await page.getByRole('radio', { name: '$20.00' }).check()
    await delivery.waitFor()
    await page.getByLabel('City').waitFor()
    await page.getByRole('radio', { name: '$12.50' }).check()
    await delivery.waitFor({ state: 'hidden' })
    expect(await card.isVisible()).to.equal(true)
    await page.reload()
    await page.getByLabel('Order summary').getByText('$12.50').first().waitFor()
    await page.getByRole('radio', { name: '$20.00' }).check()
    await page.getByLabel('Order summary').getByText('$20.00').first().waitFor()
    await introduce(page)
    await next.click()
    await delivery.waitFor()
    expect(await card.isVisible()).to.equal(false)
    // The parcel is taken out of the cart in the very step that asks where it goes.
    await page.getByRole('radio', { name: '$12.50' }).check()
    await card.waitFor()
    expect(await page.getByRole('button', { name: 'Complete purchase' }).isVisible()).to.equal(true)
  })

  it('say of a code what is wrong beside its field, and once', async () => {
    const page = await open('/codes', '<checkout/>')
    const code = page.getByLabel('Discount code')
    await code.fill('NOSUCH')
    await code.press('Enter')
    const said = page.getByText('NOSUCH')
    await said.first().waitFor()
    expect(await said.filter({ visible: true }).count()).to.equal(1)
    expect(await code.getAttribute('aria-invalid')).to.equal('true')
    const id = await code.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${id}"]`).textContent()).to.equal(
      await said.filter({ visible: true }).textContent(),
    )
    await code.fill('')
    await code.press('Enter')
    await said.first().waitFor({ state: 'hidden' })
    expect(await code.getAttribute('aria-invalid')).to.equal(null)
  })

  it('say everything else once, by the button', async () => {
    const page = await open('/declined', '<checkout/>')
    await introduce(page)
    await page.getByLabel('Card number').fill('4000 0000 0000 0002')
    await page.locator('[autocomplete=cc-exp]').fill('12 / 40')
    await page.locator('[autocomplete=cc-csc]').fill('123')
    await page.getByRole('button', { name: 'Complete purchase' }).click()
    const said = page.getByText('The card was declined')
    const visible = said.filter({ visible: true })
    await visible.waitFor()
    expect(await visible.count()).to.equal(1)
  })
})
