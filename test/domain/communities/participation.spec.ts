import { participations } from '../../../domain/communities/membership/rules.ts'
import { ask, given, ROOT } from '../../support/decider.ts'

const ENDS = { contact_id: 7, community_id: 3 }
const space = (id: number, space_group_id: number) => ({ id, space_group_id })
const facts = { spaces: [space(11, 1), space(12, 1), space(21, 2)], isKept: true }
const began = { type: 'ParticipationBegan', data: ENDS }
const joined = { type: 'MemberJoined', data: { membership_id: 50, ...ENDS, moderator: true } }
const entered = (space_ids: readonly number[], spaces: readonly number[], groups: readonly number[]) => ({
  type: 'SpacesEntered',
  data: { membership_id: 50, space_ids, entered_space_ids: spaces, entered_group_ids: groups },
})
const left = (space_ids: readonly number[]) => ({ type: 'SpacesLeft', data: { membership_id: 50, space_ids } })
const banned = { type: 'ContactBanned', data: { ban_id: 60, ...ENDS, banned_by_id: 11, personal: { reason: null } } }
const hidden = (space_ids: readonly number[]) => ({ type: 'MembershipHidden', data: { membership_id: 50, space_ids } })
const unbanned = { type: 'ContactUnbanned', data: { ban_id: 60 } }
const restored = (space_ids: readonly number[]) => ({
  type: 'MembershipRestored',
  data: { membership_id: 50, ...ENDS, moderator: false, space_ids },
})

const join = (more: object = {}) => ask('join', { join: more }, { ids: [50] })
const ban = ask('create', { reason: null }, { child: 'bans', id: 60 })
const unban = ask('remove', {}, { child: 'bans', id: 60 })
const ofMember = (act: string, wanted: object) => ask(act, wanted, { child: 'memberships', id: 50 })

