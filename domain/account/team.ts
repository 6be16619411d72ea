import { Type } from 'typebox'
import { decider } from '../kernel/decide/decider.ts'
import { choice, flag, list as listOf, reference, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { timeZone } from '../resources/attributes/time-zone.ts'
import { list, show } from '../resources/operations.ts'
import { nullableDateTime, nullableInteger, nullableString } from '../resources/schemas.ts'
import { serve } from '../resources/serve.ts'
import { embeddedWhere, inside, type ViewPart } from '../resources/view.ts'
import { changes } from '../resources/writes.ts'
import { team as teamOwner } from './owners.ts'
import { user } from './user.ts'

/** Joins a user to a team. */
export const membership = model('membership', {
  stream: 'team',
  owner: 'team_id',
  attributes: {
    user_id: reference('user', { required: true }),
    /** Joins an agent, not a person. */
    platform_agent: flag({ required: true, shown: 'never' }),
    role_ids: listOf(text(), { default: [] }),
  },
  events: { TeamMemberAdded: { creates: true } },
})

/** The account that owns workspaces; its memberships share its stream. */
export const team = model('team', {
  attributes: {
    name: text({ required: true }),
    time_zone: timeZone({ default: null }),
    locale: choice(['en', 'ja', 'pt'], { default: 'en', about: 'Language of new websites' }),
  },
  events: { TeamFounded: { creates: true }, TeamChanged: { changes: 'rest' } },
  children: { memberships: { model: membership, key: 'membership_id' } },
})

export const teams = decider(team)

type MembershipPart = ViewPart<typeof membership>

const ofUser = (name: string): MembershipPart => ({
  schema: nullableString,
  of: async ({ user_id }, load) => (await load.one('user', user_id))?.[name] ?? null,
})

/** What the contract has of memberships and Millrace has not. */
const none = (schema = nullableInteger): MembershipPart => ({ schema, of: () => null })

const asUser = inside(user)

/** Memberships of a team: not in the operation tables, but where the contract's rules send clients for user and assignee ids. */
export const membershipResource = serve(membership, teams, {
  title: 'Team',
  root: 'membership',
  category: 'account',
  under: teamOwner,
  view: {
    user_first_name: ofUser('first_name'),
    user_last_name: ofUser('last_name'),
    user_profile_photo_id: none(nullableString),
    user_email: ofUser('email'),
    added_by_id: none(),
    platform_agent_of_id: none(),
    user: {
      optional: true,
      schema: asUser.schema,
      async of({ user_id }, load) {
        const found = await load.one('user', user_id)
        return found && asUser.of(found, load)
      },
    },
  },
  operations: {
    listTeamsMemberships: list('/teams/{team_id}/memberships', {
      beyondContract: true,
      where: { platform_agent: false },
    }),
  },
})

const subscription = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  team_id: Type.Integer(),
  status: nullableString,
  cycle_ends_at: nullableDateTime,
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
  included_prices: Type.Array(
    Type.Object({ id: Type.Integer(), subscription_id: Type.Integer(), price_id: Type.String() }),
  ),
})

/** Team: its memberships are shown without agents (spec 2.1). */
export const teamResource = serve(team, teams, {
  title: 'Team',
  root: 'team',
  category: 'account',
  under: { ...teamOwner, field: 'id' },
  view: {
    billing_subscriptions: {
      optional: true,
      schema: Type.Array(subscription, {
        description: 'Absent when the team has no subscription; a self-hosted team has none.',
      }),
      of: () => undefined,
    },
    memberships: {
      optional: true,
      schema: Type.Array(membershipResource.view.schema),
      async of({ id }, load) {
        const members = await embeddedWhere('memberships', ['membership', 'team_id'], id, load)
        const people = members.filter(({ platform_agent }) => platform_agent !== true)
        return Promise.all(people.map((one) => load.present('membership', one)))
      },
    },
  },
  operations: {
    listTeams: list('/teams', { ofCaller: (caller) => ({ id: caller.teamId }) }),
    fetchTeam: show('/teams/{id}'),
    updateTeam: changes('/teams/{id}', { ofTeam: true }),
  },
})
