import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { INIT } from './support/fake-sdk.ts'
import { type Browsing, OPT_IN, OTHER, pause, startBrowsing, TOKEN, until } from './support/visitor.ts'

/** A form whose inputs have names, so that a native submit would write them into the address. */
const NAMED = `<form><input name="email" data-cf-element="email"><input name="first" data-cf-element="first-name"><button>Join</button></form>`

/** A checkout that writes down what it is asked to do. */
const MOUNT = `
const state = { errors: [] }
const mount = (core) => {
  core.onAction(({ name, element, form }) => {
    document.documentElement.dataset.acts = [document.documentElement.dataset.acts ?? '', name, element.localName].join(' ').trim()
  })
  const answer = async () => state
  return { setQuantity: answer, updateState: answer, setShipping: answer, currentState: answer, dispose() {} }
}`

describe(`SDK in Chromium: boot${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let browsing: Browsing
  before(async function () {
    if (WHY_NOT) this.skip()
    browsing = await startBrowsing()
  })
  after(() => browsing?.close())
  beforeEach(() => browsing.sdk.reset())

  const acts = (page: { evaluate(code: string): Promise<unknown> }) =>
    page.evaluate('document.documentElement.dataset.acts')

  it('13a-1 keeps a submit before boot, which never enters the address and goes through once', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/init', async () => {
      await pause(1500)
      return INIT
    })
    write('shop.test/', { body: NAMED })
    const { page, open, errors } = await visit()
    await open('shop.test/')
    await page.fill('[name=email]', 'ana@example.test')
    await page.press('[name=email]', 'Enter')
    await page.press('[name=email]', 'Enter')
    expect(page.url()).to.equal(`http://shop.test:${sdk.port}/`)
    await until(() => sdk.asked('/submit').length > 0)
    await page.waitForURL('**/next/signed')
    expect(sdk.asked('/submit')).to.have.length(1)
    expect(sdk.asked('/submit')[0].data).to.deep.equal([
      ['email', 'ana@example.test'],
      ['first-name', ''],
    ])
    expect(errors).to.deep.equal([])
  })

  it('13a-1 keeps pay and oto-accept before boot alike', async () => {
    const { sdk, write, visit } = browsing
    sdk.mount = MOUNT
    sdk.answer('/init', async () => {
      await pause(1000)
      return { ...INIT, offer: true, checkout: { gateway: 'simulator', key: null, live: false } }
    })
    const body = `<form><input name="email" data-cf-element="email"><div data-cf-element="payment-method"></div>
      <button data-cf-element="pay">Pay</button></form><button data-cf-element="oto-accept" value="v|p">Yes</button>`
    write('shop.test/', { body })
    const { page, open, errors } = await visit()
    await open('shop.test/')
    await page.fill('[name=email]', 'ana@example.test')
    await page.click('[data-cf-element=pay]')
    await page.click('[data-cf-element=oto-accept]')
    await until(async () => String(await acts(page)).includes('oto'))
    expect(await acts(page)).to.equal('pay button oto-accept button')
    expect(page.url()).to.equal(`http://shop.test:${sdk.port}/`)
    expect(errors).to.deep.equal([])
  })

  it('takes a pay that is no submit button, once the form is valid', async () => {
    const { sdk, write, visit } = browsing
    sdk.mount = MOUNT
    sdk.answer('/init', () => ({ ...INIT, checkout: { gateway: 'simulator', key: null, live: false } }))
    const body = `<form><input data-cf-element="email" required><button type="button" data-cf-element="pay">Pay</button></form>`
    write('shop.test/', { body })
    const { page, open, errors } = await visit()
    await open('shop.test/')
    await page.waitForSelector(`form[action="${sdk.url}/submit"]`)
    await page.click('button')
    await pause(200)
    expect(await acts(page)).to.equal(undefined)
    await page.fill('input', 'ana@example.test')
    await page.click('button')
    await until(() => acts(page))
    expect(await acts(page)).to.equal('pay button')
    expect(errors).to.deep.equal([])
  })

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

  it('13a-9 works while a blocker refuses every visit, and has no name that one would refuse', async () => {
    const { sdk, write, visit } = browsing
    write('shop.test/')
    const requested: string[] = []
    const { page, open } = await visit((context) => context.route('**/visits', (route) => route.abort()))
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await open('shop.test/')
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(requested.filter((name) => /analytics|track|pixel|beacon|collect|event/i.test(name))).to.deep.equal([])
    expect(sdk.asked('/submit')[0].session).to.equal(undefined)
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