describe('participation in a community', () => {
  it('begins with a membership in spaces, and names those and the groups that are entered', () => {
    given(participations)
      .when(ask('create', { ...ENDS, join: { moderator: true, space_ids: [11, 21] } }, { id: ROOT, ids: [50] }), facts)
      .then(began, joined, entered([11, 21], [11, 21], [1, 2]))
  })

  it('takes only spaces of the community', () => {
    given(participations, began)
      .when(join({ space_ids: [99] }), facts)
      .refuses('invalid', 'Space ids must be of the community')
  })

  it('of who is a member already only grows, unless a new membership is asked for', () => {
    const held = [began, joined, entered([11], [11], [1])]
    given(participations, ...held)
      .when(join({ space_ids: [12, 21] }), facts)
      .then(entered([11, 12, 21], [12, 21], [2]))
    given(participations, ...held)
      .when(join({ onlyNew: true }), facts)
      .refuses('invalid', 'Contact has already joined this community')
  })

  it('is brought into exactly the spaces that are named', () => {
    given(participations, began, joined, entered([11, 12], [11, 12], [1]))
      .when(ofMember('change', { space_ids: [12, 21], moderator: false }), facts)
      .then(
        { type: 'MembershipChanged', data: { membership_id: 50, moderator: false } },
        left([12]),
        entered([12, 21], [21], [2]),
      )
    given(participations, began, joined, entered([11], [11], [1]))
      .when(ofMember('change', { space_ids: [11] }), facts)
      .thenNothing()
  })

  it('entering and leaving spaces can be repeated', () => {
    const held = [began, joined, entered([11], [11], [1])]
    given(participations, ...held)
      .when(ofMember('enter', { space_ids: [11] }), facts)
      .thenNothing()
    given(participations, ...held)
      .when(ofMember('leave', { space_ids: [12] }), facts)
      .thenNothing()
  })

  it('15 41: a ban keeps the membership out of sight', () => {
    given(participations, began, joined, entered([11], [11], [1]))
      .when(ban, facts)
      .then(banned, hidden([11]))
    given(participations, began).when(ban, facts).then(banned)
  })

  it('15 41: the end of a ban brings back the spaces that are still there, and nobody as a moderator', () => {
    const held = [began, joined, entered([11, 12], [11, 12], [1]), banned, hidden([11, 12])]
    given(participations, ...held)
      .when(unban, { ...facts, spaces: [space(12, 1)] })
      .then(unbanned, restored([12]))
    given(participations, began, banned).when(unban, facts).then(unbanned)
  })

  it('15 41: the end of a ban brings back what the member has chosen to be mailed about', () => {
    const chosen = { notifications: 'off', send_digest_email: false }
    const change = { type: 'MembershipChanged', data: { membership_id: 50, ...chosen } }
    given(participations, began, joined).when(ofMember('change', chosen), facts).then(change)
    given(participations, began, joined, change).when(ofMember('change', chosen), facts).thenNothing()
    const away = { ...hidden([]), data: { ...hidden([]).data, ...chosen } }
    given(participations, began, joined, change).when(ban, facts).then(banned, away)
    given(participations, began, joined, change, banned, away)
      .when(unban, facts)
      .then(unbanned, { ...restored([]), data: { ...restored([]).data, ...chosen } })
  })

  it('15 39: of who is banned neither begins nor grows', () => {
    for (const held of [
      [began, banned],
      [began, joined, banned, hidden([])],
    ])
      given(participations, ...held)
        .when(join({ space_ids: [11] }), facts)
        .refuses('invalid', 'Contact is banned from this community')
    given(participations, began, joined, banned, hidden([]))
      .when(ofMember('enter', { space_ids: [11] }), facts)
      .refuses('notFound', /missing/)
  })

  describe('that is bought during a ban', () => {
    const cause = { source_type: 'Orders::LineItem', source_id: 9 }
    const buy = ask('buy', { bought: { ...cause, space_ids: [11, 12] } }, { ids: [50] })
    const kept = {
      type: 'SpacesBought',
      data: { ...cause, space_ids: [11, 12], opened_space_ids: [11, 12], held_membership_id: 50 },
    }
    const lapsed = { type: 'SpacesLapsed', data: { ...cause, left_space_ids: [11, 12] } }
    const follow = (isOpen: boolean) => ask('follow', { standings: [{ ...cause, isOpen }] })
    const begins = { ...joined, data: { ...joined.data, moderator: false } }

    it('is kept, and begins when the ban ends', () => {
      given(participations, began, banned).when(buy, facts).then(kept)
      given(participations, began, banned, kept)
        .when(unban, facts)
        .then(unbanned, begins, entered([11, 12], [11, 12], [1]))
      given(participations, began, banned, kept, unbanned, begins).when(ban, facts).then(banned, hidden([]))
    })

    it('begins not where all was given back, or the contact is deleted', () => {
      given(participations, began, banned, kept).when(follow(false), facts).then(lapsed)
      given(participations, began, banned, kept, lapsed).when(unban, facts).then(unbanned)
      given(participations, began, banned, kept, lapsed, unbanned)
        .when(join({ space_ids: [11] }), facts)
        .then(begins, entered([11], [11], [1]))
      given(participations, began, banned, kept)
        .when(unban, { ...facts, isKept: false })
        .then(unbanned)
    })

    it('begins where it was given back and paid again', () => {
      const { held_membership_id: _, ...again } = kept.data
      given(participations, began, banned, kept, lapsed)
        .when(follow(true), facts)
        .then({ type: 'SpacesBought', data: again })
    })

    it('brings nobody back who had left before', () => {
      const left = { type: 'MemberLeft', data: { membership_id: 50 } }
      const { held_membership_id: _, ...before } = kept.data
      const bought = { type: 'SpacesBought', data: before }
      given(participations, began, joined, bought, entered([11, 12], [11, 12], [1]), left, banned)
        .when(unban, facts)
        .then(unbanned)
    })
  })

  it('is banned once', () => {
    given(participations, began, banned)
      .when(ask('create', { reason: null }, { child: 'bans', id: 61 }), facts)
      .refuses('invalid', 'Contact has already been banned from this community')
  })

  it('15 40: of who is deleted does not begin', () => {
    for (const command of [join(), ban])
      given(participations, began)
        .when(command, { ...facts, isKept: false })
        .refuses('invalid', 'Contact must exist')
  })

  describe('by oneself', () => {
    const open = { status: 'live', private: false, invite_only: false, allow_public_signup: false, upgrade_url: null }
    const group = (id: number, access: string) => ({ id, access, is_hidden_from_non_members: false })
    const wide = (community: object = {}, accesses: readonly string[] = ['is_open', 'is_open']) => ({
      community: { ...open, ...community },
      groups: accesses.map((access, n) => group(n + 1, access)),
      spaces: [space(11, 1), space(12, 1), space(21, 2)].map((one) => ({ ...one, access: 'is_open' })),
      isKept: true,
    })
    const self = (space_ids: readonly number[] = []) => join({ by_self: true, space_ids })
    const member = { type: 'MemberJoined', data: { ...joined.data, moderator: false } }

    it('is for live communities without invitations, and without an address where one buys, unless the public may sign up', () => {
      given(participations, began)
        .when(self([11]), wide())
        .then(member, entered([11], [11], [1]))
      for (const closed of [{ private: true }, { invite_only: true }, { upgrade_url: 'https://example.com/' }])
        given(participations, began)
          .when(self(), wide(closed))
          .refuses('forbidden', /by invitation alone/)
      given(participations, began)
        .when(self(), wide({ status: 'draft' }))
        .refuses('notFound', /missing/)
      const paid = { upgrade_url: 'https://example.com/', allow_public_signup: true }
      given(participations, began).when(self(), wide(paid)).then(member)
    })

    it('is for spaces that are open to the member', () => {
      given(participations, began)
        .when(self([11]), wide({}, ['is_private']))
        .refuses('forbidden', /open only to/)
      given(participations, began)
        .when(self([11]), wide({}, ['is_secret']))
        .refuses('notFound', /missing/)
      given(participations, began)
        .when(self([99]), wide())
        .refuses('notFound', /missing/)
      given(participations, began, joined, entered([11], [11], [1]))
        .when(self([12, 21]), wide({ private: true }, ['is_private', 'is_open']))
        .then(entered([11, 12, 21], [12, 21], [2]))
    })

    it('15 39: is not for who is banned', () => {
      given(participations, began, banned)
        .when(self(), wide())
        .refuses('invalid', /banned/)
    })
  })
})
