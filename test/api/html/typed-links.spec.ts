import { expect } from 'chai'
import { htmlOf, typedOf } from '../../../api/members/communities/text.ts'

/** What members type, and what of it is a link. */
const TYPED: readonly (readonly [typed: string, links: readonly string[]])[] = [
  ['https://en.wikipedia.org/wiki/Mercury_(planet)', ['https://en.wikipedia.org/wiki/Mercury_(planet)']],
  ['(see https://a.example/b_(c))', ['https://a.example/b_(c)']],
  ['(https://a.example/b).', ['https://a.example/b']],
  ['https://a.example/[x]', ['https://a.example/[x]']],
  ['[https://a.example/x]', ['https://a.example/x']],
  ['https://a.example/x], and (https://b.example/?q=(1)!)', ['https://a.example/x', 'https://b.example/?q=(1)']],
  ['https://a.example/。続き', ['https://a.example/']],
  ['「https://a.example/b」と、https://c.example/d、', ['https://a.example/b', 'https://c.example/d']],
  ['HTTPS://A.example/x?!', ['HTTPS://A.example/x']],
  ['https://a.example/@[12]', ['https://a.example/@[12]']],
  ['https://a.example/日本', ['https://a.example/日本']],
  ['https://', []],
  ['https://)', []],
  ['xhttp', []],
]

const linksIn = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, shown]) => [href, shown])

describe('links in what members type', () => {
  it('keep their brackets, and end before the signs of the sentence', async () => {
    for (const [typed, links] of TYPED) {
      const html = htmlOf(typed)
      expect([typed, linksIn(html)]).to.deep.equal([typed, links.map((link) => [link, link])])
      expect(await typedOf(html), typed).to.equal(typed)
    }
  })

  it('leave mentions beside them as they are', () => {
    expect(htmlOf('@[12] https://a.example, @[7]')).to.equal(
      '<p><span data-mention="12"></span> <a href="https://a.example">https://a.example</a>, <span data-mention="7"></span></p>',
    )
  })
})
