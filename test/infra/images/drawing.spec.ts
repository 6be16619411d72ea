import { expect } from 'chai'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { ATTRIBUTES, ELEMENTS, PLAIN } from '../../../infra/images/drawing/allowed.ts'
import { drawingIn, hasFilter } from '../../../infra/images/drawing/drawing.ts'
import { NotAnImage } from '../../../infra/images/raster/format.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (inside: string, attributes = ''): string =>
  `<svg ${XMLNS} width="20" height="10" ${attributes}>${inside}</svg>`
const read = (text: string | Buffer): string => String(drawingIn(Buffer.from(text as string))?.content)
const style = (css: string): string => svg(`<style>${css}</style>`)

/** Files as drawing programs write them, in short, with what must be left of each. */
const WRITTEN: readonly (readonly [program: string, content: string | Buffer, keeps: RegExp])[] = [
  [
    'an editor that abbreviates namespaces by entities and keeps its own data in foreign content',
    `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: An Illustrator 25.0 -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!ENTITY nbsp "&#160;">
]>
<svg version="1.1" xmlns:i="&ns_ai;" xmlns="&ns_svg;" viewBox="0 0 20 10" style="enable-background:new 0 0 20 10;" xml:space="preserve">
<style type="text/css">.st0{fill:#00f;clip-path:url(#a);}</style>
<switch><foreignObject requiredExtensions="&ns_ai;" width="1" height="1"><i:pgfRef xlink:href="#pgf"/></foreignObject>
<g i:extraneous="self"><path class="st0" d="M0,0h9v9z"/><text>a&nbsp;b</text></g></switch>
<i:pgf id="pgf"><![CDATA[ eJzs ]]></i:pgf></svg>`,
    /<style type="text\/css">\.st0\{fill:#00f;clip-path:url\("#a"\);\}<\/style>.*<switch>\s*<g><path class="st0" d="M0,0h9v9z"\/><text>a\u00a0b<\/text><\/g><\/switch>\s*<\/svg>$/s,
  ],
  [
    'an editor with namespaces for its views and metadata',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${XMLNS}
 xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
 width="210mm" height="297mm" sodipodi:docname="/home/ada/secret.svg" inkscape:version="1.2">
<sodipodi:namedview id="base" inkscape:zoom="0.35"><inkscape:grid/></sodipodi:namedview>
<metadata><rdf:RDF><dc:creator>Ada</dc:creator></rdf:RDF></metadata>
<g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1"><rect style="fill:url(#g);color-interpolation-filters:linearRGB" width="5" height="5"/></g></svg>`,
    /width="210mm" height="297mm">\s*<g id="layer1"><rect style="fill:url\(&quot;#g&quot;\);color-interpolation-filters:linearRGB" width="5" height="5"\/><\/g><\/svg>$/,
  ],
  [
    'a diagram editor with text as foreign content, and a fallback',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg ${XMLNS} content="&lt;mxfile/&gt;" version="1.1" width="9px" height="9px"><defs/><g><switch>
<foreignObject pointer-events="none" width="100%" height="100%" requiredFeatures="http://www.w3.org/TR/SVG11/feature#Extensibility">
<div xmlns="http://www.w3.org/1999/xhtml" style="display: flex"><b>Hi</b></div></foreignObject>
<text x="1" y="2">Hi</text></switch></g></svg>`,
    /<switch>\s*<text x="1" y="2">Hi<\/text><\/switch>/,
  ],
  [
    'a graph with links',
    svg('<a xlink:href="https://example.com/" xlink:title="x"><text>a</text></a>'),
    /<a><text>a<\/text><\/a>/,
  ],
  [
    'a prefix for the namespace of drawings',
    `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect/></s:svg>`,
    /<svg xmlns="[^"]*svg" xmlns:xlink="[^"]*"><rect\/><\/svg>/,
  ],
  ['no namespaces', '<svg width="1" height="1"><use xlink:href="#a"/></svg>', /<use xlink:href="#a"\/>/],
  ['UTF-16', Buffer.from(`\ufeff${svg('<text>é</text>')}`, 'utf16le'), /<text>é<\/text>/],
  [
    'ISO 8859-1',
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${svg('<text>é</text>')}`, 'latin1'),
    /<text>é<\/text>/,
  ],
  ['names with parentheses', svg('<g id="Frame(2)" class="a(b"/>'), /<g id="Frame\(2\)" class="a\(b"\/>/],
  [
    'an embedded font',
    style('@font-face{font-family:A;src:url("data:font/woff2;base64,AAAA") format("woff2")}'),
    /src:url\("data:font\/woff2;base64,AAAA"\) format\("woff2"\)/,
  ],
  [
    'an animation',
    svg('<rect><animate attributeName="x" values="0;5" dur="1s"/></rect>'),
    /<animate attributeName="x" values="0;5" dur="1s"\/>/,
  ],
]

/** Disguises in which a drawing would run or load something. */
const REFUSED: readonly (readonly [what: string, content: string, says: RegExp])[] = [
  ['a script', svg('<script>alert(1)</script>'), /has a script/],
  [
    'a script under a prefix with a dot',
    `<svg ${XMLNS} xmlns:a.b="http://www.w3.org/2000/svg"><a.b:script>x()</a.b:script></svg>`,
    /has a script/,
  ],
  [
    'a script of another namespace',
    svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">x()</h:script>'),
    /has a script/,
  ],
  ['a script in what is left out', svg('<metadata><script>x()</script></metadata>'), /has a script/],
  [
    'a script behind an entity',
    `<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg">]><a xmlns="&s;"><script/></a>`,
    /./,
  ],
  ['a handler', svg('<rect onload="x()"/>'), /has a script/],
  ['a handler of the root', svg('', 'onbegin="x()"'), /has a script/],
  ['a script as an address', svg('<a href="javascript:x()"/>'), /has a script/],
  ['a script with a tab in it', svg('<a href="java&#x9;script:x()"/>'), /has a script/],
  ['a script behind control characters', svg('<a xlink:href="&#13;&#10; JaVaScRiPt:x()"/>'), /has a script/],
  ['a script in entities', `<!DOCTYPE svg [<!ENTITY j "javascript">]>${svg('<a href="&j;:x()"/>')}`, /has a script/],
  ['a document as an address', svg('<use href="data:text/html,x"/>'), /has a script/],
  [
    'a drawing within',
    svg(`<image href="data:image/svg+xml;base64,${Buffer.from(svg('')).toString('base64')}"/>`),
    /has a script/,
  ],
  [
    'a drawing called a picture',
    svg(`<image href="data:image/png;base64,${Buffer.from(svg('')).toString('base64')}"/>`),
    /has a script/,
  ],
  ['an image from outside', svg('<image href="http://169.254.169.254/x.png"/>'), /something outside/],
  ['an image from outside without a scheme', svg('<image href="//example.com/x.png"/>'), /something outside/],
  ['a file', svg('<image xlink:href="file:///etc/passwd"/>'), /something outside/],
  ['a file beside it', svg('<feImage href="x.png"/>'), /something outside/],
  ['a drawing from outside', svg('<use href="https://example.com/a.svg#b"/>'), /something outside/],
  ['a paint from outside', svg('<rect fill="url(https://example.com/a.svg#b)"/>'), /something outside/],
  ['a style that imports', style('@import "https://example.com/a.css";'), /something outside/],
  ['a style that imports by an escape', style('@\\69mport "https://example.com/a.css";'), /something outside/],
  ['a style behind an element', svg('<style>a{}<g/>@import "https://example.com/a.css";</style>'), /something outside/],
  [
    'a style in character data',
    svg('<style><![CDATA[@import "https://example.com/a.css";]]></style>'),
    /something outside/,
  ],
  ['an address by an escape', style('a{fill:u\\72l(https://example.com/)}'), /something outside/],
  [
    'an address by an escape in an attribute',
    svg('<rect fill="\\75rl(&quot;https://example.com/&quot;)"/>'),
    /something outside/,
  ],
  ['an address behind a comment', svg('<rect style="fill:/**/url(//example.com/)"/>'), /something outside/],
  ['a set of images', style('a{background:image-set("https://example.com/a.png" 1x)}'), /function/],
  ['an expression', svg('<rect style="width:expression(x())"/>'), /function/],
  ['a binding', style('a{-moz-binding:url(#x)}'), /has a script/],
  ['a style sheet', `<?xml-stylesheet href="https://example.com/a.css"?>${svg('')}`, /something outside/],
  [
    'an animation to an address from outside',
    svg('<rect><set attributeName="fill" to="url(//example.com/)"/></rect>'),
    /something outside/,
  ],
  [
    'an entity from outside',
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('<text>&a;</text>')}`,
    /entities/,
  ],
  [
    'an entity of entities',
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
    /entities/,
  ],
  ['an entity of a document type', `<!DOCTYPE svg [<!ENTITY % a "x"> %a;]>${svg('')}`, /entities/],
  [
    'a long entity that is named often',
    `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(10_000)}">]>${svg(`<text>${'&a;'.repeat(1000)}</text>`)}`,
    /entities/,
  ],
  ['deep nesting', svg('<g>'.repeat(5000) + '</g>'.repeat(5000)), /nested too deeply/],
  ['a huge size', `<svg ${XMLNS} width="20000mm" height="1"/>`, /./],
  ['no end', svg('<g>'), /not a whole image/],
  ['two roots', svg('') + svg(''), /not a whole image/],
  ['an unknown entity', svg('<text>&foo;</text>'), /not a whole image/],
]

