import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { tests } from 'commonmark-spec'
import { lessonHtml } from '../../../domain/resources/html/lesson-html.ts'
import { HTML_VERSION, safeHtml } from '../../../domain/resources/html/safe-html.ts'
import { renderMarkdown } from '../../../infra/markdown/render.ts'
import { isUpdating, readFixtures, UPDATE, writeFixture } from '../../support/golden.ts'
import { harmfulHtml } from '../../support/harmful-html.ts'

const base = new URL('https://shop.test/')
const hooks = { base, image: ({ href }: URL) => href, mention: (id: string) => `Contact ${id}` }

describe('version of HTML that was made safe', () => {
  it('15 65: is another when anything else is made of the same texts', async () => {
    const written = [
      ...harmfulHtml.map(({ html }) => html),
      '<p>a <img src="/b" alt="c"><span data-mention="1">@a</span>',
    ]
    const posts = await Promise.all(written.map((html) => safeHtml(html, hooks)))
    const lessons = await Promise.all(
      tests.map(({ markdown }) => lessonHtml(markdown, async (text) => renderMarkdown(text), hooks)),
    )
    const sha256 = createHash('sha256')
      .update(JSON.stringify([posts, lessons]))
      .digest('hex')
    const name = `${HTML_VERSION}.json`
    if (isUpdating()) writeFixture('html', name, { sha256 })
    const remedy = `the output is another: raise HTML_VERSION, and write it down: ${UPDATE} domain/resources/html-version`
    expect(readFixtures<{ readonly sha256: string }>('html').get(name)?.sha256, remedy).to.equal(sha256)
  })
})
