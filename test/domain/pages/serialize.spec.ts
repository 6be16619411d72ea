import { expect } from 'chai'
import fc from 'fast-check'
import { markupProblem } from '../../../domain/pages/markup/check.ts'
import { scanMarkup } from '../../../domain/pages/markup/scan.ts'
import { serializeMarkup } from '../../../domain/pages/markup/serialize.ts'

const inText = (text: string) => `<row><column><headline>${text}</headline></column></row>`

/** Pieces that make tags, comments and text, and whatever comes of them when something between them is left out. */
const PIECES = [
  ...[
    '<',
    '</',
    '<!',
    '<!-',
    '--',
    '-->',
    '<!-- x -->',
    '<!-->',
    '>',
    '/>',
    '</br>',
    '</image>',
    ' ',
    '\n',
    'b>',
    '/b>',
  ],
  ...['<b>', '</b>', '<B >', '<i/>', '<br>', "<span color=red bg='\"'>", '</span>', 'a', '&amp;', '1 < 2', '"', "'"],
] as const

const elementsOf = (text: string) =>
  scanMarkup(text)
    .tags.filter(({ name, kind }) => kind !== 'close' || !['br', 'image'].includes(name))
    .map(({ name, kind, attributes }) => [name, kind === 'close', attributes])

describe('serialized markup', () => {
  const written: readonly (readonly [what: string, sent: string, shown: string])[] = [
    [
      'is the text that was sent, where that has the form',
      '<section bg="#fff">\n  <row/>\n</section>',
      '<section bg="#fff">\n  <row/>\n</section>',
    ],
    ['has lower-case names', '<Section BG="#FFF"></SECTION>', '<section bg="#FFF"></section>'],
    ['has quoted attributes', "<section bg=#fff padding='80 20' />", '<section bg="#fff" padding="80 20"/>'],
    ['keeps a quote in an attribute', `<image alt='a "b"'/>`, `<image alt='a "b"'/>`],
    ['keeps an attribute without a value', '<input required/>', '<input required/>'],
    ['takes the first of two attributes', '<image src="a" SRC="b"/>', '<image src="a"/>'],
    [
      'closes what holds nothing',
      '<row><column><image src="a"></image><divider></column></row>',
      '<row><column><image src="a"/><divider/></column></row>',
    ],
    [
      'leaves comments out',
      '<!-- a -->\n<row>\n  <!-- b -->\n  <column/>\n</row><!-- c -->',
      '<row>\n  <column/>\n</row>',
    ],
    ['leaves out text where none can be', 'A<row>B <column>C</column>\n</row>D', '<row> <column></column>\n</row>'],
    ['keeps text as it is', inText(' a &amp; b\n <b>1 < 2</b>  c '), inText(' a &amp; b\n <b>1 < 2</b>  c ')],
    ['makes no tag of what a comment divides', inText('<<!-- x -->b> </<!-- x -->b>'), inText('< b> </ b>')],
    ['makes no comment of what a comment divides', inText('<!<!-- x -->-- y -->'), inText('<! -- y -->')],
    [
      'keeps custom HTML as it is',
      '<customhtml><!-- x --><P CLASS=a>&lt;</P></customhtml >',
      '<customhtml><!-- x --><P CLASS=a>&lt;</P></customhtml>',
    ],
    ['is empty for comments alone', '<!-- markup unavailable: page tree could not be serialized -->\n', ''],
    ['is the text itself where that is no markup', '<section><row', '<section><row'],
  ]
  for (const [what, sent, shown] of written)
    it(what, () => {
      expect(serializeMarkup(sent)).to.equal(shown)
      expect(serializeMarkup(shown)).to.equal(shown)
    })

  it('has the elements of what was sent, is as valid, and is serialized to itself', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
        const sent = inText(pieces.join(''))
        if (markupProblem(sent)) return
        accepted++
        const shown = serializeMarkup(sent)
        expect(markupProblem(shown)).to.equal(undefined)
        expect(elementsOf(shown)).to.deep.equal(elementsOf(sent))
        expect(shown).not.to.include('<!--')
        expect(serializeMarkup(shown)).to.equal(shown)
      }),
      { numRuns: 4000 },
    )
    expect(accepted).to.be.greaterThan(200)
  })
})
