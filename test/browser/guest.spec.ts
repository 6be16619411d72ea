import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { INIT } from './support/fake-sdk.ts'
import { OPT_IN, pause, useBrowsing, type Visitor } from './support/visitor.ts'

describe(`SDK in Chromium: as a guest in a page${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()

  /** Opens a page and waits until its form is known. */
  const opened = async (body = OPT_IN, parts: object = {}): Promise<Visitor> => {
    browsing.write('shop.test/', { body, ...parts })
    const visitor = await browsing.visit()
    await visitor.open('shop.test/')
    await visitor.page.waitForSelector(`form[action="${browsing.sdk.url}/submit"]`)
    return visitor
  }

  /** Counts what the SDK leaves in a page, and how often it looks through it. */
  const COUNTED = `<script>
    window.counts = { observers: 0, listeners: 0, scans: 0 }
    const Observer = MutationObserver
    window.MutationObserver = class extends Observer { constructor(...all) { super(...all); counts.observers++ } }
    const add = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (...all) { if (!(this instanceof AbortSignal)) counts.listeners++; return add.apply(this, all) }
    const { querySelector } = Document.prototype
    Document.prototype.querySelector = function (text) { if (text === '[data-cf-element]') counts.scans++; return querySelector.call(this, text) }
  </script>`

  it('13a-8 stays idle on a page that replaces 5,000 nodes a second, and through 20 tokens', async () => {
    const { sdk } = browsing
    const { page, context } = await opened(`${OPT_IN}<div id="busy"></div>`, { head: COUNTED })
    const counts = async () => {
      const { observers, listeners } = await page.evaluate<{ observers: number; listeners: number }>('counts')
      return { observers, listeners }
    }
    const before = await counts()
    for (let turn = 0; turn < 20; turn++) {
      const token = `cfp_${String.fromCharCode(65 + turn).repeat(24)}`
      await page.evaluate(`document.querySelector('meta[name=cf-page-token]').content = '${token}'`)
      await until(() => sdk.asked('/visits').at(-1)?.token === token)
    }
    await pause(200)
    expect(await counts()).to.deep.equal(before)

    const profiler = await context.newCDPSession(page)
    await profiler.send('Profiler.enable')
    await profiler.send('Profiler.start')
    const replaced = await page.evaluate(`new Promise((resolve) => {
      const busy = document.querySelector('#busy'), begun = performance.now()
      let count = 0
      const step = () => {
        const passed = performance.now() - begun
        // So many by now, however late the timer is.
        for (; count < passed * 5; count++) busy.replaceChildren(document.createElement('p'))
        passed < 10_000 ? setTimeout(step, 10) : resolve(count)
      }
      step()
    })`)
    const { profile } = await profiler.send('Profiler.stop')
    expect(replaced).to.be.at.least(50_000)
    const ours = new Set(profile.nodes.filter(({ callFrame }) => callFrame.url.startsWith(sdk.url)).map(({ id }) => id))
    const spent = (profile.samples ?? []).reduce(
      (sum, id, index) => sum + (ours.has(id) ? (profile.timeDeltas?.[index] ?? 0) : 0),
      0,
    )
    expect(spent / (profile.endTime - profile.startTime)).to.be.below(0.05)
    expect(await counts()).to.deep.equal(before)
  })

  it('13a-8 does not look through the page for what it puts into its own mounts', async () => {
    const body = OPT_IN.replace('<button', '<div data-cf-element="payment-method"><p>Card</p></div><button')
    const { page } = await opened(body, { head: COUNTED })
    await pause(300)
    const scansAfter = async (change: string) => {
      const before = Number(await page.evaluate('counts.scans'))
      await page.evaluate(change)
      await pause(200)
      return Number(await page.evaluate('counts.scans')) - before
    }
    const add = (where: string) =>
      `for (let n = 0; n < 50; n++) document.querySelector('${where}').append(document.createElement('i'))`
    expect(await scansAfter(add('div[data-cf-element] p'))).to.equal(0)
    expect(await scansAfter(add('div[data-cf-element]'))).to.equal(0)
    expect(await scansAfter(add('body'))).to.equal(1)
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
