import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { INIT } from './support/fake-sdk.ts'
import { OPT_IN, OTHER, pause, useBrowsing, type Visitor } from './support/visitor.ts'

describe(`SDK in Chromium: identity and visits${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()

  const visits = () => browsing.sdk.asked('/visits')
  /** Waits for visits, and until the browser has the answer of the last. */
  const counted = async (count: number) => {
    await until(() => visits().length === count, `${count} visits`)
    await pause(100)
  }
  const hashOf = ({ page }: Visitor) => page.evaluate('location.hash')

  it('13a-14 keeps its cookie from hosts beside it below a public suffix', async () => {
    const { write, visit } = browsing
    write('alice.github.io/', { policy: '' })
    write('bob.github.io/', { policy: '' })
    const visitor = await visit()
    await visitor.open('alice.github.io/')
    await counted(1)
    await visitor.open('alice.github.io/')
    await counted(2)
    expect(visits()[1].session).to.equal('secret-1')
    expect(visits()[1].visitor).to.equal(visits()[0].visitor)
    await visitor.open('bob.github.io/')
    await counted(3)
    expect(visits()[2].session).to.equal(undefined)
    const cookies = (await visitor.context.cookies()).map(
      ({ name, domain }) => `${domain} ${name.replace(/\d{4,}/, 'PORT')}`,
    )
    expect(cookies).to.have.members([
      'alice.github.io cf_http_sdk_test_PORT_w1',
      'bob.github.io cf_http_sdk_test_PORT_w1',
    ])
  })

  it('13a-15 keeps two workspaces on one origin apart', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/init', ({ query }) => ({ ...INIT, space: query.get('sdk_page_token') === OTHER ? 'w2' : 'w1' }))
    write('shop.test/one')
    write('shop.test/two', { token: OTHER })
    const visitor = await visit()
    for (const path of ['one', 'two', 'one', 'two']) {
      await visitor.open(`shop.test/${path}`)
      await until(() => visits().length && visits().at(-1).url.endsWith(path))
      await pause(100)
    }
    expect(visits().map(({ session }) => session)).to.deep.equal([undefined, undefined, 'secret-1', 'secret-2'])
    expect(new Set(visits().map(({ visitor }) => visitor)).size).to.equal(2)
  })

  it('13a-16 starts as a new visitor when the server refuses a ticket', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/trade', () => ({ ok: false, error: { code: 'session_invalid', message: 'This ticket is used.' } }))
    write('shop.test/')
    const visitor = await visit()
    await visitor.open('shop.test/#cf_ticket=t1')
    await counted(1)
    expect(visits()[0].session).to.equal(undefined)
    expect(sdk.asked('/prefill')).to.deep.equal([])
    await visitor.page.reload()
    await counted(2)
    expect(sdk.asked('/trade')).to.have.length(1)
  })

  it('13a-17 trades a ticket also after a reload before it could, under the same key', async () => {
    const { sdk, write, visit } = browsing
    let isHeld = true
    sdk.answer('/init', async () => {
      while (isHeld) await pause(20)
      return INIT
    })
    write('shop.test/')
    const visitor = await visit()
    await visitor.open('shop.test/#cf_ticket=t1')
    expect(await hashOf(visitor)).to.equal('')
    await visitor.page.reload()
    isHeld = false
    await counted(1)
    expect(sdk.asked('/trade').map(({ ticket }) => ticket)).to.deep.equal(['t1'])
    expect(sdk.asked('/trade')[0].key).to.match(/^[\w-]{22}$/)
    expect(visits()[0].session).to.equal('traded-t1')
    await until(() => sdk.asked('/prefill').length)
    // Later the secret of the origin is enough.
    await visitor.page.goto('about:blank')
    await visitor.open('shop.test/#cf_ticket=old')
    await counted(2)
    expect(sdk.asked('/trade')[1].session).to.equal('traded-t1')
  })

  it('13a-18 takes the ticket out of the address before the load event, and nothing else, also when init fails', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/init', () => ({ ok: false, error: { code: 'url_mismatch', message: 'no' } }))
    write('shop.test/', { head: '<script>addEventListener("load", () => { window.atLoad = location.hash })</script>' })
    const visitor = await visit()
    for (const [before, after] of [
      ['#cf_ticket=t1', ''],
      ['#a=1&cf_ticket=t1&b=%20x&c', '#a=1&b=%20x&c'],
      ['#cf_ticket=t1&b=2', '#b=2'],
      ['#section', '#section'],
    ]) {
      await visitor.page.goto('about:blank')
      await visitor.open(`shop.test/?q=1${before}`)
      expect(await visitor.page.evaluate('[atLoad, location.search]')).to.deep.equal([after, '?q=1'])
    }
  })

  it('13a-24 counts a page anew that comes back from memory', async () => {
    const { write, visit } = browsing
    write('shop.test/')
    write('shop.test/away', { token: '', script: '' })
    const visitor = await visit()
    await visitor.open('shop.test/')
    await counted(1)
    await visitor.open('shop.test/away')
    await visitor.page.goBack({ waitUntil: 'commit' })
    await counted(2)
    const [first, second] = visits().map(({ visit }) => visit)
    expect([first.number, second.number]).to.deep.equal(first.load === second.load ? [1, 2] : [1, 1])
    // Whether the browser kept it is up to the browser; what it would do then is tried in any case.
    await visitor.page.evaluate('window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
    await counted(3)
    const third = visits()[2].visit
    expect([third.load, third.number]).to.deep.equal([second.load, second.number + 1])
    expect(new Set(visits().map(({ visit }) => visit.id)).size).to.equal(3)
  })

  it('13a-25 reports a visit while the page itself has all that the browser sends after it', async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/slow', async () => {
      await pause(1500)
      return { ok: true }
    })
    const head = `<script>fetch('${sdk.url}/slow', { method: 'POST', keepalive: true, body: JSON.stringify('x'.repeat(65500)) }).catch((error) => { document.title = error })</script>`
    write('shop.test/', { head })
    const visitor = await visit()
    await visitor.open('shop.test/')
    await counted(1)
    expect(await visitor.page.title()).to.equal('Page')
    expect(visitor.errors).to.deep.equal([])
  })

  it('13a-26 sends a visit again under the same id when its answer is lost', async () => {
    const { sdk, write, visit } = browsing
    // Twice, since the browser itself tries once more on a connection that was used before.
    let count = 0
    sdk.answer('/visits', () => (++count < 3 ? 'refuse' : { ok: true, session: 'kept' }))
    write('shop.test/')
    const visitor = await visit()
    await visitor.open('shop.test/')
    await counted(3)
    expect(new Set(visits().map(({ visit }) => visit.id)).size).to.equal(1)
    expect(visits().map(({ visit }) => visit.number)).to.deep.equal([1, 1, 1])
    const isKept = async () => (await visitor.context.cookies()).some(({ value }) => value.slice(22) === 'kept')
    await until(isKept, 'a session that is kept')
    await visitor.open('shop.test/')
    await counted(4)
    expect(visits()[3].session).to.equal('kept')
  })

  it('13a-27 reports the referrer as the browser names it, and as text/plain', async () => {
    const { sdk, write, visit } = browsing
    write('shop.test/')
    write('bank.test/', { token: '', script: '', policy: '', body: `<a href="http://shop.test:${sdk.port}/">Back</a>` })
    const visitor = await visit()
    await visitor.open('bank.test/')
    await visitor.page.click('a')
    await counted(1)
    expect(visits()[0].visit.referrer).to.equal(`http://bank.test:${sdk.port}/`)
    expect(sdk.calls.find(({ path }) => path === '/visits')?.type).to.match(/^text\/plain/)
  })

  it('13a-28 stores nothing without consent, and works', async () => {
    const { sdk, write, visit } = browsing
    write('shop.test/', { head: '<meta name="cf-consent" content="denied">' })
    const visitor = await visit((context) =>
      context.addInitScript(`const stored = []
        window.stored = stored
        const { set, get } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
        Object.defineProperty(Document.prototype, 'cookie', { get, set(value) { stored.push(value); set.call(this, value) } })
        const setItem = Storage.prototype.setItem
        Storage.prototype.setItem = function (...all) { stored.push(all); setItem.apply(this, all) }`),
    )
    await visitor.open('shop.test/#cf_ticket=t1')
    await counted(1)
    expect(visits()[0]).to.include({ consent: false, session: 'traded-t1' })
    expect(visits()[0]).not.to.have.property('visitor')
    await until(() => sdk.asked('/prefill').length)
    await visitor.page.fill('[type=email]', 'ana@example.test')
    expect(await visitor.page.evaluate('stored')).to.deep.equal([])
    expect(await visitor.context.cookies()).to.deep.equal([])
    await visitor.page.click('button')
    await visitor.page.waitForURL('**/next/signed')
    expect(sdk.asked('/submit')[0].session).to.equal('traded-t1')
  })

  it('13a-28 stores with consent given later, and forgets when it is taken back', async () => {
    const { write, visit } = browsing
    write('shop.test/', { head: '<meta name="cf-consent" content="denied">', body: OPT_IN })
    const visitor = await visit()
    await visitor.open('shop.test/')
    await counted(1)
    const say = (consent: string) =>
      visitor.page.evaluate(`document.querySelector('meta[name=cf-consent]').content = '${consent}'`)
    const kept = async () => (await visitor.context.cookies()).map(({ value }) => value.slice(22))
    await say('granted')
    await until(async () => (await kept())[0] === 'secret-1')
    await say('denied')
    await until(async () => (await kept()).length === 0)
    expect(await visitor.page.evaluate('localStorage.length')).to.equal(0)
  })
})