/** What may stand in a drawing that is kept. @throws when something else does */
const expectHarmless = (text: string): void => {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => expect.fail('a document type'))
  parser.on('processinginstruction', () => expect.fail('an instruction'))
  parser.on('comment', () => expect.fail('a comment'))
  parser.on('opentag', ({ name, uri, attributes }) => {
    expect(uri).to.equal('http://www.w3.org/2000/svg')
    expect(ELEMENTS.has(name), name).to.equal(true)
    for (const { name: attribute, value } of Object.values(attributes)) {
      if (/^xmlns(:xlink)?$/.test(attribute)) continue
      expect(ATTRIBUTES.has(attribute) || /^(xlink:)?href$|^xml:(space|lang)$/.test(attribute), attribute).to.equal(
        true,
      )
      if (attribute.endsWith('href')) expect(value).to.match(/^(#|$|data:image\/(png|jpeg|gif|webp);base64,)/)
      else if (!PLAIN.has(attribute)) expect(value).not.to.match(/url\((?!"(#|"\)|data:))/i)
    }
  })
  parser.write(text).close()
}

describe('drawings as they are stored', () => {
  for (const [program, content, keeps] of WRITTEN) {
    it(`are taken from ${program}, without what shows nothing`, () => {
      const kept = read(content)
      expect(kept).to.match(keeps)
      expect(kept).not.to.match(/Generator|DOCTYPE|ENTITY|metadata|inkscape|sodipodi|pgf|foreignObject|mxfile/)
      expectHarmless(kept)
      expect(read(kept)).to.equal(kept)
    })
  }

  for (const [what, content, says] of REFUSED) {
    it(`are refused with ${what}`, () => {
      let kept: string | undefined
      try {
        const drawing = drawingIn(Buffer.from(content))
        if (drawing && drawing.width <= 10_000) kept = drawing.content.toString()
      } catch (error) {
        expect(error).to.be.instanceOf(NotAnImage)
        expect((error as Error).message).to.match(says)
      }
      expect(kept).to.equal(undefined)
    })
  }

  it('are not what is something else', () => {
    for (const content of [
      '',
      'text',
      '<!doctype html><title>No</title>',
      '<html><svg/></html>',
      '\0\0\0\x1cftypavif',
      '<',
    ]) {
      expect(drawingIn(Buffer.from(content, 'latin1')), content).to.equal(undefined)
    }
  })

  it('keep pictures within them, without their metadata', async () => {
    const jpeg = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#f00' } })
      .withExif({ IFD0: { Copyright: 'by Ada' } })
      .jpeg()
      .toBuffer()
    const data = `data:image/png;base64,${jpeg.toString('base64').replace(/.{76}/g, '$&\n')}`
    for (const kept of [
      read(svg(`<image xlink:href="${data}"/>`)),
      read(style(`a{fill:url(${data.replace(/\n/g, '')})}`)),
    ]) {
      const [, type, base64] = /data:(image\/\w+);base64,([\w+/=]+)/.exec(kept)!
      expect(type).to.equal('image/jpeg')
      expect(Buffer.from(base64!, 'base64').includes('by Ada')).to.equal(false)
      expect((await sharp(Buffer.from(base64!, 'base64')).metadata()).width).to.equal(4)
    }
  })

  it('are known to have filters, which are not drawn here', () => {
    for (const inside of ['<filter id="a"/>', '<g filter="url(#a)"/>', '<g style="filter:blur(9px)"/>'])
      expect(hasFilter(drawingIn(Buffer.from(svg(inside)))!.content), inside).to.equal(true)
    expect(hasFilter(Buffer.from(svg('<g color-interpolation-filters="sRGB"/>')))).to.equal(false)
  })

  it('have a size in every unit', () => {
    const sizes: readonly (readonly [attributes: string, size: readonly number[]])[] = [
      ['width="20" height="10"', [20, 10]],
      ['width="1in" height="2.54cm"', [96, 96]],
      ['width="100%" height="100%" viewBox="0 0 30 40"', [30, 40]],
      ['viewBox="0,0,1e3,.5"', [1000, 0.5]],
      ['', [1, 1]],
    ]
    for (const [attributes, size] of sizes) {
      const { width, height } = drawingIn(Buffer.from(`<svg ${XMLNS} ${attributes}/>`))!
      expect([width, height], attributes).to.deep.equal(size)
    }
  })

  it('are harmless whatever they are made of', () => {
    const names = fc.constantFrom(
      'g',
      'style',
      'a',
      'use',
      'image',
      'set',
      'text',
      'title',
      'x:script',
      'x:g',
      'h:p',
      'foreignObject',
      'metadata',
    )
    const values = fc.constantFrom(
      '#a',
      'url(#a)',
      'java\tscript:x',
      'https://a/',
      '@import "a"',
      'u\\72l(//a)',
      'data:text/html,x',
      '<x>',
      '&',
      ']]>',
      'href',
    )
    const escaped = (text: string) => text.replace(/[&<>"\t]/g, (character) => `&#${character.charCodeAt(0)};`)
    const attribute = fc
      .tuple(
        fc.constantFrom(
          'href',
          'xlink:href',
          'x:href',
          'style',
          'fill',
          'onload',
          'x:onload',
          'attributeName',
          'to',
          'xml:base',
          'id',
        ),
        values,
      )
      .map(([name, value]) => ({ name, text: ` ${name}="${escaped(value)}"` }))
    const { node } = fc.letrec<{ readonly node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        values.map(escaped),
        values.filter((value) => value !== ']]>').map((value) => `<![CDATA[${value}]]>`),
        fc.constant('<!-- comment -->'),
        fc
          .tuple(
            names,
            fc.uniqueArray(attribute, { selector: ({ name }) => name, maxLength: 3 }),
            fc.array(tie('node'), { maxLength: 4 }),
          )
          .map(
            ([name, given, inside]) => `<${name}${given.map(({ text }) => text).join('')}>${inside.join('')}</${name}>`,
          ),
      ),
    }))
    let kept = 0
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), (inside) => {
        const content = `<svg ${XMLNS} xmlns:x="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml">${inside.join('')}</svg>`
        let text: string
        try {
          text = read(content)
        } catch (error) {
          expect(error).to.be.instanceOf(NotAnImage)
          return
        }
        kept += 1
        expectHarmless(text)
        expect(read(text)).to.equal(text)
      }),
      { numRuns: 2000 },
    )
    expect(kept).to.be.above(50)
  })
})
