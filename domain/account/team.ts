import { Type } from 'typebox'
import type { Aggregate, Command, Decision } from '../kernel/decider.ts'
import type { DomainEvent, JsonObject } from '../kernel/event.ts'
import { firstVersions } from '../kernel/event-types.ts'
import type { FieldTable } from '../kernel/field.ts'
import { choice, text } from '../kernel/fields.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Loader, Resource } from '../kernel/resource.ts'
import { basics, changedOnly } from '../kinds/former.ts'
import { change, list, show } from '../kinds/operations.ts'
import { picker } from '../kinds/pick.ts'
import { nullableDateTime, nullableString } from '../kinds/schemas.ts'
import { membershipSchema, presentMembership } from './membership.ts'
import { team as teamOwner } from './owners.ts'

const fields: FieldTable = {
  name: text({ required: true }),
  time_zone: text({ default: null, about: 'Human-readable zone name' }),
  locale: choice(['en', 'ja', 'pt'], { default: 'en', about: 'Language of new websites' }),
}

interface TeamState {
  readonly founded: boolean
  readonly values: JsonObject
  readonly memberIds: readonly number[]
}

type AddMember = Command & {
  readonly type: 'AddMember'
  readonly membershipId: number
  readonly userId: number
  /** Joins an agent, not a person. */
  readonly agent: boolean
  readonly roles: readonly string[]
}

export type TeamCommand =
  | AddMember
  | (Command & { readonly type: 'FoundTeam' | 'ChangeTeam'; readonly values: JsonObject })

const addMember = (state: TeamState, { membershipId, userId, agent, roles }: AddMember): Decision => {
  if (!state.founded) return refuse.notFound()
  if (state.memberIds.includes(membershipId)) return []
  const data = { membership_id: membershipId, user_id: userId, platform_agent: agent, role_ids: roles }
  return [{ type: 'TeamMemberAdded', data }]
}

/** A team and its memberships, which share one stream. */
export const teamAggregate: Aggregate<TeamState, TeamCommand> = {
  name: 'team',
  initial: { founded: false, values: {}, memberIds: [] },
  events: firstVersions('TeamFounded', 'TeamChanged', 'TeamMemberAdded'),
  decide(state, command) {
    if (command.type === 'AddMember') return addMember(state, command)
    if (command.type === 'FoundTeam') return state.founded ? [] : [{ type: 'TeamFounded', data: command.values }]
    if (!state.founded) return refuse.notFound()
    const data = changedOnly(state.values, command.values)
    return Object.keys(data).length === 0 ? [] : [{ type: 'TeamChanged', data }]
  },
  evolve(state, event: DomainEvent) {
    if (event.type === 'TeamMemberAdded')
      return { ...state, memberIds: [...state.memberIds, Number(event.data.membership_id)] }
    return { ...state, founded: true, values: { ...state.values, ...event.data } }
  },
}

const teamSchema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  name: Type.String(),
  time_zone: nullableString,
  locale: Type.Enum(['en', 'ja', 'pt']),
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
  billing_subscriptions: Type.Optional(
    Type.Array(
      Type.Object({
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
      }),
      { description: 'Absent when the team has no subscription; a self-hosted team has none.' },
    ),
  ),
  memberships: Type.Optional(Type.Array(membershipSchema)),
})

const pick = picker(['id', 'public_id', 'name', 'time_zone', 'locale', 'created_at', 'updated_at'])

const present = async (document: JsonObject, load: Loader): Promise<JsonObject> => {
  const memberships = await load.where('membership', 'team_id', Number(document.id))
  const people = memberships.filter((membership) => membership.platform_agent !== true)
  return { ...pick(document), memberships: await Promise.all(people.map((one) => presentMembership(one, load))) }
}

/** Team: the account that owns workspaces; its memberships are shown without agents (spec 2.1). */
export const team: Resource = {
  name: 'team',
  tag: 'Team',
  root: 'team',
  category: 'account',
  under: teamOwner,
  aggregate: teamAggregate,
  documents: {
    version: 1,
    touches: (event, id) => (event.type === 'TeamMemberAdded' ? [] : [id]),
    evolve: (document, event, id) => ({ ...document, ...event.data, team_id: id }),
  },
  view: { schema: teamSchema, present },
  operations: {
    listTeams: list('/teams', { ofCaller: (caller) => ({ id: caller.teamId }) }),
    fetchTeam: show('/teams/{id}'),
    updateTeam: change('/teams/{id}', 'team', fields, {
      command: (input) => ({ type: 'ChangeTeam', values: input.fields, ...basics(input) }),
    }),
  },
}
