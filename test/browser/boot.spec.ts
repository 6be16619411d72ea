import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { INIT } from './support/fake-sdk.ts'
import { OPT_IN, OTHER, pause, TOKEN, useBrowsing } from './support/visitor.ts'

describe(`SDK in Chromium: boot${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()

  it('13a-3 starts once, however often the script stands in the page and the form is mounted', async () => {
    const { sdk, write, visit } = browsing
    const script = `<script defer src="${sdk.url}/sdk.js"></script>`
    write('shop.test/', { script: script + script })
    const { page, open } = await visit()
    await open('shop.test/')
    await page.evaluate(
      `document.body.innerHTML += ''; document.head.append(Object.assign(document.createElement('script'), { src: '${sdk.url}/sdk.js' }))`,
    )
    await pause(500)
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL('**/next/signed')
    const counts = ['/init', '/visits', '/submit'].map((path) => sdk.calls.filter((call) => call.path === path).length)
    expect(counts).to.deep.equal([1, 1, 1])
  })

  for (const [how, getter] of [
    ['throws', `get() { throw new DOMException('no', 'SecurityError') }`],
    ['is null', 'get: () => null'],
  ]) {
    it(`13a-4 works where storage ${how}`, async () => {
      const { sdk, write, visit } = browsing
      write('shop.test/')
      const { page, open, errors } = await visit((context) =>
        context.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { ${getter} })
          Object.defineProperty(Document.prototype, 'cookie', { ${getter}, set() { throw new DOMException('no', 'SecurityError') } })`),
      )
      await open('shop.test/')
      await until(() => sdk.asked('/visits').length)
      await page.fill('[type=email]', 'ana@example.test')
      await page.click('button')
      await page.waitForURL('**/next/signed')
      expect(sdk.asked('/submit')[0].session).to.equal('secret-1')
      expect(errors).to.deep.equal([])
    })
  }

  it('13a-5 is not led astray by controls named like parts of a form', async () => {
    const { sdk, write, visit } = browsing
    const names = ['submit', 'action', 'method', 'elements', 'length', 'setAttribute']
    const body = `<form>${names.map((name) => `<input name="${name}" data-cf-element="custom-attribute:${name}">`).join('')}
      <input type="email" data-cf-element="email"><button id="submit">Join</button></form>`
    write('shop.test/', { body })
    const { page, open, errors } = await visit()
    await open('shop.test/')
    await page.waitForSelector(`form[action="${sdk.url}/submit"]`)
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(sdk.asked('/submit')[0].data.at(-1)).to.deep.equal(['email', 'ana@example.test'])
    expect(errors).to.deep.equal([])
  })

  const REFUSES = 'document.querySelector("input").value.includes("@") || event.preventDefault()'
  for (const [when, head, attribute, script] of [
    ['before the SDK', `<script>document.addEventListener('submit', (event) => { ${REFUSES} })</script>`, '', ''],
    ['at the form, before the SDK', '', `onsubmit="return document.querySelector('input').value.includes('@')"`, ''],
    ['after it, at the root', '', '', `document.body.addEventListener('submit', (event) => { ${REFUSES} })`],
    [
      'after it, and stops the event',
      '',
      '',
      `document.forms[0].addEventListener('submit', (event) => { event.stopImmediatePropagation(); ${REFUSES} })`,
    ],
  ] as const) {
    it(`13a-6 sends nothing when the page refuses a submit ${when}`, async () => {
      const { sdk, write, visit } = browsing
      const body = `<form ${attribute}><input data-cf-element="email"><button>Join</button></form>`
      write('shop.test/', { head, body })
      const { page, open } = await visit()
      await open('shop.test/')
      await page.waitForSelector(`form[action="${sdk.url}/submit"]`)
      if (script) await page.evaluate(script)
      await page.fill('input', 'ana')
      await page.click('button')
      await pause(300)
      expect(sdk.asked('/nonce')).to.have.length(0)
      await page.fill('input', 'ana@example.test')
      await page.click('button')
      await page.waitForURL('**/next/signed')
      expect(sdk.asked('/submit')).to.have.length(1)
    })
  }

  it('13a-7 knows the present token alone when it changes there and back', async () => {
    const { sdk, write, visit } = browsing
    let count = 0
    sdk.answer('/init', async ({ query }) => {
      const isFirst = ++count === 1
      await pause(isFirst ? 800 : query.get('sdk_page_token') === OTHER ? 400 : 100)
      return { ...INIT, space: isFirst ? 'first' : String(query.get('sdk_page_token')?.slice(-1)) }
    })
    write('shop.test/', { headers: {} })
    const { page, open, said } = await visit()
    await open('shop.test/')
    const turn = (token: string) =>
      page.evaluate(`document.querySelector('meta[name=cf-page-token]').content = '${token}'`)
    await turn(OTHER)
    await pause(80)
    await turn(TOKEN)
    await pause(1200)
    expect(sdk.asked('/visits').map(({ token }) => token)).to.deep.equal([TOKEN])
    expect(said.filter((text) => text.startsWith('Init response'))).to.have.length(1)
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(sdk.asked('/submit')[0].token).to.equal(TOKEN)
  })

  it('13b-44 answers a component, which asks before the app has changed the token, for the step it belongs to', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/init', ({ query }) => {
      const products = [{ id: query.get('sdk_page_token'), name: 'Mug', variants: [] }]
      return {
        ...INIT,
        checkout: { gateway: 'simulator', key: null, live: false },
        catalog: { products, bumpProducts: [] },
      }
    })
    write('shop.test/', { headers: {} })
    const { page, open } = await visit()
    await open('shop.test/')
    const ids = `then(({ products }) => products.map(({ id }) => id))`
    expect(await page.evaluate(`CfSdk.products().${ids}`)).to.deep.equal([TOKEN])
    const change = `document.querySelector('meta[name=cf-page-token]').content = '${OTHER}'`
    expect(
      await page.evaluate(`(() => { const asked = CfSdk.products(); ${change}; return asked.${ids} })()`),
    ).to.deep.equal([OTHER])
    expect(await page.evaluate(`CfSdk.products().${ids}`)).to.deep.equal([OTHER])
  })

  it('13a-9 fills in and submits while a blocker refuses every visit', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/prefill', () => ({ ok: true, fields: { first_name: 'Ana' } }))
    write('shop.test/')
    const { page, open, errors } = await visit((context) => context.route('**/visits', (route) => route.abort()))
    await open('shop.test/#cf_ticket=t1')
    await until(
      async () => (await page.inputValue('[data-cf-element=first-name]')) === 'Ana',
      'what was typed is there',
    )
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect([sdk.asked('/visits').length, sdk.asked('/submit')[0].session]).to.deep.equal([0, 'traded-t1'])
    expect(errors).to.deep.equal([])
  })

  it('13a-10 names the reason of a refused init in the console, and leaves the form to the browser', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/init', () => ({
      ok: false,
      error: { code: 'url_mismatch', message: 'The page is registered elsewhere.' },
    }))
    write('shop.test/', { body: OPT_IN, policy: '' })
    const { page, open, said } = await visit()
    await open('shop.test/')
    await until(
      () => said.some((text) => text.includes('Init response') && text.includes('url_mismatch')) || said.length > 0,
    )
    expect(await page.evaluate('document.forms[0].getAttribute("action")')).to.equal(null)
    expect(await page.evaluate('CfSdk.products()')).to.deep.equal({ products: [], bumpProducts: [] })
    expect(said.at(-1)).to.equal('products(): no checkout configuration for this page')
  })

  it('13a-11 tells init neither query nor fragment, so that landings share its answer', async () => {
    const { sdk, write, visit } = browsing
    write('shop.test/')
    const { page, open } = await visit()
    await open('shop.test/?utm_source=x&email=a%40b.test&gclid=1#top')
    await until(() => sdk.asked('/visits').length)
    await open('shop.test/?utm_source=y')
    await until(() => sdk.asked('/visits').length === 2)
    const inits = sdk.calls.filter((call) => call.path === '/init')
    expect(inits.map(({ query }) => query.get('url'))).to.deep.equal([`http://shop.test:${sdk.port}/`])
    expect(sdk.asked('/visits').map(({ visit }) => visit.search)).to.deep.equal([
      '?utm_source=x&email=a%40b.test&gclid=1',
      '?utm_source=y',
    ])
    expect(sdk.calls.filter(({ referrer }) => referrer?.includes('@') || referrer?.includes('%40'))).to.deep.equal([])
    await page.close()
  })

  it('13a-13 reports a landing whose query is not well-formed', async () => {
    const { sdk, write, visit } = browsing
    write('shop.test/')
    const { open, errors } = await visit()
    await open('shop.test/?utm_source=%E0%A4%A&utm_term=50%')
    await until(() => sdk.asked('/visits').length)
    expect(sdk.asked('/visits')[0].visit.search).to.equal('?utm_source=%E0%A4%A&utm_term=50%')
    expect(errors).to.deep.equal([])
  })
})
