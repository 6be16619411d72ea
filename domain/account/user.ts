import { Type } from 'typebox'
import type { Aggregate, Command } from '../kernel/decider.ts'
import type { DomainEvent, JsonObject } from '../kernel/event.ts'
import { firstVersions } from '../kernel/event-types.ts'
import type { ReadInput, Resource } from '../kernel/resource.ts'
import { list, read, show } from '../kinds/operations.ts'
import { picker, propertiesOf } from '../kinds/pick.ts'
import { nullableDateTime, nullableString } from '../kinds/schemas.ts'
import { team } from './owners.ts'

export interface UserDetails extends JsonObject {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly time_zone: string | null
  readonly locale: string
  /** The synthetic user that API keys of a team act as. */
  readonly platform_agent: boolean
}

export type RegisterUser = Command & { readonly type: 'RegisterUser'; readonly details: UserDetails }

export const userAggregate: Aggregate<{ readonly registered: boolean }, RegisterUser> = {
  name: 'user',
  initial: { registered: false },
  events: firstVersions('UserRegistered'),
  decide: (state, command) => (state.registered ? [] : [{ type: 'UserRegistered', data: command.details }]),
  evolve: (_state, _event: DomainEvent) => ({ registered: true }),
}

/** A user as it is shown, by itself and inside a membership. */
export const userSchema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  time_zone: nullableString,
  locale: nullableString,
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
})

const meSchema = Type.Object({
  ...userSchema.properties,
  connected_workspace: Type.Union([
    Type.Object({
      team_id: Type.Integer(),
      team_name: Type.String(),
      workspace_id: Type.Integer(),
      workspace_name: Type.String(),
      workspace_url: Type.String(),
      workspace_currency: Type.String(),
    }),
    Type.Null(),
  ]),
  platform_application: Type.Union([
    Type.Object({ id: Type.Integer(), public_id: Type.String(), team_id: Type.Integer() }),
    Type.Null(),
  ]),
})

export const presentUser = picker(propertiesOf(userSchema))

const me = async ({ caller, load, baseUrl }: ReadInput): Promise<JsonObject> => {
  const [user, workspace, ownTeam] = await Promise.all([
    load.one('user', caller.userId),
    load.one('workspace', caller.workspaceId),
    load.one('team', caller.teamId),
  ])
  const connected = workspace && {
    team_id: caller.teamId,
    team_name: ownTeam?.name ?? '',
    workspace_id: workspace.id,
    workspace_name: workspace.name ?? '',
    workspace_url: baseUrl,
    workspace_currency: workspace.currency ?? 'USD',
  }
  return { ...presentUser(user ?? {}), connected_workspace: connected ?? null, platform_application: null }
}

/** User: the people of a team and the agent that its API keys act as. Read-only. */
export const user: Resource = {
  name: 'user',
  tag: 'User',
  root: 'user',
  category: 'account',
  under: team,
  missing: 'User not found',
  aggregate: userAggregate,
  documents: { version: 1, evolve: (document, event) => ({ ...document, ...event.data }) },
  view: { schema: userSchema, present: presentUser },
  operations: {
    fetchMyUser: read('/me', { schema: meSchema, read: me, summary: 'The user that the token acts as' }),
    listUsers: list('/users', { ofCaller: (caller) => ({ id: caller.userId }) }),
    fetchUser: show('/users/{id}'),
  },
}
