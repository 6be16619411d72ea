import { createRequire } from 'node:module'
import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hasChromium, startChromium } from '../../support/chromium.ts'
import { testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite } from './support.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const EVERYTHING = `
<section bg="midnight" padding="60 20"><row><column>
  <headline size="xl" color="#ffffff" align="center">All there is</headline>
  <subheadline color="#ffffff" align="center">On one page</subheadline>
  <countdown type="evergreen" time="00:10:00" numbercolor="#ffffff" labelcolor="#ffffff"/>
</column></row></section>
<section><row cols="2">
  <column><image src="/images/none.png" alt="A mug"/><video src="https://youtu.be/abc"/><divider/>
    <list icon="star"><item>One</item><item>Two</item></list>
    <accordion><item title="Why?">Because.</item></accordion></column>
  <column bg="#f3f4f6" radius="md"><input type="email" label="E-mail" required="true"/><input type="first_name" placeholder="First name"/>
    <input type="text" name="color" label="Color"/><button>Sign up</button></column>
</row></section>
<section><row><column><paragraph>Text with <b>bold</b> and <span color="#1d4ed8">color</span>.</paragraph>
  <link href="/elsewhere">A link</link><flex gap="8"><button href="#top">Up</button><button style-guide="style2" href="#top">Up</button></flex>
  <product-name/><product-description/><product-price/></column></row></section>`

const SELLING =
  '<section><row><column><headline>Buy</headline><checkout steps="2"/><confirmation/></column></row></section>'

/** SDK of a test: it keeps what it is asked for, and answers with a cart. */
const SDK = `window.asked = []; window.listeners = []
const state = { line_items: [{ name: 'Mug', quantity: 1, unit_amount: 1250, line_amount: 1250 }],
  totals: { subtotal: 1250, discount: 250, tax: 0, shipping: 0, total: 1000, currency: 'USD' },
  shipping: { address_required: true, options: [{ id: 'a', name: 'Slow', amount: 0 }, { id: 'b', name: 'Fast', amount: 500 }], selected_option_id: 'a' }, errors: [] }
