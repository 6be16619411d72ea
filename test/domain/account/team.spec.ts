import { team } from '../../../domain/account/team-model.ts'
import { teams } from '../../../domain/account/team-rules.ts'
import { AT, ask, given, stamp } from '../../support/decider.ts'

const [AGENT, ADMIN, MEMBER, SECOND] = [11, 12, 13, 14]
const joined = (membership_id: number, user_id: number, role_ids: readonly string[], platform_agent = false) => ({
  type: 'TeamMemberAdded',
  data: { membership_id, user_id, platform_agent, role_ids, added_by_id: null },
})
const founded = { type: 'TeamFounded', data: { name: 'Team', time_zone: null, locale: 'en' } }
const before = [founded, joined(AGENT, 101, [], true), joined(ADMIN, 102, ['admin']), joined(MEMBER, 103, ['member'])]
const invited = (expires_at = '2026-03-08T09:00:00.000Z') => ({
  type: 'PersonInvited',
  data: {
    invitation_id: 21,
    email: 'Ada@Example.COM',
    role_ids: ['member'],
    invited_by_id: 102,
    link_number: 1,
    expires_at,
  },
})

const to = (
  child: string,
  id: number,
  type: string,
  wanted: object,
  by: number | undefined,
  ids?: readonly number[],
) => ({
  ...ask(type, wanted, { child, id, ...(ids && { ids }) }),
  ...stamp,
  actor: { label: 'test', ...(by !== undefined && { membershipId: by }) },
})
const member = (id: number, type: string, wanted: object, by?: number) => to('memberships', id, type, wanted, by)
const invite = (by?: number, email = 'Ada@Example.COM', role_ids = ['member']) =>
  to('invitations', 21, 'create', { email, role_ids }, by)
const act = (type: string, wanted: object = {}, by?: number) => to('invitations', 21, type, wanted, by, [31])
const NOBODY = { mailboxes: [], acceptedBy: undefined }
const ADA = { mailboxes: [], acceptedBy: 'ada@example.com' }
const accepting = (number = 1) => act('accept', { user_id: 104, number })
const ONLY_ADMIN = 'only an admin of the team may do this'

describe('the people of a team', () => {
  it('are invited, removed and given roles by an admin, an agent of the team or the operator, and by no other member', () => {
    for (const by of [ADMIN, AGENT, undefined]) {
      given(teams, ...before)
        .when(member(MEMBER, 'change', { role_ids: ['admin'] }, by))
        .then(team.event.TeamMemberRolesChanged({ membership_id: MEMBER, role_ids: ['admin'] }))
      given(teams, ...before)
        .when(member(MEMBER, 'remove', {}, by))
        .then(team.event.TeamMemberRemoved({ membership_id: MEMBER }))
    }
    const withTwo = [...before, joined(SECOND, 104, ['member'])]
    for (const command of [
      member(SECOND, 'change', { role_ids: ['admin'] }, MEMBER),
      member(SECOND, 'remove', {}, MEMBER),
      member(SECOND, 'remove', {}, 999),
    ])
      given(teams, ...withTwo)
        .when(command)
        .refuses('forbidden', ONLY_ADMIN)
    given(teams, ...before)
      .when(invite(MEMBER), NOBODY)
      .refuses('forbidden', ONLY_ADMIN)
    for (const type of ['withdraw', 'renew'])
      given(teams, ...before, invited())
        .when(act(type, {}, MEMBER), NOBODY)
        .refuses('forbidden', ONLY_ADMIN)
  })

  it('may leave by themselves', () => {
    given(teams, ...before)
      .when(member(MEMBER, 'remove', {}, MEMBER))
      .then(team.event.TeamMemberRemoved({ membership_id: MEMBER }))
  })

  it('always have an admin', () => {
    const last = 'A team needs at least one admin'
    for (const by of [ADMIN, AGENT, undefined]) {
      given(teams, ...before)
        .when(member(ADMIN, 'remove', {}, by))
        .refuses('invalid', last)
      given(teams, ...before)
        .when(member(ADMIN, 'change', { role_ids: ['member'] }, by))
        .refuses('invalid', last)
    }
    given(teams, ...before, joined(SECOND, 104, ['admin']))
      .when(member(ADMIN, 'remove', {}, ADMIN))
      .then(team.event.TeamMemberRemoved({ membership_id: ADMIN }))
  })

  it('have at least one role, and each is a member once', () => {
    given(teams, ...before)
      .when(member(MEMBER, 'change', { role_ids: [] }, ADMIN))
      .refuses('invalid', "Role ids can't be empty")
    given(teams, ...before)
      .when(member(SECOND, 'create', { user_id: 103, platform_agent: false, role_ids: ['admin'] }))
      .refuses('conflict', 'The user is a member of the team already')
  })

  it('are no agents: those keep their membership as it is', () => {
    for (const command of [member(AGENT, 'remove', {}), member(AGENT, 'change', { role_ids: ['admin'] })])
      given(teams, ...before)
        .when(command)
        .refuses('invalid', 'The membership of an agent cannot be changed')
  })
})

