import { Type } from 'typebox'
import { list, show } from '../resources/operations.ts'
import { nullableDateTime, nullableInteger, nullableString } from '../resources/schemas.ts'
import { serve } from '../resources/serve.ts'
import { embeddedShape, embeddedWhere, type ViewPart } from '../resources/view.ts'
import { changes } from '../resources/writes.ts'
import { membershipRemoval } from './membership-removal.ts'
import { team as teamOwner } from './owners.ts'
import { membership, team } from './team-model.ts'
import { teams } from './team-rules.ts'
import { user } from './user.ts'

type MembershipPart = ViewPart<typeof membership>

const userField = (name: string): MembershipPart => ({
  schema: nullableString,
  of: async ({ user_id }, load) => (await load.one('user', user_id))?.[name] ?? null,
})

/** Builds a field of memberships that the contract has and that is always `null` in Millrace. */
const absent = (schema = nullableInteger): MembershipPart => ({ schema, of: () => null })

const asUser = embeddedShape(user)

/** Memberships of a team. The contract's operation tables lack them, but its rules refer clients to them for user and assignee ids. */
export const membershipResource = serve(membership, teams, {
  title: 'Team',
  root: 'membership',
  category: 'account',
  under: teamOwner,
  indexes: [{ fields: ['user_id'] }],
  view: {
    user_first_name: userField('first_name'),
    user_last_name: userField('last_name'),
    user_profile_photo_id: absent(nullableString),
    user_email: userField('email'),
    platform_agent_of_id: absent(),
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
    updateMemberships: changes('/memberships/{id}', {
      consequence: 'changes what a person may do',
      method: 'PATCH',
      beyondContract: true,
      ofTeam: true,
      except: ['user_id', 'platform_agent'],
      summary: 'Gives a member other roles: `admin`, `member`, or both',
    }),
    removeMemberships: membershipRemoval,
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

/** Team, shown with its memberships, agents left out (spec 2.1). */
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
