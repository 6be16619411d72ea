import { expect } from 'chai'
import { degreeOf, type Member, type Place, sees, type Written } from '../../../domain/communities/visibility.ts'

const ACCESS = ['is_open', 'is_private', 'is_secret'] as const
const AT = '2026-11-26T17:00:00.000Z'

const place = (change: Partial<{ [part in keyof Place]: Partial<Place[part]> }> = {}): Place => ({
  community: { status: 'live', private: false, ...change.community },
  group: { id: 1, access: 'is_open', is_hidden_from_non_members: false, ...change.group },
  space: { id: 11, access: 'is_open', ...change.space },
})
const member = (change: Partial<Member> = {}): Member => ({
  contact_id: 7,
  moderator: false,
  space_ids: [],
  group_ids: [],
  ...change,
})
const inside = member({ space_ids: [11], group_ids: [1] })

describe('visibility in communities', () => {
  it('15 32: is the strictest of community, group and space for who is outside', () => {
    const degrees = ['open', 'closed', 'hidden']
    for (const [n, group] of ACCESS.entries())
      for (const [m, space] of ACCESS.entries()) {
        const at = place({ group: { access: group }, space: { access: space } })
        expect(degreeOf(at, undefined), `${group} ${space}`).to.equal(degrees[Math.max(n, m)])
        expect(degreeOf(at, member()), `${group} ${space}`).to.equal(degrees[Math.max(n, m)])
        expect(degreeOf(at, inside)).to.equal('open')
      }
  })

  it('15 32: of a private community is for members, and of a draft for who moderates', () => {
    const closed = place({ community: { private: true } })
    expect([degreeOf(closed, undefined), degreeOf(closed, member())]).to.deep.equal(['closed', 'open'])
    const draft = place({ community: { status: 'draft' } })
    expect([degreeOf(draft, undefined), degreeOf(draft, inside)]).to.deep.equal(['hidden', 'hidden'])
    expect(degreeOf(draft, member({ moderator: true }))).to.equal('open')
  })

  it('15 32: who is in another space of a group is in the group, and not in its private spaces', () => {
    const at = place({ group: { is_hidden_from_non_members: true }, space: { access: 'is_private' } })
    expect(degreeOf(at, member({ space_ids: [12], group_ids: [1] }))).to.equal('closed')
    expect(degreeOf(at, member())).to.equal('hidden')
  })

  it('15 33: what waits for approval is seen by its author and who moderates, what was declined only by these', () => {
    const pending: Written = { approved_at: null, declined_at: null, contact_id: 7 }
    const declined: Written = { approved_at: null, declined_at: AT, contact_id: 7 }
    const shown: Written = { approved_at: AT, declined_at: null, contact_id: 7 }
    const readers = [undefined, member({ contact_id: 8 }), member(), member({ contact_id: 8, moderator: true })]
    const seenBy = (written: Written) => readers.map((reader) => sees(written, place(), reader))
    expect(seenBy(shown)).to.deep.equal([true, true, true, true])
    expect(seenBy(pending)).to.deep.equal([false, false, true, true])
    expect(seenBy(declined)).to.deep.equal([false, false, false, true])
  })

  it('15 33: a post of a space that somebody does not see is not seen, not even by its author', () => {
    const written: Written = { approved_at: AT, declined_at: null, contact_id: 7 }
    expect(sees(written, place({ space: { access: 'is_private' } }), member())).to.equal(false)
    expect(sees(written, place({ space: { access: 'is_private' } }), inside)).to.equal(true)
  })
})
