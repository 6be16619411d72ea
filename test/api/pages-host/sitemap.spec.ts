import { expect } from 'chai'
import { mapOf, partOf } from '../../../api/pages/sitemap.ts'

const MOST = 50_000
const entries = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ origin: 'https://clay.example', text: `<url><loc>${n}</loc></url>` }))
const locations = (text = '') => [...text.matchAll(/<loc>([^<]*)/g)].map(([, location]) => location)

describe('a sitemap', () => {
  it('15 85: is one file of at most 50,000 addresses, or an index of such files, in which each address is once', () => {
    expect(mapOf([])).to.match(/<urlset [^>]*>\s*<\/urlset>/)
    const whole = mapOf(entries(MOST))
    expect(whole).to.include('<urlset')
    expect(locations(whole)).to.have.length(MOST)
    const many = entries(MOST + 1)
    const index = mapOf(many)
    expect(index).to.include('<sitemapindex')
    expect(locations(index)).to.deep.equal([1, 2].map((file) => `https://clay.example/sitemap-${file}.xml`))
    const parts = [1, 2].map((file) => locations(partOf(many, file)))
    expect(parts.map(({ length }) => length)).to.deep.equal([MOST, 1])
    expect(new Set(parts.flat()).size).to.equal(MOST + 1)
    expect(partOf(many, 3)).to.equal(undefined)
  })
})
