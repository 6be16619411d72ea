import { Type } from 'typebox'
import { flag, text } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { mailboxOf, mailboxSpellings } from '../kernel/values/mailbox.ts'
import { list, read, show } from '../resources/operations.ts'
import { picker } from '../resources/pick.ts'
import type { ReadInput } from '../resources/read-operation.ts'
import { record } from '../resources/record.ts'
import { nullable, nullableDateTime, nullableString } from '../resources/schemas.ts'
import { team } from './owners.ts'

const shown = {
  id: Type.Integer(),
  public_id: nullableString,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  time_zone: nullableString,
  locale: nullableString,
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
}

const present = picker(Object.keys(shown))

const application = {
  id: Type.Integer(),
  public_id: Type.String(),
  team_id: Type.Integer({ description: 'Team that owns it' }),
}

const presentApplication = picker(Object.keys(application))

const meSchema = Type.Object({
  ...shown,
  connected_workspace: nullable(
    Type.Object({
      team_id: Type.Integer(),
      team_name: Type.String(),
      workspace_id: Type.Integer(),
      workspace_name: Type.String(),
      workspace_url: Type.String(),
      workspace_currency: Type.String(),
    }),
  ),
  platform_application: nullable(Type.Object(application, { description: 'Set for tokens of a connection' })),
})

const me = async ({ caller, load, baseUrl }: ReadInput): Promise<JsonObject> => {
  const [user, workspace, ownTeam, application] = await Promise.all([
    load.one('user', caller.userId),
    load.one('workspace', caller.workspaceId),
    load.one('team', caller.teamId),
    load.one('platform_application', caller.applicationId),
  ])
  const connected = workspace && {
    team_id: caller.teamId,
    team_name: ownTeam?.name ?? '',
    workspace_id: workspace.id,
    workspace_name: workspace.name ?? '',
    workspace_url: baseUrl,
    workspace_currency: workspace.currency ?? 'USD',
  }
  return {
    ...present(user ?? {}),
    connected_workspace: connected ?? null,
    platform_application: application ? presentApplication(application) : null,
  }
}

/** User: a person of a team, or the agent that its API keys act as. Read-only. */
export const user = record({
  name: 'user',
  title: 'User',
  root: 'user',
  category: 'account',
  under: team,
  missing: 'User not found',
  attributes: {
    email: text({ required: true }),
    first_name: text({ required: true }),
    last_name: text({ required: true }),
    time_zone: text(),
    locale: text({ required: true }),
    /** Whether it is the synthetic user that API keys of a team act as. */
    platform_agent: flag({ required: true }),
  },
  events: { UserRegistered: { creates: true } },
  unique: [
    {
      attributes: ['email'],
      within: 'everywhere',
      spellings: mailboxSpellings,
      says: 'Email has already been taken',
    },
  ],
  // Whoever signs in writes the address in any case; mail goes to the spelling that is stored.
  derives: { version: 1, of: ({ email }) => ({ mailbox: email ? mailboxOf(email) : null }) },
  indexes: [{ fields: ['mailbox'] }],
  shows: { schema: Type.Object(shown), present },
  operations: {
    fetchMyUser: read('/me', { schema: meSchema, read: me, summary: 'The user that the token acts as' }),
    listUsers: list('/users', { ofCaller: (caller) => ({ id: caller.userId }) }),
    fetchUser: show('/users/{id}'),
  },
})
