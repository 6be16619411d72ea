import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { INIT } from './support/fake-sdk.ts'
import { OPT_IN, pause, useBrowsing, type Visitor } from './support/visitor.ts'

describe(`SDK in Chromium: forms${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()

  /** Opens a page and waits until its form is known. */
  const opened = async (body = OPT_IN, parts: object = {}): Promise<Visitor> => {
    browsing.write('shop.test/', { body, ...parts })
    const visitor = await browsing.visit()
    await visitor.open('shop.test/')
    await visitor.page.waitForSelector(`form[action="${browsing.sdk.url}/submit"]`)
    return visitor
  }
  const join = async ({ page }: Visitor) => {
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL('**/next/signed')
  }

  it('posts marked elements of one form alone, under their names', async () => {
    const { sdk } = browsing
    const visitor = await opened(`<form><input type="email" data-cf-element="email"><input name="csrf" value="secret">
      <input type="checkbox" data-cf-element="custom-attribute:terms" value="yes" checked>
      <input type="checkbox" data-cf-element="custom-attribute:news" value="yes">
      <input type="radio" name="size" data-cf-element="custom-attribute:Size" value="s"><input type="radio" name="size" data-cf-element="custom-attribute:Size" value="m" checked>
      <select data-cf-element="custom-attribute:color"><option>red<option selected>blue</select>
      <textarea data-cf-element="custom-attribute:note">a
b</textarea><input data-cf-element="phone" disabled value="1"><fieldset disabled><input data-cf-element="name" value="x"></fieldset>
      <div data-cf-element="first-name"></div><button>Join</button></form>
      <form><input data-cf-element="last-name" value="other form"></form>`)
    await join(visitor)
    const [{ token, url, nonce, session, data }] = sdk.asked('/submit')
    expect(data).to.deep.equal([
      ['email', 'ana@example.test'],
      ['custom-attribute:terms', 'yes'],
      ['custom-attribute:Size', 'm'],
      ['custom-attribute:color', 'blue'],
      ['custom-attribute:note', 'a\nb'],
    ])
    expect({ url, nonce, session }).to.deep.equal({
      url: `http://shop.test:${sdk.port}/`,
      nonce: 'nonce-2',
      session: 'secret-1',
    })
    expect(token).to.match(/^cfp_/)
    expect(visitor.errors).to.deep.equal([])
  })

  for (const type of ['; charset=windows-1252', '', '; charset=iso-8859-2', '; charset=Shift_JIS', '; charset=utf-8']) {
    it(`posts what was typed from a page of text/html${type}`, async () => {
      const body = `<form><input type="email" data-cf-element="email"><input id="name" data-cf-element="name">
        <input id="note" data-cf-element="custom-attribute:note"><button>Join</button></form>`
      const visitor = await opened(body, { headers: { 'Content-Type': `text/html${type}` } })
      await visitor.page.fill('#name', 'José Müller')
      await visitor.page.fill('#note', '日本 😀 ☃')
      await join(visitor)
      const [{ data }] = browsing.sdk.asked('/submit')
      expect(data.slice(1)).to.deep.equal([
        ['name', 'José Müller'],
        ['custom-attribute:note', '日本 😀 ☃'],
      ])
    })
  }

  it('warns once of each element that it ignores, and of nothing else', async () => {
    const { said } =
      await opened(`<form><input data-cf-element="email"><input name="csrf"><div data-cf-element="phone"></div>
      <input type="submit" value="Go"><button data-cf-unknown="x">Join</button></form><input data-cf-element="name">
      <input data-cf-element="nonsense"><input name="outside"><div id="host"></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<input data-cf-element="email">'</script>`)
    await pause(300)
    const warnings = said.filter((text) => !/^(Init response|Found form)/.test(text))
    expect(warnings.map((text) => text.replace(/ (JSHandle@node|<.*)$/, ''))).to.have.members(
      [
        'A control without data-cf-element is not sent',
        'data-cf-element="phone" means nothing on <div>: ignored',
        'data-cf-element="name" is in no form: ignored',
        'data-cf-element="nonsense" means nothing on <input>: ignored',
      ].map((text) => text.replace(/ <.*$/, '')),
    )
    expect(said.filter((text) => text.startsWith('Found form'))).to.have.length(1)
  })

  it('warns the author of an offer when those who do not want it are stuck', async () => {
    browsing.sdk.answer('/init', () => ({ ...INIT, offer: true }))
    browsing.sdk.mount = 'export const mount = () => ({ dispose() {} })'
    const accept = '<button type="button" data-cf-element="oto-accept" value="v|p">Yes</button>'
    const warnings = async (body: string) => {
      const { said } = await opened(OPT_IN + body)
      await until(() => said.some((text) => text.startsWith('Init response')))
      await pause(200)
      return said.filter((text) => text.startsWith('A page of an offer needs an oto-decline'))
    }
    expect(await warnings(accept)).to.have.length(1)
    expect(await warnings(`${accept}<button data-cf-element="oto-decline">No</button>`)).to.deep.equal([])
  })

  it('finds forms that come later', async () => {
    const visitor = await opened()
    await visitor.page.evaluate(`document.body.innerHTML = ${JSON.stringify(OPT_IN)}`)
    await visitor.page.waitForSelector(`form[action="${browsing.sdk.url}/submit"]`)
    await join(visitor)
    expect(browsing.sdk.asked('/submit')).to.have.length(1)
  })

  it('13a-35 submits once for a double click, Enter and a click, and Enters over a slow nonce', async () => {
    const { sdk } = browsing
    sdk.answer('/nonce', async () => {
      await pause(700)
      return { ok: true, nonce: 'slow' }
    })
    const visitor = await opened()
    const { page } = visitor
    await page.fill('[type=email]', 'ana@example.test')
    await page.press('[type=email]', 'Enter')
    await page.dblclick('button')
    await page.press('[type=email]', 'Enter')
    await page.waitForURL('**/next/signed')
    expect([sdk.asked('/nonce').length, sdk.asked('/submit').length]).to.deep.equal([1, 1])
  })

  it('13a-36 lets the visitor submit again after a nonce has failed, and says why', async () => {
    const { sdk } = browsing
    let count = 0
    sdk.answer('/nonce', () => ({ ok: false, error: { code: 'failed', message: 'no' } }))
    const visitor = await opened()
    await visitor.page.route('**/nonce', (route) => (++count === 1 ? route.abort() : route.continue()))
    const { page, said } = visitor
    const failures = () => said.filter((text) => text.startsWith('The form was not submitted'))
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await until(() => failures().length === 1)
    await page.click('button')
    await until(() => failures().length === 2)
    sdk.answer('/nonce', () => ({ ok: true, nonce: 'n' }))
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(sdk.asked('/submit')).to.have.length(1)
  })

  it('13a-37 works again after Back, with a new nonce', async () => {
    const { sdk } = browsing
    const visitor = await opened()
    await join(visitor)
    await visitor.page.goBack({ waitUntil: 'commit' })
    await visitor.page.waitForSelector(`form[action="${sdk.url}/submit"]`)
    expect(await visitor.page.evaluate('document.querySelector("button").disabled')).to.equal(false)
    expect(
      await visitor.page.evaluate(
        'document.querySelector("button").autocomplete ?? document.querySelector("button").getAttribute("autocomplete")',
      ),
    ).to.equal('off')
    await join(visitor)
    const nonces = sdk.asked('/submit').map(({ nonce }) => nonce)
    expect(new Set(nonces).size).to.equal(2)
  })

  for (const [how, parts] of [
    ['header', { headers: { 'Referrer-Policy': 'no-referrer' } }],
    ['meta', { head: '<meta name="referrer" content="no-referrer">' }],
  ] as const) {
    it(`13a-38 fetches the nonce under the true origin where a ${how} hides that of navigations`, async () => {
      const { sdk } = browsing
      await join(await opened(OPT_IN, parts))
      const originOf = (path: string) => sdk.calls.find((call) => call.path === path)?.origin
      expect([originOf('/nonce'), originOf('/submit')]).to.deep.equal([`http://shop.test:${sdk.port}`, 'null'])
    })
  }

  /** A visitor who was here before, and typed something. */
  const returned = async (body: string, fields: object, delay = 0) => {
    const visitor = await opened()
    await until(() => browsing.sdk.asked('/visits').length)
    browsing.sdk.answer('/prefill', async () => {
      await pause(delay)
      return { ok: true, fields }
    })
    browsing.write('shop.test/second', { body })
    await visitor.open('shop.test/second')
    await until(() => browsing.sdk.asked('/prefill').length)
    return visitor
  }
  const FIELDS = { email: 'ana@example.test', first_name: 'Ana', last_name: 'Bo' }

  it('13a-41 fills in what React would take for its own, and both names into one', async () => {
    const body = `<form><input type="email" data-cf-element="email"><input id="name" data-cf-element="name">
      <input id="phone" data-cf-element="phone"><input id="first" value="Host" data-cf-element="first-name"><button>Join</button></form>
      <script>
        const input = document.querySelector('input')
        const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
        let state = '', heard = 0
        Object.defineProperty(input, 'value', { get: native.get, set() { throw new Error('the tracker of React') } })
        input.addEventListener('input', () => { state = native.get.call(input) })
        document.addEventListener('input', () => heard++)
        setInterval(() => native.set.call(input, state), 50)
      </script>`
    const { page, errors } = await returned(body, FIELDS)
    await until(() => page.evaluate('document.querySelector("#name").value !== ""'))
    await pause(150)
    const values = await page.evaluate('[...document.querySelectorAll("input")].map((input) => input.value)')
    expect(values).to.deep.equal(['ana@example.test', 'Ana Bo', '', 'Host'])
    expect(await page.evaluate('heard')).to.equal(2)
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(browsing.sdk.asked('/submit')[0].data[0]).to.deep.equal(['email', 'ana@example.test'])
    expect(errors).to.deep.equal([])
  })

  it('13a-42 leaves what was typed, and the field that has the focus, when the answer comes late', async () => {
    const body = `<form><input id="email" data-cf-element="email"><input id="first" data-cf-element="first-name">
      <input id="last" data-cf-element="last-name"><input id="phone" data-cf-element="phone"><button>Join</button></form>`
    const { page } = await returned(body, { ...FIELDS, phone: '123' }, 1000)
    await page.fill('#email', 'bo@example.test')
    await page.fill('#last', 'x')
    await page.fill('#last', '')
    await page.focus('#first')
    await until(() => page.evaluate('document.querySelector("#phone").value === "123"'))
    expect(await page.evaluate('[...document.querySelectorAll("input")].map((input) => input.value)')).to.deep.equal([
      'bo@example.test',
      '',
      '',
      '123',
    ])
  })
})
