import { expect } from 'chai'
import { contentHtml } from '../../../api/pages/blog/feed-content.ts'
import type { PageContent } from '../../../api/pages/rendering/context.ts'
import { renderPage } from '../../../api/pages/rendering/document.ts'
import { inSections } from '../../../api/pages/rendering/sections.ts'
import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { pieceByPiece } from '../../../domain/kernel/values/piece-by-piece.ts'
import { atOnce, type Steps } from '../../../domain/kernel/values/turns.ts'
import { parseMarkup } from '../../../domain/pages/markup/tree.ts'

const EMPTY: PageContent = {
  ...{ title: 'Page', description: null, url: null, token: null, isIndexed: true, elements: [], own: undefined },
  ...{ headCode: [], footerCode: [], customCss: '', style: '', products: [], bumps: [], zone: 'UTC' },
  ...{ pictures: new Map(), frameAncestors: [] },
}
const SURROUNDINGS = { base: new URL('https://a.example/'), pictures: new Map() }

const stepsOf = <T>(work: Steps<T>): number => {
  let steps = 0
  while (!work.next().done) steps++
  return steps
}

const markupOf = (count: number, element: string): string =>
  `<section><row><column>${element.repeat(count)}</column></row></section>`

/** Long work, by what it is. */
const WORK: Readonly<Record<string, (markup: string) => Steps<unknown>>> = {
  // The markup is scanned, written again, scanned and made a tree.
  parsing: parseMarkup,
  rendering: (markup) =>
    renderPage({ ...EMPTY, elements: inSections(atOnce(parseMarkup(markup))) }, { thirdParty: new Set() }),
  'content of a feed': (markup) => contentHtml(atOnce(parseMarkup(markup)), SURROUNDINGS),
}

describe('steps of long pages', () => {
  for (const { what, element, each } of [
    { what: 'parsing', element: '<paragraph>x</paragraph>', each: 4 * 2 },
    { what: 'parsing', element: '<divider/>', each: 4 },
    { what: 'rendering', element: '<paragraph>x</paragraph>', each: 3 },
    { what: 'rendering', element: '<list><item>x</item></list>', each: 5 },
    { what: 'rendering', element: '<divider/>', each: 1 },
    { what: 'content of a feed', element: '<paragraph>x</paragraph>', each: 2 },
    { what: 'content of a feed', element: '<list><item>x</item></list>', each: 3 },
  ])
    it(`${what}: each ${element} more is ${each} steps more`, () => {
      const [few, many] = [10, 1000].map((count) => stepsOf(WORK[what]!(markupOf(count, element))))
      expect(many! - few!).to.equal(990 * each)
    })

  it('a long text is changed piece by piece, and no character is halved', () => {
    const text = 'x😀&'.repeat(100_000)
    const pieces: string[] = []
    const steps = stepsOf(
      pieceByPiece(text, (piece) => {
        pieces.push(piece)
        return escapeHtml(piece)
      }),
    )
    expect(steps).to.equal(pieces.length).and.to.be.above(20)
    expect(pieces.join('') === text && pieces.every((piece) => piece.isWellFormed())).to.equal(true)
    expect(atOnce(pieceByPiece(text, escapeHtml)) === escapeHtml(text)).to.equal(true)
    for (const rendered of [
      stepsOf(WORK.rendering!(markupOf(1, `<paragraph>${text}</paragraph>`))),
      stepsOf(WORK['content of a feed']!(markupOf(1, `<paragraph>${text}</paragraph>`))),
    ])
      expect(rendered).to.be.above(steps)
  })
})
