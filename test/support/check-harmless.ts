import { expect } from 'chai'
import { Parser } from 'htmlparser2'

/** What HTML of people may consist of, written down apart from what makes it safe. */
const ELEMENTS =
  /^(?:a|abbr|b|bdi|bdo|blockquote|br|caption|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|u|ul|var|wbr)$/
const ATTRIBUTES = /^(?:href|rel|src|alt|title|width|height|colspan|rowspan|start|reversed|value|datetime|dir|lang)$/
const VOID = /^(?:br|hr|img|wbr)$/

/** Reads HTML again and checks that nothing in it runs, that it loads images of these addresses alone, and that all that begins in it ends in it. */
export const checkHarmless = (html: string, loads: (src: string) => boolean = () => false): void => {
  const open: string[] = []
  const check = (name: string, value: string): void => {
    expect(name).to.match(ATTRIBUTES)
    if (name === 'href') expect(value).to.match(/^(?:https?:\/\/[^\s"'<>]|mailto:)[^\s"<>]*$/)
    if (name === 'src') expect(value).to.satisfy(loads)
    if (name === 'rel') expect(value).to.equal('ugc nofollow noopener')
  }
  const parser = new Parser(
    {
      onopentag(name, attributes, isImplied) {
        expect(name).to.match(ELEMENTS)
        expect(isImplied).to.equal(false)
        for (const [key, value] of Object.entries(attributes)) check(key, value)
        if (name === 'a' && attributes.href !== undefined) expect(attributes).to.have.property('rel')
        if (!VOID.test(name)) open.push(name)
      },
      onclosetag(name, isImplied) {
        if (VOID.test(name)) return
        expect(isImplied, `${name} ends by itself in ${html}`).to.equal(false)
        expect(open.pop()).to.equal(name)
      },
      oncomment: () => expect.fail('comment'),
      oncdatastart: () => expect.fail('CDATA'),
      onprocessinginstruction: (name) => expect.fail(name),
    },
    { decodeEntities: true },
  )
  parser.end(html)
  expect(open).to.deep.equal([])
}
