import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { hasChromium, startChromium } from '../../support/chromium.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { browsedSite, type HostedSite, saying } from './support.ts'

describe('hosted pages with the SDK', () => {
  let browser: Browser
  let site: HostedSite
  let origin: string
  before(async function () {
    if (!hasChromium) this.skip()
    browser = await startChromium()
    ;({ site, origin } = await browsedSite())
  })
  after(async () => browser?.close())

  for (const byMachine of [false, true]) {
    it(`take an opt-in and lead to the next step, ${byMachine ? 'under the name of the machine' : 'at their own host'}`, async () => {
      const funnel = await site.funnel('Opt in')
      const markup = saying(
        'Join',
        '<input type="email" label="E-mail"/><input type="text" name="color" label="Color"/><button>Go</button>',
      )
      await site.step(funnel.id, '/join', { markup })
      await site.step(funnel.id, '/thanks', { markup: saying('Thank you') })
      const at = byMachine ? origin.replace(site.host, 'localhost') : origin
      const context = await browser.newContext()
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(at + funnel.current_path)
      const email = `ann-${byMachine}@example.com`
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Color').fill('red')
      await page.waitForFunction('document.forms[0].action.endsWith("/submit")')
      await page.getByRole('button', { name: 'Go' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(new URL(page.url()).origin).to.equal(at)
      expect(problems).to.deep.equal([])
      await waitUntilSettled(site.service)
      const contacts = createdBody(await site.tenant.api.get(`/workspaces/${site.tenant.workspaceId}/contacts`))
      const found = contacts.find(({ email_address }: { email_address: string }) => email_address === email)
      expect(found.custom_attributes).to.deep.equal({ color: 'red' })
      await context.close()
    })
  }

  it('take a form outside of funnels too, thank, and show visitors nothing that is for developers', async () => {
    const { api, workspaceId } = site.tenant
    const form = saying('Join', '<input type="email" label="E-mail"/><button>Go</button>')
    const made = await site.standalone('/landing', { markup: form })
    const [theme] = createdBody(await api.get(`/workspaces/${workspaceId}/themes`))
    const template_pages = { not_found_template_page: made.public_id }
    createdBody(await api.put(`/themes/${theme.id}`, { theme: { template_pages } }))
    for (const path of ['/landing', '/not/there']) {
      const page = await (await browser.newContext()).newPage()
      const chunks: string[] = []
      page.on('request', (request) => chunks.push(new URL(request.url()).pathname))
      await page.goto(origin + path)
      await page.getByLabel('E-mail').fill(`at${path.replaceAll('/', '-')}@example.com`)
      await page.waitForFunction('document.forms[0].action.endsWith("/submit")')
      await page.getByRole('button', { name: 'Go' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(chunks.filter((chunk) => chunk.includes('badge'))).to.deep.equal([])
      await page.getByRole('link', { name: 'Back to the page' }).click()
      await page.getByRole('heading', { name: 'Join' }).waitFor()
      await page.waitForFunction('!location.hash')
      expect(page.url()).to.equal(origin + path)
      await page.context().close()
    }
    await waitUntilSettled(site.service)
    const contacts = createdBody(await api.get(`/workspaces/${workspaceId}/contacts`))
    const addresses = contacts.map(({ email_address }: { email_address: string }) => email_address)
    expect(addresses).to.include.members(['at-landing@example.com', 'at-not-there@example.com'])
  })

  it('13b 23: sell by a checkout, with a bump and two prices, and confirm the order to its buyer alone', async () => {
    const { api, workspaceId } = site.tenant
    const productOf = async (name: string, ...amounts: readonly string[]) => {
      const { id } = createdBody(await api.post(`/workspaces/${workspaceId}/products`, { product: { name } }))
      const [variant] = createdBody(await api.get(`/products/${id}/variants`))
      for (const amount of amounts) {
        const products_price = { amount, payment_type: 'one_time' }
        createdBody(await api.post(`/products/variants/${variant.id}/prices`, { products_price }))
      }
      return Number(id)
    }
    const [mug, sticker] = [await productOf('Mug', '12.5', '20'), await productOf('Sticker', '2')]
    const funnel = await site.funnel('Shop')
    createdBody(await api.put(`/funnels/${funnel.id}/checkout`, { checkout: { enabled: true } }))
    const bumps = [{ product_id: sticker, preheadline: 'Only today' }]
    const show_page_step = { product_ids: [mug], bumps }
    await site.step(funnel.id, '/buy', { markup: saying('Buy', '<checkout/>'), show_page_step })
    await site.step(funnel.id, '/done', { markup: saying('Done', '<confirmation/>') })
    const context = await browser.newContext()
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(origin + funnel.current_path)
    const summary = page.getByLabel('Order summary')
    await summary.getByText('$12.50').first().waitFor()
    await page.getByRole('radio', { name: '$20.00' }).check()
    await page.getByRole('checkbox', { name: 'Sticker' }).check()
    await summary.getByText('$22.00').first().waitFor()
    await page.getByLabel('E-mail address').fill('buyer@example.com')
    await page.getByLabel('First name').fill('Ann')
    await page.getByLabel('Last name').fill('Lee')
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.locator('[autocomplete=cc-exp]').fill('12 / 40')
    await page.locator('[autocomplete=cc-csc]').fill('123')
    await page.getByRole('button', { name: 'Complete purchase' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const order = page.getByRole('status')
    await order.getByText('$22.00').first().waitFor()
    expect(await order.textContent())
      .to.include('Thank you for your order')
      .and.match(/Order #\d+/)
      .and.include('Sticker')
    const { text } = await site.get(new URL(page.url()).pathname)
    for (const word of ['22.00', 'Sticker', 'buyer@']) expect(text).not.to.include(word)
    await page.reload()
    await order.getByText('$22.00').first().waitFor()
    const elsewhere = await (await browser.newContext()).newPage()
    const told = elsewhere.waitForResponse((answer) => answer.url().endsWith('/orders'))
    await elsewhere.goto(page.url())
    expect(await (await told).json()).to.deep.equal({ ok: true, orders: [] })
    expect(await elsewhere.getByRole('status').textContent()).to.equal('Thank you for your order.')
    await elsewhere.context().close()
    expect(problems).to.deep.equal([])
    await waitUntilSettled(site.service)
    const [made] = createdBody(await api.get(`/workspaces/${workspaceId}/orders`))
    expect(made).to.include({ total_amount: '22.00' })
    expect(await order.textContent()).to.include(made.order_number)
    await context.close()
  })
})
