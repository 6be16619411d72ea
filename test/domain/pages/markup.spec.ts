import { expect } from 'chai'
import { markupProblem } from '../../../domain/pages/markup/check.ts'

const PAGE = `<!-- a page -->
<section bg="#fff" padding="80 20" id="top">
  <row cols="2">
    <column radius="md">
      <headline size="xl" align='center'>Hello <b>you</b> &amp; <span color="#f00">me</span><br/></headline>
      <flex direction="row"><button href="#top">Go</button><image src="https://example.com/a.png"/></flex>
      <list icon="check"><item>One</item><item>Two</item></list>
      <accordion><item title="Q">A</item></accordion>
      <customhtml><div onclick="if (1 < 2) { alert('</section>') }">raw</div></customhtml>
    </column>
    <column><input type="email" required="true" /><checkout steps="2" /></column>
  </row>
</section>
<saved-section ref="12"/>`

describe('page markup', () => {
  it('is accepted as specified, empty pages and lone comments included', () => {
    const fine = [
      PAGE,
      '',
      '   \n',
      '<!-- nothing -->',
      '<headline>Hi</headline>',
      '<row><column><divider/></column></row>',
    ]
    for (const text of fine) {
      expect(markupProblem(text)?.message, text).to.equal(undefined)
    }
  })

  const refused: readonly (readonly [what: string, text: string, says: RegExp])[] = [
    [
      'unknown elements at the top',
      '<section></section>\n<foo/>\n<bar></bar>',
      /^Markup is not valid PML: unknown top-level element\(s\) <foo>, <bar>\..*\(line 2\)$/,
    ],
    ['plain text', 'Hello', /^Markup is not valid PML: no PML elements found\./],
    ['raw HTML', '<div class="x"><p>Hello</p></div>', /^Markup is not valid PML: no PML elements found\./],
    [
      'unknown elements further down',
      '<section><row><column><blink/></column></row></section>',
      /unknown element <blink> inside <column>. \(line 1\)/,
    ],
    ['a column without a row', '<section><column></column></section>', /^<column> element must be inside a <row>\./],
    ['a column at the top', '<column></column>', /^<column> element must be inside a <row>\./],
    ['a row in a row', '<row><row></row></row>', /^<row> element must be inside a <section>\./],
    [
      'content in a section',
      '<section><headline>Hi</headline></section>',
      /^<headline> element must be inside a <column>\./,
    ],
    [
      'content in a row',
      '<section><row><image src="a"/></row></section>',
      /^<image> element must be inside a <column>\./,
    ],
    [
      'a section in a section',
      '<section><section></section></section>',
      /^<section> element must be at the top level\./,
    ],
    ['an item alone', '<item>One</item>', /^<item> element must be inside a <list>/],
    ['inline elements outside text', '<row><column><b>x</b></column></row>', /^<b> element must be inside text\./],
    [
      'unknown attributes',
      '<section><row><column padding="1" class="x"></column></row></section>',
      /^Invalid attribute\(s\) 'padding', 'class' on <column>/,
    ],
    [
      'a margin on an input',
      '<row><column><input margintop="4"/></column></row>',
      /^Invalid attribute\(s\) 'margintop' on <input>/,
    ],
    ['an end inside a tag', '<section><row', /^Markup appears to be truncated/],
    ['an end inside an attribute', '<section bg="#fff', /^Markup appears to be truncated/],
    ['an end inside a comment', '<section></section><!-- x', /^Markup appears to be truncated/],
    ['an end inside custom HTML', '<row><column><customhtml><div>', /^Markup appears to be truncated/],
    ['open elements', '<section><row><column>', /^Markup appears to be truncated: <column> of line 1 is still open\./],
    ['a close of nothing', '<section></row></section>', /<\/row> closes nothing/],
    [
      'an embed without its provider',
      '<row><column><whop-checkout/></column></row>',
      /^<whop-checkout> needs the provider's app/,
    ],
  ]
  for (const [what, text, says] of refused) {
    it(`refuses ${what}`, () => {
      const problem = markupProblem(text)
      expect(problem?.kind).to.equal('malformed')
      expect(problem?.message).to.match(says)
    })
  }

  it('is refused beyond its highest number of parts, whatever they are', () => {
    const row = '<row><column><headline>x</headline></column></row>'
    expect(markupProblem(`<section>${row.repeat(1600)}</section>`)).to.equal(undefined)
    for (const part of [row, '<', '</', '<!---->', '<customhtml></customhtml>', '<br a b/>']) {
      const problem = markupProblem(`<section>${part.repeat(10_001)}</section>`)
      expect(problem?.message, part).to.equal('Markup has more than 10000 tags and attributes.')
      expect(problem?.kind).to.equal('malformed')
    }
    expect(markupProblem(`<section ${'a '.repeat(10_001)}`)?.message).to.match(/more than 10000/)
  })
})
