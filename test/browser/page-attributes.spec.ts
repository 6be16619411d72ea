import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { renderPage } from '../../api/pages/rendering/document.ts'
import { inSections } from '../../api/pages/rendering/sections.ts'
import { atOnce } from '../../domain/kernel/values/turns.ts'
import { parseMarkup } from '../../domain/pages/markup/tree.ts'
import { hasChromium, startChromium } from '../support/chromium.ts'

const EMPTY = {
  ...{ title: 'Page', description: null, url: null, token: null, isIndexed: true, own: undefined },
  ...{ headCode: [], footerCode: [], customCss: '', style: '', products: [], bumps: [], zone: 'UTC' },
  ...{ pictures: new Map(), frameAncestors: [] },
}

const htmlOf = (markup: string): string =>
  atOnce(
    renderPage(
      { ...EMPTY, elements: inSections(atOnce(parseMarkup(markup))) },
      { sdkUrl: 'http://sdk.test', thirdParty: new Set() },
    ),
  ).html

/** What an attribute of an element changes there alone. */
const COMPARED = [
  'paddingTop',
  'paddingLeft',
  'marginTop',
  'marginLeft',
  'flexDirection',
  'justifyContent',
  'columnGap',
]

/** Everything that stands in something else, without an attribute of its own. */
const INNER = `<row><column><flex><headline>One</headline><button href="#a">Two</button></flex>
<countdown date="2030-01-01"/><divider/><list><item>Three</item></list></column></row>`

/** Attributes with a value that nothing else has. The sides of a section are as wide as without: a row goes into the middle of what is left. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ padding: '123 20', 'padding-mobile': '67 16', margintop: '91', 'margintop-mobile': '92' },
  ...{ gap: '77', direction: 'column', justify: 'end', align: 'center', marginx: '33', 'marginx-mobile': '34' },
}

describe('attributes of elements of a page', function () {
  this.timeout(60_000)
  let browser: Browser
  let page: Page
  before(async function () {
    if (!hasChromium) this.skip()
    browser = await startChromium()
    page = await browser.newPage()
  })
  after(async () => browser?.close())

  const stylesOf = async (markup: string, selector: string) => {
    await page.setContent(htmlOf(markup))
    const found = await page.evaluate(`[...document.querySelectorAll('${selector} *')].map((element) => {
      const style = getComputedStyle(element)
      return [element.className || element.tagName, ...${JSON.stringify(COMPARED)}.map((name) => style[name])].join(' ')
    })`)
    return found as readonly string[]
  }

  it('hold for their element alone, not for those within it', async () => {
    const attributes = Object.entries(VALUES)
      .map(([name, value]) => ` ${name}="${value}"`)
      .join('')
    for (const width of [1200, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const plain = await stylesOf(`<section>${INNER}</section>`, '.section')
      expect(plain.length).to.be.above(8)
      expect(await stylesOf(`<section${attributes}>${INNER}</section>`, '.section'), `at ${width}`).to.deep.equal(plain)
      const within = (more: string) =>
        `<section><row><column><flex${more}><flex><headline>One</headline></flex></flex></column></row></section>`
      const inFlex = '.flex > .flex'
      expect(await stylesOf(within(attributes), inFlex)).to.deep.equal(await stylesOf(within(''), inFlex))
    }
  })
})
