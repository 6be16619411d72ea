import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { safeHtml } from '../../domain/resources/html/safe-html.ts'
import { hasChromium, startChromium, WHY_NOT } from '../support/chromium.ts'
import { harmfulHtml } from '../support/harmful-html.ts'

const base = new URL('https://shop.test/post')

/** Places on a page that careless HTML could leave. */
const PLACES = [
  ['<ul class="place"><li><div class="post">', '</div><i class="after"></i></li></ul>'],
  ['<table class="place"><tr><td><div class="post">', '</div></td><td><i class="after"></i></td></tr></table>'],
  ['<dl class="place"><dd><div class="post">', '</div><i class="after"></i></dd></dl>'],
  ['<details open class="place"><div class="post">', '</div><i class="after"></i></details>'],
] as const

interface Seen {
  /** Posts with something out of its place, by their numbers. */
  readonly strayed: readonly number[]
  readonly addresses: readonly string[]
  /** Posts of which DOMPurify would take something away. */
  readonly impure: readonly number[]
}

/** Looks at all posts as the browser has read them, and sets off what listens to something. */
const LOOK = `(() => {
  const posts = [...document.querySelectorAll('.post')]
  const numbers = (test) => posts.flatMap((post, index) => (test(post) ? [index] : []))
  const strayed = numbers((post) => {
    const place = post.closest('.place')
    const around = place.cloneNode(true)
    around.querySelector('.post').replaceChildren()
    return around.querySelectorAll('*').length !== Number(place.parentElement.dataset.count) || !place.querySelector('.after')
  })
  const impure = numbers((post) => {
    DOMPurify.sanitize(post.innerHTML)
    return DOMPurify.removed.length > 0
  })
  for (const element of document.querySelectorAll('.post *'))
    for (const type of ['mouseover', 'focus', 'focusin', 'toggle', 'error', 'load', 'pointerdown', 'animationstart'])
      element.dispatchEvent(new Event(type))
  return { strayed, impure, addresses: [...document.querySelectorAll('.post [href]')].map(({ protocol }) => protocol) }
})()`

describe(`HTML that does harm, in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let browser: Browser
  let page: Page
  const asked: string[] = []

  before(async function () {
    if (!hasChromium) return this.skip()
    browser = await startChromium()
    page = await browser.newPage()
    await page.route('**', (route) => {
      asked.push(route.request().url())
      return route.abort()
    })
    page.on('dialog', (dialog) => dialog.dismiss())
  })
  after(() => browser?.close())

  const show = async (bodies: readonly string[]): Promise<Seen> => {
    const shown = PLACES.flatMap(([begin, end]) => {
      const count = [...`${begin}${end}`.matchAll(/<[a-z]/g)].length - 1 + (begin.includes('<tr>') ? 1 : 0)
      return bodies.map((body) => `<section data-count="${count}">${begin}${body}${end}</section>`)
    })
    await page.setContent(
      `<!doctype html><script>window.ran = 0; window.xss = () => { window.ran++ }</script><body>${shown.join('')}`,
    )
    await page.addScriptTag({ content: readFileSync('node_modules/dompurify/dist/purify.min.js', 'utf8') })
    return page.evaluate<Seen>(LOOK)
  }
  const ran = () => page.evaluate<number>('window.ran')

  it('15 66: would run if it were not made safe', async () => {
    const seen = await show([
      '<img src="https://foreign.test/x" onerror=xss()>',
      '<a href="java&Tab;script:xss()">a</a>',
      '<li>a',
      '<svg onload="xss()">',
    ])
    expect(await ran()).to.be.greaterThan(0)
    expect(asked).not.to.deep.equal([])
    expect(seen.addresses).to.include('javascript:')
    expect(seen.strayed).not.to.deep.equal([])
    expect(seen.impure).not.to.deep.equal([])
  })

  it('15 66 67 69: runs nothing, loads nothing and stays in its place', async () => {
    asked.length = 0
    const seen = await show(await Promise.all(harmfulHtml.map(({ html }) => safeHtml(html, { base }))))
    const named = (numbers: readonly number[]) =>
      numbers.map((number) => harmfulHtml[number % harmfulHtml.length]?.html)
    expect(named(seen.strayed)).to.deep.equal([])
    expect(named(seen.impure)).to.deep.equal([])
    expect(new Set(seen.addresses)).to.deep.equal(new Set(['https:']))
    expect(await ran()).to.equal(0)
    expect(asked).to.deep.equal([])
  })
})
