import { expect } from 'chai'
import fc from 'fast-check'
import { cut } from '../../api/agents/calls/cut.ts'
import { quoted } from '../../api/agents/calls/record-words.ts'
import { renderRefusal } from '../../api/errors.ts'
import { ignoredHeader } from '../../api/handlers/unknown-names.ts'
import { masked } from '../../api/mail/words.ts'
import { shownName } from '../../api/oauth/registration/agent-client.ts'
import { campaignIn } from '../../api/sdk/source.ts'
import { invitationMail } from '../../domain/account/invitation-mail.ts'
import { slugIn } from '../../domain/blogs/paths.ts'
import { firstLine } from '../../domain/kernel/react/failure.ts'
import { beginningOf, shortened } from '../../domain/kernel/values/characters.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { slugOf } from '../../domain/resources/attributes/slug.ts'
import { messageOf } from '../../workers/reactor/rows.ts'

/** Characters as readers see them: a family, a flag, letters with marks, a syllable of Hangul, and one beyond the first plane. */
const SEEN = ['👨‍👩‍👧', '🇩🇪', 'e\u0301', 'x', '\u1112\u1161\u11ab', '😀', 'ñ', '👍🏽']

/** Letters that slugs keep: with marks, in parts, and beyond the first plane. */
const LETTERS = ['x', '𐐨', '한']

/** Whatever shows nothing that joins characters. */
const WITHOUT_JOINERS = ['the name of an application', 'a text that an agent asks about']

const invited = (team: string): string =>
  invitationMail({ to: 'a@b.example', team, url: 'https://a.example', expiresAt: '2026-11-26' }).subject.slice(
    'Invitation to '.length,
  )

/** Whatever cuts a text, with what it shows behind the cut. */
const CUTS: Readonly<Record<string, (text: string) => string>> = {
  'the subject of an invitation': invited,
  'the first line of a failure': (text) => firstLine(text).replace(/…$/, ''),
  'what is stored of an error': (text) => messageOf(new Error(text)),
  'a text that an agent asks about': (text) => /^“(.*?)(?:…” \(.*|”)$/.exec(quoted(text))![1]!,
  'the name of an application': shownName,
  'the source of a visit': (text) => campaignIn(`?utm_source=${encodeURIComponent(text)}`).utm_source!,
  'a refusal': (text) =>
    Object(renderRefusal(refuse.malformed(text), 'id').body)
      .error.replace(/…$/, '')
      .replace(/^[^:]*: /, ''),
  'a header of ignored names': (text) => decodeURIComponent(ignoredHeader({ fields: [text], parameters: [] })),
  'an answer to an agent': (text) => String(cut(text, 500)!.data),
}

/** How many of whole characters a text is the beginning of; `undefined` where it ends within one. */
const wholeIn = (text: string, characters: readonly string[]): number | undefined => {
  let so = ''
  for (const [at, one] of characters.entries()) {
    if (so === text) return at
    so += one
  }
  return so === text ? characters.length : undefined
}

describe('Texts that are cut', () => {
  for (const [name, cutText] of Object.entries(CUTS))
    it(`end before half of a character: ${name}`, () => {
      for (const one of SEEN.filter((seen) => !WITHOUT_JOINERS.includes(name) || !seen.includes('\u200d')))
        for (let before = 0; before < 8; before++) {
          const characters = [...'a'.repeat(before), ...Array<string>(5000).fill(one)]
          const whole = wholeIn(cutText(characters.join('')), characters)
          expect(whole, `${before} ${one}`).to.be.within(before + 1, 4999)
        }
    })

  for (const [name, slug] of Object.entries({
    'a path': (text: string) => slugOf(text, 'none'),
    'a path of a blog': slugIn,
  }))
    it(`end before half of a letter: ${name}`, () => {
      for (const one of [...LETTERS, ...(slug === slugIn ? ['क्षि'] : [])])
        for (let before = 0; before < 5; before++) {
          const characters = [...'a'.repeat(before), ...Array<string>(200).fill(slug(one))]
          expect(wholeIn(slug(characters.join('')), characters), `${before} ${one}`).to.be.within(before + 1, 199)
        }
    })

  it('show the first character of an address whole', () => {
    expect(masked('e\u0301va@👨‍👩‍👧x.example')).to.equal('e\u0301…@👨‍👩‍👧….example')
  })

  it('are as long as there is room for, and are whole where they fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...SEEN), { maxLength: 40 }),
        fc.integer({ min: 5, max: 60 }),
        (seen, most) => {
          const text = seen.join('')
          const sizes = seen.map((one) => [...one].length)
          let [room, fitting] = [most, 0]
          for (; fitting < seen.length && sizes[fitting]! <= room; fitting++) room -= sizes[fitting]!
          const isSame = (one: string) => [...new Intl.Segmenter('en').segment(one)].length === seen.length
          // Two flags beside each other, and letters that join, are other characters together.
          fc.pre(isSame(text))
          expect(beginningOf(text, most)).to.equal(seen.slice(0, fitting).join(''))
          expect(shortened(text, 1000)).to.equal(text)
        },
      ),
    )
    expect(beginningOf('👨‍👩‍👧', 3)).to.equal('👨‍👩')
    expect(shortened('one two three', 5)).to.equal('one…')
  })
})
