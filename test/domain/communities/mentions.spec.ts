import { expect } from 'chai'
import { mentionsIn, readMentions, withoutNames } from '../../../domain/communities/mentions.ts'
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
    const mention = (id: string) => nameOf(Number(id))
    expect(plainText(html, { mention })).to.equal('Thanks @Ada Lovelace, @<b>Bob</b> & @former member!')
  })

  it('keep nothing but the id, whatever their markup is', () => {
    const empty = of(7, '')
    for (const [html, left] of [
      [`<p>${of(7, 'Jane Doe')}!</p>`, `<p>${empty}!</p>`],
      [`<p>${of(7, '<span>Jane</span> Doe')}!</p>`, `<p>${empty}!</p>`],
      [`<p>${of(7, '<b><span>Jane</b> Doe</span>')}!</p>`, `<p>${empty}!</p>`],
      [`<p>${of(7, `Jane ${of(8, 'Doe')}`)}!</p>`, `<p>${empty}!</p>`],
      ['<p>Hi <span title="Jane Doe" data-mention="7" class=x>Jane</span\n>!</p>', `<p>Hi ${empty}!</p>`],
      ['<A DATA-MENTION=7 href="/jane">Jane</A>!', `${empty}!`],
      ['<p>Hi <span data-mention="7">Jane Doe</p><p>Bye', `<p>Hi ${empty}`],
      ['<span data-mention="7">Jane Doe</span', empty],
      ['<span data-mention="Jane Doe">Jane</span>!', `${of('', '')}!`],
      ['<p>Hi &amp; <b>bye</b></p>', '<p>Hi &amp; <b>bye</b></p>'],
    ] as const) {
      expect(withoutNames(html), html).to.equal(left)
      expect(withoutNames(left), left).to.equal(left)
    }
  })

  it('leave others their turns while a long text is read, and are the same as at once', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const html = `${of(7)}${'<p>x</p>'.repeat(500_000)}${of(8)}`
    expect(await readMentions(html)).to.deep.equal([7, 8])
    clearInterval(counting)
    expect(turns).to.be.greaterThan(0)
    expect(mentionsIn(html)).to.deep.equal([7, 8])
    expect(withoutNames(html).startsWith(of(7, ''))).to.equal(true)
  })

  it('15 71: take time in proportion to the length', () => {
    const html = of(7).repeat(20_000) + '<span data-mention="8">'.repeat(20_000)
    expect(mentionsIn(html)).to.deep.equal([7, 8])
    expect(withoutNames(html)).to.equal(`${of(7, '').repeat(20_000)}${of(8, '')}`)
  })
})
