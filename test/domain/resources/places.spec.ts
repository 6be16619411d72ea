import { expect } from 'chai'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { documentWith } from '../../../domain/emails/composing/document.ts'
import { placesIn } from '../../../domain/resources/html/places.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: unknown): node is Element => typeof node === 'object' && node !== null && 'tagName' in node

/** Returns the elements around one with an id, from the outermost, as a browser has them; `undefined`: it is not there. */
const around = (html: string, id: string, scriptingEnabled = false): readonly string[] | undefined => {
  const find = (nodes: readonly Node[], names: readonly string[]): readonly string[] | undefined => {
    for (const node of nodes) {
      if (!isElement(node)) continue
      if (node.attrs.some(({ name, value }) => name === 'id' && value === id)) return names
      // A form may be ended in a way that leaves it open for ever. It is seen, unless it is hidden.
      const isSeen = node.tagName === 'form' && !node.attrs.some(({ name }) => name === 'hidden' || name === 'style')
      const found = find(node.childNodes, isSeen ? names : [...names, node.tagName])
      if (found) return found
    }
    return undefined
  }
  return find(parse(html, { scriptingEnabled }).childNodes, [])
}

const FOOTER = '<div id="footer"><a href="https://bye.example">Bye</a></div>'
const FIRST = '<div id="first" style="display:none">First</div>'

const put = (html: string): string | undefined => {
  const places = placesIn(html)
  return places.unshowable ? undefined : documentWith(html, { places, replacements: [], first: FIRST, last: FOOTER })
}

const HIDDEN = '<p style="display:none">'

/** Ends of documents behind which nothing would be seen. */
const ENDS = {
  'a body in the last comment': '<html><body><p>x</p></body></html><!-- end </body> -->',
  'a body for one program': '<html><body><p>x</p></body><!--[if mso]></body><![endif]--></html>',
  'a body in a style': '<html><body><p>x</p></body></html><style>/* </body> */</style>',
  'a body in a title': '<html><head><title><body></body></title></head><body><p>x</p></html>',
  'a body in a script': '<html><body><p>x</p></body></html><script>"</body>"</script>',
  'a body in a value': '<html><body data-x="a>b</body>"><p title="</body>">x</p></html>',
  'a body in CDATA': '<html><body><p>x</p></body></html><![CDATA[ </body> ]]>',
  'a comment without an end': '<html><body><p>x</p><!-- here </body></html>',
  'a comment that ends as it may': '<html><body><p>x</p><!-- here --!></body></html><!--></body>-->',
  'a style without an end': '<html><body><p>x</p><style>p{} </body></html>',
  'a script without an end': '<html><body><p>x</p><script>1 </body></html>',
  'a script within a comment of a script': '<html><body><p>x</p><script><!-- <script> </script> </body></html>',
  'a title without an end': '<html><head><title>Mugs<body><p>x</p></body></html>',
  'a text area without an end': '<html><body><textarea>x</body></html>',
  'a value without an end': '<html><body><p>x</p><a href="https://x.example>x</a></body></html>',
  'a tag without an end': '<html><body><p>x</p><a href=x',
  'the beginning of an end': '<html><body><p>x</p></',
  'a hidden element without an end': `<html><body><div style="display:none"><p>x</p></body></html>`,
  'hidden formatting without an end': '<html><body><p><b style="display:none">x<div>y</div></body></html>',
  'a table without an end': `<html><body><div style="display: none"><table><tr><td>x</div></body></html>`,
  'a list of choices without an end': '<html><body><select><option>x</body></html>',
  'a template without an end': '<html><body><template><p>x</p></body></html>',
  'a picture without an end': '<html><body><svg><title>x</body></html>',
  'a style in a picture': '<html><body><svg><style></svg><p>x</p></style></body></html>',
  'a frame': '<html><body><iframe src="x"></body></html>',
  'what is for readers without scripts':
    '<html><body><noscript><!--</noscript><div hidden>--></noscript><p>x</p></body></html>',
  'a table in a paragraph of a document of no type': '<html><body><noscript><p><table>',
  'a link in a part of a picture': '<svg><foreignObject><a></foreignObject>',
  'a heading that ends as another': '<h2><svg></h1><mi><nobr>',
  'a form behind a form': '<form><label></form><form>',
  'a form in a form': '<form><desc><p><form>',
  'a list in a table': '<table><ol></table><dd></ol>',
  'an object in a template': '<template><object></template><ol></object>',
  'a term in a paragraph': '<p><noscript><dd></p>',
  'a list in a list': '<li><ol></li>',
  'a part of a formula in a form': '<form><mi></form>',
  'formatting in a part of a formula': '<html><body><math><mi><b></mi></math></body></html>',
  'a table in a hidden paragraph': '<html><body><p hidden><table><tr><td>x</table></body></html>',
  'a table in a paragraph of an old type':
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html><body><p hidden><table></body></html>',
  'a table behind a paragraph':
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html><body><p hidden><table></body></html>',
  'no body': '<html><p>x</p>',
  'no document': `${HIDDEN}x`,
  'no document, and a comment': '<p>x</p><!--',
}

