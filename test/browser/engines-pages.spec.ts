import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import type { Engine, Started } from './support/engines.ts'
import { type FakeSdk, INIT, startFakeSdk } from './support/fake-sdk.ts'
import { FIREFOX_ESR } from './support/firefox.ts'
import { handIn } from './support/hand.ts'
import { OTHER, pause, writerTo } from './support/visitor.ts'
import { WEBKIT_GTK } from './support/webkit.ts'

const pages = ({ name, whyNot, start }: Engine): void => {
  describe(`SDK in ${name}: pages and their hosts${whyNot ? ` (skipped: ${whyNot})` : ''}`, function () {
    this.timeout(60_000)
    let sdk: FakeSdk
    let write: ReturnType<typeof writerTo>
    let started: Started
    let visitor: ReturnType<typeof handIn>

    before(async function () {
      if (whyNot) this.skip()
      sdk = await startFakeSdk()
      write = writerTo(sdk)
      started = await start(sdk.port)
      visitor = handIn(started)
    })
    after(async () => {
      await started?.close()
      await sdk?.close()
    })
    beforeEach(() => sdk.reset())

    const visits = () => sdk.asked('/visits')
    /** Opens a page, and waits until the browser has the answer to its visit. */
    const open = async (address: string) => {
      const count = visits().length
      const [host, ...path] = address.split('/')
      await visitor.go(`http://${host}:${sdk.port}/${path.join('/')}`)
      await eventually(async () => expect(visits()).to.have.length(count + 1))
      await pause(200)
    }

    it('takes no cookies of third parties, so that what works here works without them', async () => {
      const bake = `document.cookie = 'taste=sweet; path=/'`
      sdk.show('other.test/', `<!doctype html><script>${bake}; parent.postMessage([document.cookie], '*')</script>`)
      const frame = `<iframe src="http://other.test:${sdk.port}/"></iframe>`
      sdk.show('embedding.test/', `<!doctype html><script>onmessage = ({ data }) => { heard = data }</script>${frame}`)
      await visitor.go(`http://other.test:${sdk.port}/`)
      expect(await visitor.run('document.cookie'), 'its own').to.equal('taste=sweet')
      await visitor.go(`http://embedding.test:${sdk.port}/`)
      await visitor.wait('window.heard')
      expect(await visitor.run('heard')).to.deep.equal([''])
    })

    it('13a 14: keeps its cookie from hosts beside it below a public suffix', async () => {
      write('alice.github.io/', { policy: '' })
      write('bob.github.io/', { policy: '' })
      await open('alice.github.io/')
      await open('alice.github.io/')
      const cookie = await visitor.run('document.cookie')
      expect(cookie).to.match(/^cf_\w+=[\w-]{22}secret-\d+$/)
      await open('bob.github.io/')
      const [first, second, beside] = visits()
      expect([second.session, second.visitor]).to.deep.equal([
        String(cookie).slice(-second.session.length),
        first.visitor,
      ])
      expect(beside.session).to.equal(undefined)
      expect(beside.visitor).not.to.equal(first.visitor)
    })

    it('13a 15: keeps two workspaces on one origin apart', async () => {
      sdk.answer('/init', ({ query }) => ({ ...INIT, space: query.get('sdk_page_token') === OTHER ? 'w2' : 'w1' }))
      write('shop.test/one')
      write('shop.test/two', { token: OTHER })
      for (const path of ['one', 'two', 'one', 'two']) await open(`shop.test/${path}`)
      const [one, two, ...later] = visits()
      expect([one.session, two.session]).to.deep.equal([undefined, undefined])
      expect(later.map(({ visitor }) => visitor)).to.deep.equal([one.visitor, two.visitor])
      expect(new Set(later.map(({ session }) => session)).size).to.equal(2)
    })

    it('13a 37: a form works again after Back, with a new nonce, under a strict policy', async () => {
      write('form.test/')
      await open('form.test/')
      for (const count of [1, 2]) {
        await visitor.type('Email', 'ana@example.test')
        await visitor.press('Join')
        await visitor.at(/next\/signed/)
        expect(sdk.asked('/submit')).to.have.length(count)
        await visitor.run('void setTimeout(() => history.back())')
        await visitor.at(/form\.test/)
        await visitor.wait(`document.querySelector('form[action="${sdk.url}/submit"]')`)
        expect(await visitor.read('button("Join").disabled')).to.equal(false)
      }
      const nonces = sdk.asked('/submit').map(({ nonce }) => nonce)
      expect(new Set(nonces).size).to.equal(2)
    })
  })
}

for (const engine of [FIREFOX_ESR, WEBKIT_GTK]) pages(engine)
