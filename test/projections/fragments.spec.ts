import { expect } from 'chai'
import type { Change } from '../../domain/kernel/ports/read-models.ts'
import { Fragments } from '../../projections/fragments.ts'

const MIB = 1024 * 1024
const fragment = { frame: { id: 1 }, text: '{"id":1}', cuts: [], sources: [] }
const changed = (collection: string, id: number, fields: object = {}): Change => ({
  collection,
  id,
  document: { id, ...fields },
  position: 1,
})

describe('records kept as they are sent', () => {
  let kept: Fragments
  /** Keeps a fragment twice: only a fragment that was built before is kept. */
  const keep = (...what: Parameters<Fragments['keep']>) => {
    kept.keep(...what)
    kept.keep(...what)
  }
  beforeEach(() => {
    kept = new Fragments(MIB)
    const making = kept.begin()
    making.document('contact', 1)
    making.document('tag', 7)
    making.where('note', 'contact_id', 1)
    keep('contact 1', fragment, making)
  })

  it('are not cached at the first request', () => {
    const making = kept.begin()
    making.document('contact', 2)
    kept.keep('contact 2', fragment, making)
    expect(kept.get('contact 2')).to.equal(undefined)
    kept.keep('contact 2', fragment, making)
    expect(kept.get('contact 2')).to.equal(fragment)
  })

  it('stay cached while other records change', () => {
    kept.note([changed('contact', 2), changed('tag', 8), changed('note', 3, { contact_id: 2 })])
    expect(kept.get('contact 1')).to.equal(fragment)
  })

  for (const [what, change] of Object.entries({
    'the record itself': changed('contact', 1),
    'what it refers to': changed('tag', 7),
    'what comes to what it looks for': changed('note', 4, { contact_id: 1 }),
    'what comes as one of several': changed('note', 4, { contact_id: [2, 1] }),
    'what is taken away': { ...changed('tag', 7), document: null },
  })) {
    it(`are gone with a change of ${what}`, () => {
      kept.note([change])
      expect(kept.get('contact 1')).to.equal(undefined)
    })
  }

  it('are not cached when something changed while they were built', () => {
    const making = kept.begin()
    making.document('contact', 2)
    kept.note([changed('contact', 2)])
    keep('contact 2', fragment, making)
    expect(kept.get('contact 2')).to.equal(undefined)
  })

  it('are not cached when they depend on the moment, nor are pages that contain them', () => {
    const making = kept.begin()
    making.document('job', 1)
    making.passing()
    keep('job 1', fragment, making)
    expect(kept.get('job 1')).to.equal(undefined)
    const page = { text: '[{"id":1}]', more: false, cuts: [] }
    for (let time = 0; time < 2; time++) {
      const whole = kept.begin()
      whole.of([{ sources: making.names }])
      expect(kept.keepPage('job {}', page, whole)).to.equal(page)
    }
    expect(kept.page('job {}')).to.equal(undefined)
  })

  it('are not cached when the cache was cleared while they were built', () => {
    const making = kept.begin()
    making.document('contact', 2)
    kept.forget()
    keep('contact 2', fragment, making)
    expect([kept.get('contact 1'), kept.get('contact 2')]).to.deep.equal([undefined, undefined])
  })

  it('count as outdated after more changes than are remembered, unless they were requested meanwhile', () => {
    const another = kept.begin()
    another.document('contact', 2)
    keep('contact 2', fragment, another)
    for (let id = 100; id < 60_100; id++) {
      kept.note([changed('contact', id)])
      if (id % 1000 === 0) expect(kept.get('contact 1')).to.equal(fragment)
    }
    expect(kept.get('contact 2')).to.equal(undefined)
    kept.note([changed('tag', 7)])
    expect(kept.get('contact 1')).to.equal(undefined)
  })

  describe('as whole pages', () => {
    const page = { text: '[{"id":1}]', more: false, cuts: [] }
    const keepPage = () => {
      const making = kept.begin()
      making.collection('contact')
      making.of([{ sources: ['tag 7'] }])
      return kept.keepPage('contact {}', page, making)
    }
    beforeEach(() => void [keepPage(), keepPage()])

    it('are cached as bytes', () => {
      expect(kept.page('contact {}')?.text).to.deep.equal(Buffer.from(page.text))
    })

    it('stay cached while other collections change', () => {
      kept.note([changed('funnel', 1)])
      expect(kept.page('contact {}')).to.not.equal(undefined)
    })

    for (const [what, change] of Object.entries({
      'any record of the collection': changed('contact', 99),
      'what one on it is made of': changed('tag', 7),
    })) {
      it(`are gone with a change of ${what}`, () => {
        kept.note([change])
        expect(kept.page('contact {}')).to.equal(undefined)
      })
    }

    it('are not cached at the first request, nor after the cache is cleared', () => {
      kept.forget()
      expect(kept.page('contact {}')).to.equal(undefined)
      const making = kept.begin()
      expect(kept.keepPage('contact {"limit":1}', page, making)).to.equal(page)
    })
  })

  it('stay within their memory limit', () => {
    const text = 'x'.repeat(MIB / 4)
    for (let id = 2; id < 10; id++) {
      const making = kept.begin()
      making.document('contact', id)
      keep(`contact ${id}`, { ...fragment, text }, making)
    }
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].filter((id) => kept.get(`contact ${id}`))).to.deep.equal([8, 9])
  })
})