describe('Places in HTML', () => {
  for (const [name, html] of Object.entries(ENDS))
    it(`ends a document where it is seen: ${name}`, () => {
      const made = put(html)
      expect(made).to.not.equal(undefined)
      for (const isScripted of [false, true])
        expect(around(made!, 'footer', isScripted)).to.deep.equal(['html', 'body'])
      expect(around(made!, 'first')).to.deep.equal(['html', 'body'])
    })

  const UNSHOWABLE = {
    plaintext: '<html><body><p>x</p><plaintext></body></html>',
    frames: '<html><frameset><frame src=x></frameset></html>',
    hidden: '<html><body style="color:red; display : none"><p>x</p></body></html>',
    select: '<select><iframe></select><p>x</p></iframe>',
    depth: '<div>'.repeat(30_000),
    'tangled form': '<desc><form><object></form>',
    tangled: '<b><div><svg></b>',
    noscript: '<html><body><noscript><p>x</p></body></html>',
    'noscript in a head': '<html><head><noscript><span></noscript></head><body></html>',
  }
  for (const [why, html] of Object.entries(UNSHOWABLE))
    it(`says where nothing at the end would be seen: ${why}`, () =>
      expect(placesIn(html).unshowable).to.equal(why.split(' ')[0]))

  it('puts what comes first where the body begins', () => {
    const begins = [
      '<!doctype html><html><head><title><body></title></head><!--[if mso]><body><![endif]--><body class="a>b">[]<p>x</p></body></html>',
      '<html><head><meta charset=utf-8></head>[]<p>x</p></html>',
      '<html><meta charset=utf-8>[]<p>x</p></html>',
      '<html><head><style>p{}</style>[]<p>x</p></html>',
      '<html><body>[]<body class=x>x</html>',
    ]
    for (const begin of begins) {
      const html = begin.replace('[]', '')
      expect(html.slice(placesIn(html).bodyStart), begin).to.equal(begin.split('[]')[1])
    }
  })

  it('never loses the end of a document among any tags', () => {
    const names =
      'a b i font div p span table tr td th tbody caption ul ol li dl dt dd h1 h2 button form select option svg math foreignObject desc mi title style script textarea template noscript iframe center object html head body br img hr section label nobr xmp input'
    const word = fc.constantFrom(...names.split(' '))
    const attributes = fc.constantFrom(
      '',
      '',
      ' hidden',
      ' style="display:none"',
      ' x="a>b"',
      " y='",
      ' z=<',
      '/',
      ' /',
    )
    const open = fc.tuple(word, attributes).map(([name, more]) => `<${name}${more}>`)
    const close = fc.tuple(word, fc.constantFrom('', '', ' ', ' x=">"', '/')).map(([name, more]) => `</${name}${more}>`)
    const odd = fc.constantFrom(
      ...[
        '<!--',
        '-->',
        '--!>',
        '<!-->',
        '<!--->',
        '<![CDATA[',
        ']]>',
        '<!x>',
        '<?x>',
        '</>',
        '<',
        '</',
        '"',
        "'",
        '>',
        '&lt;',
      ],
      ...[
        'x',
        ' ',
        '\n',
        '</body>',
        '</html>',
        '<!--[if mso]>',
        '<![endif]-->',
        '</style',
        '</script',
        '<script',
        '=',
        '-',
      ],
    )
    const part = fc.oneof(
      { weight: 4, arbitrary: open },
      { weight: 3, arbitrary: close },
      { weight: 2, arbitrary: odd },
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), fc.boolean(), (parts, isDocument) => {
        const html = (isDocument ? '<html><body>' : '') + parts.join('')
        const made = put(html)
        fc.pre(made !== undefined)
        for (const isScripted of [false, true])
          expect(around(made!, 'footer', isScripted), made).to.deep.equal(['html', 'body'])
      }),
      { numRuns: Number(process.env.RUNS ?? 3000) },
    )
  })
})
