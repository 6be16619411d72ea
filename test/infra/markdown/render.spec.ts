import { expect } from 'chai'
import { tests } from 'commonmark-spec'
import { lessonHtml } from '../../../domain/resources/html/lesson-html.ts'
import { renderMarkdown } from '../../../infra/markdown/render.ts'
import { checkHarmless } from '../../support/check-harmless.ts'
import { harmfulHtml } from '../../support/harmful-html.ts'

/** Writes the same HTML in one way. */
const alike = (html: string): string =>
  html.replaceAll(' />', '>').replaceAll('<blockquote>\n</blockquote>', '<blockquote></blockquote>').trim()
const tabbed = (text: string): string => text.replaceAll('→', '\t')
const atOnce = async (markdown: string) => renderMarkdown(markdown)

describe('Markdown', () => {
  it('has all examples of CommonMark', () => {
    expect(tests).to.have.lengthOf.greaterThan(600)
    const others = tests.filter(({ markdown, html }) => alike(renderMarkdown(tabbed(markdown))) !== alike(tabbed(html)))
    expect(others.map(({ number, html, markdown }) => ({ number, html, got: renderMarkdown(markdown) }))).to.deep.equal(
      [],
    )
  })

  it('15 66 67: becomes harmless HTML', async () => {
    const written = [
      ...tests.map(({ markdown }) => tabbed(markdown)),
      ...harmfulHtml.flatMap(({ html }) => [html, `- a\n\n  ${html}\n\n[a](<${html}> 'b')`]),
    ]
    for (const markdown of written)
      checkHarmless(await lessonHtml(markdown, atOnce, { base: new URL('https://shop.test/') }))
    expect(
      await lessonHtml('[a](javascript:xss()) ![b](data:image/svg+xml,c) <javascript:xss()>', atOnce),
    ).not.to.contain('href')
  })

  it('15 69: shows images of other hosts as links', async () => {
    expect(await lessonHtml('![A dog](http://foreign.test/a.png)', atOnce)).to.equal(
      '<p><a href="http://foreign.test/a.png" rel="ugc nofollow noopener">A dog</a></p>\n',
    )
  })
})
