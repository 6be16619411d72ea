import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { INIT } from './support/fake-sdk.ts'
import { type Browsing, OPT_IN, pause, startBrowsing, type Visitor } from './support/visitor.ts'

describe(`SDK in Chromium: as a guest in a page${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let browsing: Browsing
  before(async function () {
    if (WHY_NOT) this.skip()
    browsing = await startBrowsing()
  })
  after(() => browsing?.close())
  beforeEach(() => browsing.sdk.reset())

  /** Opens a page and waits until its form is known. */
  const opened = async (body = OPT_IN, parts: object = {}): Promise<Visitor> => {
    browsing.write('shop.test/', { body, ...parts })
    const visitor = await browsing.visit()
    await visitor.open('shop.test/')
    await visitor.page.waitForSelector(`form[action="${browsing.sdk.url}/submit"]`)
    return visitor
  }

  it('13a-8 stays idle on a page that changes all the time, and through many tokens', async () => {
    const { sdk } = browsing
    const visitor = await opened(`${OPT_IN}<div id="busy"></div>`, {
      head: `<script>
        window.counts = { observers: 0, listeners: 0 }
        const Observer = MutationObserver
        window.MutationObserver = class extends Observer { constructor(...all) { super(...all); counts.observers++ } }
        const add = EventTarget.prototype.addEventListener
        EventTarget.prototype.addEventListener = function (...all) { if (!(this instanceof AbortSignal)) counts.listeners++; return add.apply(this, all) }
      </script>`,
    })
    const { page, context } = visitor
    const counts = () => page.evaluate('({ ...counts })')
    const before = await counts()
    for (let turn = 0; turn < 20; turn++) {
      const token = `cfp_${String.fromCharCode(65 + turn).repeat(24)}`
      await page.evaluate(`document.querySelector('meta[name=cf-page-token]').content = '${token}'`)
      await until(() => sdk.calls.some(({ path, query }) => path === '/init' && query.get('sdk_page_token') === token))
    }
    await pause(200)
    expect(await counts()).to.deep.equal(before)

    const profiler = await context.newCDPSession(page)
    await profiler.send('Profiler.enable')
    await profiler.send('Profiler.start')
    await page.evaluate(`new Promise((resolve) => {
      const busy = document.querySelector('#busy'), end = performance.now() + 3000
      const step = () => {
        for (let n = 0; n < 50; n++) { busy.replaceChildren(document.createElement('p')) }
        performance.now() < end ? setTimeout(step, 10) : resolve()
      }
      step()
    })`)
    const { profile } = await profiler.send('Profiler.stop')
    const ours = new Set(profile.nodes.filter(({ callFrame }) => callFrame.url.startsWith(sdk.url)).map(({ id }) => id))
    const spent = (profile.samples ?? []).reduce(
      (sum, id, index) => sum + (ours.has(id) ? (profile.timeDeltas?.[index] ?? 0) : 0),
      0,
    )
    expect(spent / (profile.endTime - profile.startTime)).to.be.below(0.05)
  })

  it('shows an author in test mode what it makes of the page, by keyboard alone', async () => {
    const { sdk } = browsing
    sdk.answer('/init', () => ({ ...INIT, mode: 'preview', registered_url: 'https://shop.example/' }))
    const { page } = await opened()
    const button = page.getByRole('button', { name: 'SDK preview' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'SDK preview' })
    expect(await dialog.innerText()).to.include('https://shop.example/')
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
    const { violations } = (await page.evaluate('axe.run("aside")')) as { violations: { id: string }[] }
    expect(violations.map(({ id }) => id)).to.deep.equal([])
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).to.equal('dialog')
    expect(await button.getAttribute('aria-expanded')).to.equal('true')
    await page.keyboard.press('Escape')
    expect(await button.getAttribute('aria-expanded')).to.equal('false')
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('SDK preview')
  })
})
