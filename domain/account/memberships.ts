import type { Resource } from '../kernel/resource.ts'
import { list } from '../kinds/operations.ts'
import { membershipSchema, presentMembership } from './membership.ts'
import { team } from './owners.ts'
import { teamAggregate } from './team.ts'

/** Memberships of a team: not in the operation tables, but where the contract's rules send clients for user and assignee ids. */
export const membership: Resource = {
  name: 'membership',
  tag: 'Team',
  root: 'membership',
  category: 'account',
  under: team,
  aggregate: teamAggregate,
  documents: {
    version: 1,
    touches: (event) => (event.type === 'TeamMemberAdded' ? [Number(event.data.membership_id)] : []),
    evolve: (_document, event, _id) => ({
      user_id: event.data.user_id,
      platform_agent: event.data.platform_agent,
      role_ids: event.data.role_ids,
    }),
    indexes: [{ fields: ['team_id'] }],
    aggregateId: (document) => Number(document.team_id),
  },
  view: { schema: membershipSchema, present: presentMembership },
  operations: {
    listTeamsMemberships: list('/teams/{team_id}/memberships', {
      beyondContract: true,
      where: { platform_agent: false },
    }),
  },
}
