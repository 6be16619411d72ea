import { expect } from 'chai'
import { wholeDocument } from '../../../api/pages/rendering/own-document.ts'
import { atOnce } from '../../../domain/kernel/values/turns.ts'
import { parseMarkup } from '../../../domain/pages/markup/tree.ts'
import { DOCUMENTS_WITH_ENDS } from '../../support/documents-with-ends.ts'

const ownOf = (html: string, around = ['', '']) =>
  wholeDocument(atOnce(parseMarkup(`${around[0]}<customhtml>${html}</customhtml>${around[1]}`)))

const HEAD = '[head]'
const FOOT = '[foot]'

/** Documents with what is put into them, by hand. */
const WHERE: readonly (readonly [html: string, made: string])[] = [
  ['<html><head></head><body>x</body></html>', '<html><head>[head]</head><body>x[foot]</body></html>'],
  ['<!DOCTYPE html><html><body>x</body></html>', '<!DOCTYPE html><html>[head]<body>x[foot]</body></html>'],
  ['<html><body>x</body></html><!-- </body> -->', '<html>[head]<body>x[foot]</body></html><!-- </body> -->'],
  [
    '<html><head><script>"</head>"</script></head><body>x</body></html>',
    '<html><head><script>"</head>"</script>[head]</head><body>x[foot]</body></html>',
  ],
  [
    '<!-- a --> <!doctype html><title>x</title><p>y</p>',
    '<!-- a --> <!doctype html>[head]<title>x</title><p>y</p>[foot]',
  ],
  [
    '<html><head><!-- </head> --></head><body>x</body></html>',
    '<html><head><!-- </head> -->[head]</head><body>x[foot]</body></html>',
  ],
  ['<html><body>x<!-- open', '<html>[head]<body>x[foot]'],
  ['<html><body><div hidden>x</body></html>', '<html>[head]<body><div hidden>x</div>[foot]</body></html>'],
]

describe('The own document of a page', () => {
  for (const [html, made] of WHERE)
    it(`has code where it is read: ${html}`, async () => {
      expect((await ownOf(html))?.with({ head: HEAD, foot: FOOT })).to.equal(made)
    })

  it('is what its author wrote, up to what nobody reads, where nothing is added', async () => {
    for (const [name, html] of DOCUMENTS_WITH_ENDS)
      expect(html.startsWith((await ownOf(html))?.with({ head: '', foot: '' }) ?? 'none'), name).to.equal(true)
  })

  it('may stand in containers, and behind comments and spaces', async () => {
    for (const html of [
      '<html>x',
      '<!doctype html>x',
      '<!DOCTYPE  HTML>x',
      ' <!-- a --> <!-- b -->\n<html lang="en">x',
    ])
      for (const around of [
        ['', ''],
        ['<section><row><column>', '</column></row></section>'],
      ])
        expect(await ownOf(html, around), html).not.to.equal(undefined)
  })

  it('is none where there is more, or less', async () => {
    for (const html of ['<p>x</p>', '<htmlx>', '<!-- <html>', '<!-- x --><p>', '', 'x<html>', '<!doctype xml>'])
      expect(await ownOf(html), html).to.equal(undefined)
    expect(await ownOf('<html>x', ['', '<text>more</text>'])).to.equal(undefined)
    expect(await wholeDocument(atOnce(parseMarkup('<text>x</text>')))).to.equal(undefined)
  })

  it('is looked at once, however many comments stand before it', async () => {
    const own = await ownOf(`${'<!-- x -->'.repeat(20_000)}<html>x`)
    const made = own?.with({ head: HEAD, foot: '' })
    expect(made?.endsWith('<html>[head]x')).to.equal(true)
  })

  /** Documents of 1 MB, each of which is read for a while: tags, one tag with attributes, and what is read once more for readers without scripts. */
  const LONG: readonly string[] = ['<a>', 'p ', '<noscript>x</noscript><i>x</i>'].map(
    (part) => `<html><body>${part === 'p ' ? '<' : ''}${part.repeat(1_000_000 / part.length)}></body>`,
  )

  it('is prepared once, in slices between which others get their turn', async () => {
    for (const html of LONG) {
      const prepared = async () => {
        let turns = 0
        const count = (): void => {
          turns++
          next = setImmediate(count)
        }
        let next = setImmediate(count)
        const own = await ownOf(html)
        clearImmediate(next)
        return { turns, made: own?.with({ head: HEAD, foot: FOOT }) }
      }
      const [first, second] = [await prepared(), await prepared()]
      expect(first.turns, html.slice(0, 20)).to.be.greaterThan(1)
      expect(second, html.slice(0, 20)).to.deep.equal({ turns: 0, made: first.made })
    }
  })
})
