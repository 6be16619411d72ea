import { expect } from 'chai'
import { mentionsIn, withNames } from '../../../domain/communities/mentions.ts'
import { plainText } from '../../../domain/resources/plain-text.ts'

const of = (id: number | string, says = 'Ada') => `<span data-mention="${id}">${says}</span>`
const names: Readonly<Record<number, string>> = { 7: 'Ada Lovelace', 8: '<b>Bob</b>' }
const nameOf = (id: number) => names[id] ?? 'former member'

describe('mentions', () => {
  it('name each contact once, in the order of the text', () => {
    expect(mentionsIn(`<p>${of(8)} and ${of(7)}, ${of(8)}</p>`)).to.deep.equal([8, 7])
    expect(mentionsIn(null)).to.deep.equal([])
  })

  it('are elements alone: no text that looks like one, no comment, no other value', () => {
    for (const html of [
      'data-mention="7"',
      `<!-- ${of(7)} -->`,
      of('x'),
      of('-7'),
      of(''),
      of('7.5'),
      '&lt;span data-mention="7">Ada&lt;/span>',
      '<b data-mention="7">Ada</b>',
      '<script><span data-mention="7">Ada</span></script>',
    ])
      expect(mentionsIn(html), html).to.deep.equal([])
    expect(mentionsIn(`<A DATA-MENTION='7' class=x>Ada</a >`)).to.deep.equal([7])
  })

  it('15 56: show the name that the contact has now, escaped, whatever was written', () => {
    const html = `<p>Thanks ${of(7, 'someone <i>else</i>')}, ${of(8)} &amp; ${of(9)}!</p>`
    const filled = withNames(html, nameOf)
    expect(filled).to.contain('>Ada Lovelace</span>').and.contain('&lt;b&gt;Bob&lt;/b&gt;').and.not.contain('else')
    const mention = (id: string) => nameOf(Number(id))
    expect(plainText(html, { mention })).to.equal('Thanks @Ada Lovelace, @<b>Bob</b> & @former member!')
  })

  it('15 71: take time in proportion to the length', () => {
    const html = of(7).repeat(20_000) + '<span data-mention="8">'.repeat(20_000)
    expect(mentionsIn(html)).to.deep.equal([7, 8])
    expect(withNames(html, nameOf).length).to.be.greaterThan(html.length)
  })
})