const call = (name) => (...given) => { window.asked.push([name, ...given]); for (const one of window.listeners) one(state); return Promise.resolve(state) }
window.CfSdk = { checkout: { setQuantity: call('setQuantity'), updateState: call('updateState'), setShipping: (id) => { state.shipping.selected_option_id = id; return call('setShipping')(id) },
  onStateChange: (listener) => { window.listeners.push(listener) }, onError: () => {}, onPending: () => {} } }`

describe('hosted pages in a browser', () => {
  let browser: Browser
  let context: BrowserContext
  let site: HostedSite
  let problems: string[]
  before(async function () {
    if (!hasChromium) this.skip()
    browser = await startChromium()
    site = await hostedSite(await testService())
  })
  after(async () => browser?.close())
  beforeEach(async () => {
    context = await browser.newContext()
    problems = []
  })
  afterEach(async () => context.close())

  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage()
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.route('**/sdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: SDK }))
    await page.route('**/*.png', (route) =>
      route.fulfill({ status: 200, contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    await page.goto(`http://${site.host}:${new URL(site.service.publicUrl).port}${path}`)
    return page
  }
  const violations = async (page: Page): Promise<readonly string[]> => {
    // The policy of the page lets no other script in, so that the tool is run by the debugger.
    await page.evaluate((await import('node:fs')).readFileSync(AXE, 'utf8'))
    const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
      readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
    }
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }
  const placed = async (path: string, markup: string) => {
    const { api, workspaceId } = site.tenant
    const product = createdBody(await api.post(`/workspaces/${workspaceId}/products`, { product: { name: 'Mug' } }))
    const [variant] = createdBody(await api.get(`/products/${product.id}/variants`))
    for (const amount of ['12.5', '20'])
      createdBody(
        await api.post(`/products/variants/${variant.id}/prices`, {
          products_price: { amount, payment_type: 'one_time' },
        }),
      )
    const funnel = await site.funnel('Shown')
    const fields = { markup, seo_title: 'A page', show_page_step: { product_ids: [product.id] } }
    return new URL((await site.step(funnel.id, path, fields)).url).pathname
  }

  it('have no problem that axe finds, on wide and narrow screens, light and dark', async () => {
    for (const [name, markup] of [
      ['/everything', EVERYTHING],
      ['/selling', SELLING],
    ] as const) {
      const page = await open(await placed(name, markup))
      for (const width of [1200, 360]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await violations(page), `${name} at ${width}`).to.deep.equal([])
        const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number
        expect(wide, `${name} at ${width}`).to.be.at.most(width)
      }
      expect(problems).to.deep.equal([])
    }
  })

  it('15: give no violation of their policy when they are loaded again and again', async () => {
    const page = await open(await placed('/again', EVERYTHING))
    for (let times = 0; times < 10; times++) await page.reload()
    expect(problems).to.deep.equal([])
  })

  it('22: count by the time of the server, and go on after a reload', async () => {
    const path = await placed('/counting', EVERYTHING)
    await context.clock.install({ time: new Date('2001-01-01') })
    const page = await open(path)
    const left = async () => {
      await page.waitForSelector('.countdown b')
      const texts = await page.locator('.countdown b').allTextContents()
      return Number(texts[2]) * 60 + Number(texts[3])
    }
    const first = await left()
    expect(first).to.be.within(540, 600)
    await new Promise((go) => setTimeout(go, 2500))
    await page.reload()
    expect(await left()).to.be.within(first - 60, first - 1)
  })

  it('13b 22: end at the same instant for every visitor, whatever their clocks say', async () => {
    const end = new Date(Date.now() + 2 * 60 * 60_000).toISOString()
    const [date, time] = [end.slice(0, 10), end.slice(11, 19)]
    const markup = `<section><row><column><headline>Soon</headline><countdown timezone="UTC" date="${date}" time="${time}"/></column></row></section>`
    const path = await placed('/ending', markup)
    const left = async (clock: string | undefined) => {
      const page = await (await browser.newContext()).newPage()
      if (clock !== undefined) await page.clock.setSystemTime(new Date(clock))
      await page.goto(`http://${site.host}:${new URL(site.service.publicUrl).port}${path}`)
      await page.waitForSelector('.countdown b')
      const [days, hours, minutes] = (await page.locator('.countdown b').allTextContents()).map(Number)
      await page.context().close()
      return days! * 24 * 60 + hours! * 60 + minutes!
    }
    for (const clock of [undefined, '2001-01-01', '2051-01-01']) expect(await left(clock)).to.be.within(115, 120)
  })

  it('tell the SDK which prices are chosen, and show its cart', async () => {
    const page = await open(await placed('/choosing', SELLING))
    const asked = () => page.evaluate('window.asked') as Promise<unknown[][]>
    await page.waitForFunction('window.asked.length > 0')
    const [[name, variant, price, quantity]] = (await asked()) as [string[]]
    expect([name, quantity]).to.deep.equal(['setQuantity', 1])
    await page.getByRole('radio', { name: '$20.00' }).check()
    const after = (await asked()).slice(1)
    expect(after.map(([call, , , count]) => [call, count])).to.have.deep.members([
      ['setQuantity', 0],
      ['setQuantity', 1],
    ])
    expect(after.find(([, , , count]) => count === 0)!.slice(1, 3)).to.deep.equal([variant, price])
    expect(await page.getByLabel('Order summary').first().textContent())
      .to.include('Mug$12.50')
      .and.to.include('Discount-$2.50')
      .and.to.include('Total$10.00')
    await page.getByRole('radio', { name: 'Fast' }).check()
    await page.getByLabel('Discount code').fill('WELCOME10')
    await page.getByLabel('Discount code').press('Enter')
    expect((await asked()).slice(-2)).to.deep.equal([
      ['setShipping', 'b'],
      ['updateState', { coupon_codes: ['WELCOME10'] }],
    ])
    expect(await page.getByRole('button', { name: 'Complete purchase' }).isVisible()).to.equal(false)
    await page.getByLabel('E-mail address').fill('ann@example.com')
    await page.getByLabel('First name').fill('Ann')
    await page.getByLabel('Last name').fill('Lee')
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByRole('button', { name: 'Complete purchase' }).isVisible()).to.equal(true)
    expect(problems).to.deep.equal([])
  })
})
