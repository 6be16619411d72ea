import { expect } from 'chai'
import { Parser } from 'htmlparser2'
import { harmfulHtml } from '../../support/harmful-html.ts'
import { testService } from '../../support/service.ts'
import { hostedSite } from '../pages-host/support.ts'
import { blogOf } from './support.ts'

/** Returns the elements of a page and their attributes, without the values. */
const elementsIn = (html: string): readonly string[] => {
  const found: string[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => found.push([name, ...Object.keys(attributes)].join(' ')),
  })
  parser.end(html)
  return found
}

describe('parts of blogs that are texts', () => {
  it('15 66: are shown as they were written, whatever they contain', async () => {
    const service = await testService()
    const site = await hostedSite(service, await service.tenant({ test: true }))
    const blog = await blogOf(site.tenant)
    const page = async (title: string, excerpt: string, name: string) => {
      const author = await blog.part('author', { first_name: name, email_address: `${Math.random()}@example.com` })
      const [tag, category] = [await blog.part('tag', { name }), await blog.part('category', { name })]
      const parts = { author_ids: [author.id], tag_ids: [tag.id], category_ids: [category.id] }
      const post = await blog.posted({
        title,
        excerpt_content: excerpt,
        seo_description: excerpt.slice(0, 900),
        visibility: 'public',
        ...parts,
      })
      return [await site.get(encodeURI(post.current_path)), await site.get('/blog')].map(({ status, text }) => ({
        status,
        text,
      }))
    }
    const all = harmfulHtml.map(({ html }) => html.replaceAll('\0', '')).filter((html) => html.trim() !== '')
    const plain = await page('Raku', 'How it is fired', 'fire')
    const harmful = all.join(' ')
    const long = await page(harmful.slice(0, 200), harmful, harmful.slice(300, 400))
    expect(long.map(({ status }) => status)).to.deep.equal([200, 200])
    expect(elementsIn(long[0]!.text)).to.deep.equal(elementsIn(plain[0]!.text))
    expect(new Set(elementsIn(long[1]!.text))).to.deep.equal(new Set(elementsIn(plain[1]!.text)))
    expect(long[1]!.text).to.contain('&lt;script&gt;xss()')
  })
})
