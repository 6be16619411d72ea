import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { wholeDocument } from '../../api/pages/rendering/own-document.ts'
import { compose, type Letter, type Links } from '../../domain/emails/composing/compose.ts'
import { atOnce } from '../../domain/kernel/values/turns.ts'
import { parseMarkup } from '../../domain/pages/markup/tree.ts'
import { hasChromium, startChromium, WHY_NOT } from '../support/chromium.ts'
import { DOCUMENTS_WITH_ENDS } from '../support/documents-with-ends.ts'

const links: Links = {
  urlOf: ({ kind }) => `https://links.example/${kind}`,
  isOwn: () => false,
  returnPath: () => 'returns@mail.example',
  messageId: () => 'message@mail.example',
}

const mailOf = (html_body: string): string => {
  const letter: Letter = {
    texts: { subject: 'News', preheadline: 'In short', html_body, text_body: null },
    from: { name: 'Mug Shop', address: 'hi@shop.example' },
    replyTo: null,
    footer: { business: 'Mug Shop', address: ['1 High Street'], isSingleLine: true, alignment: 'left', words: null },
    ...{ tracksOpens: true, tracksClicks: false, domain: 'shop.example', returnDomain: 'shop.example' },
  }
  const to = { name: 'Ada', address: 'ada@far.example' }
  return compose(letter, { deliveryId: 7, to, values: {}, now: 0, timeZone: 'UTC' }, links).html
}

/** Documents of pages with the same traps, and some of their own. */
const PAGES: readonly (readonly [name: string, html: string])[] = [
  ...DOCUMENTS_WITH_ENDS,
  ['the end of a head in a script', '<html><head><script>const a = "</head>"</script></head><body>Mugs</body></html>'],
  ['the end of a head in a comment', '<html><head><!-- </head> --><title>x</title></head><body>Mugs</body></html>'],
  ['no head', '<html><body>Mugs</body></html>'],
  ['neither head nor body', '<html><p>Mugs'],
]

describe(`What is put at the end of documents, in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let browser: Browser
  let page: Page

  before(async function () {
    if (!hasChromium) return this.skip()
    browser = await startChromium()
    page = await browser.newPage()
    await page.route('**', (route) => route.abort())
  })
  after(() => browser?.close())

  for (const [name, html] of DOCUMENTS_WITH_ENDS)
    it(`shows address and link to unsubscribe of a mail with ${name}`, async () => {
      await page.setContent(mailOf(html), { waitUntil: 'domcontentloaded' })
      const link = page.locator('a[href="https://links.example/unsubscribe"]')
      expect(await link.count()).to.equal(1)
      expect(await link.isVisible()).to.equal(true)
      expect(await page.getByText('1 High Street').isVisible()).to.equal(true)
      expect(await page.getByText('Mugs', { exact: true }).first().isVisible()).to.equal(true)
      expect(await page.locator('img[src="https://links.example/open"]').count(), 'the pixel').to.equal(1)
      const words = page.getByText('In short', { exact: true })
      expect(await words.count(), 'what is shown before it').to.equal(1)
      expect(await words.isVisible()).to.equal(false)
    })

  for (const [name, html] of PAGES)
    it(`runs the code of a page with ${name}`, async () => {
      const own = await wholeDocument(
        atOnce(parseMarkup(`<customhtml><!-- mine --><!doctype html>${html}</customhtml>`)),
      )
      const head = '<script>window.inHead = document.body === null</script>'
      const foot = '<script>window.atEnd = document.body !== null</script><p id="foot">Foot</p>'
      await page.setContent(own!.with({ head, foot }), { waitUntil: 'domcontentloaded' })
      expect(await page.evaluate('[window.inHead, window.atEnd, document.compatMode]')).to.deep.equal([
        ...[true, true, 'CSS1Compat'],
      ])
      expect(await page.locator('#foot').isVisible()).to.equal(true)
    })
})