describe('invitations to a team', () => {
  it('are valid for a week and name who invited', () => {
    given(teams, ...before)
      .when(invite(ADMIN), NOBODY)
      .then(invited())
  })

  it('16 25: go to an address once, in whatever case it is written', () => {
    given(teams, ...before, invited())
      .when(to('invitations', 22, 'create', { email: 'ADA@example.com', role_ids: ['admin'] }, ADMIN), NOBODY)
      .refuses('invalid', 'Email is already invited')
    given(teams, ...before)
      .when(invite(ADMIN, 'Mia@Example.com'), { mailboxes: ['mia@example.com'], acceptedBy: undefined })
      .refuses('invalid', 'Email is already that of a member')
    const expired = invited('2026-02-28T09:00:00.000Z')
    const again = { ...invited().data, invitation_id: 22, email: 'ada@example.com' }
    given(teams, ...before, expired)
      .when(to('invitations', 22, 'create', { email: 'ada@example.com', role_ids: ['member'] }, ADMIN), NOBODY)
      .then({ type: 'PersonInvited', data: again })
  })

  it('are at most a hundred at once', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      type: 'PersonInvited',
      data: { ...invited().data, invitation_id: 100 + index, email: `p${index}@example.com` },
    }))
    given(teams, ...before, ...many)
      .when(invite(ADMIN), NOBODY)
      .refuses('invalid', 'A team can have at most 100 open invitations')
  })

  it('make a member of whoever has their address, once', () => {
    const accepted = { type: 'InvitationAccepted', data: { invitation_id: 21, accepted_by_id: 104 } }
    const added = { membership_id: 31, user_id: 104, platform_agent: false, role_ids: ['member'], added_by_id: 102 }
    given(teams, ...before, invited())
      .when(accepting(), ADA)
      .then(accepted, { type: 'TeamMemberAdded', data: added })
    given(teams, ...before, invited(), accepted, { type: 'TeamMemberAdded', data: added })
      .when(accepting(), ADA)
      .thenNothing()
    given(teams, ...before, invited(), accepted)
      .when(act('accept', { user_id: 105, number: 1 }), ADA)
      .refuses('conflict', 'The invitation was accepted already')
    given(teams, ...before, invited(), joined(SECOND, 104, ['admin']))
      .when(accepting(), ADA)
      .then(accepted)
  })

  it('16 23: belong to their address', () => {
    for (const acceptedBy of ['eve@example.com', undefined])
      given(teams, ...before, invited())
        .when(accepting(), { mailboxes: [], acceptedBy })
        .refuses('forbidden', 'an invitation belongs to its address')
  })

  it('end when they are withdrawn, after a week, and for the older link when they are renewed', () => {
    const withdrawn = { type: 'InvitationWithdrawn', data: { invitation_id: 21 } }
    given(teams, ...before, invited())
      .when(act('withdraw', {}, ADMIN), NOBODY)
      .then(withdrawn)
    given(teams, ...before, invited(), withdrawn)
      .when(act('withdraw', {}, ADMIN), NOBODY)
      .thenNothing()
    given(teams, ...before, invited(), withdrawn)
      .when(accepting(), ADA)
      .refuses('conflict', 'The invitation was withdrawn')
    given(teams, ...before, invited(AT))
      .when(accepting(), ADA)
      .refuses('conflict', 'The invitation has expired')
    const renewed = {
      type: 'InvitationRenewed',
      data: { invitation_id: 21, link_number: 2, expires_at: '2026-03-08T09:00:00.000Z' },
    }
    given(teams, ...before, invited(AT))
      .when(act('renew', {}, ADMIN), NOBODY)
      .then(renewed)
    given(teams, ...before, invited(AT), renewed)
      .when(accepting(), ADA)
      .refuses('conflict', 'A newer link has replaced this one')
    given(teams, ...before, invited(), withdrawn)
      .when(act('renew', {}, ADMIN), NOBODY)
      .refuses('conflict', 'The invitation was withdrawn')
  })
})
