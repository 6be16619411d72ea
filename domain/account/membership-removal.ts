import { Type } from 'typebox'
import { ask, within } from '../kernel/decide/ask.ts'
import type { Documents } from '../kernel/decide/command.ts'
import { readEverywhere } from '../kernel/decide/rules.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import type { ActionInput, ActionOperation } from '../resources/operation.ts'
import { picker } from '../resources/pick.ts'
import { dateTime, nullableInteger, nullableString } from '../resources/schemas.ts'
import { platformApplication } from './platform/application/model.ts'
import { connection } from './platform/connection/model.ts'
import { membership } from './team-model.ts'
import { teams } from './team-rules.ts'

const key = {
  id: Type.Integer(),
  hint: Type.String({ description: 'First characters of the key' }),
  label: nullableString,
  scopes: Type.Array(Type.String()),
  only_workspace_id: nullableInteger,
  created_at: dateTime,
}

const pickKey = picker(Object.keys(key))

const connectionShown = {
  id: Type.Integer(),
  platform_application_id: Type.Integer(),
  name: Type.String({ description: 'Of the application' }),
  workspace_id: Type.Integer(),
  scopes: Type.Array(Type.String()),
}

const schema = Type.Object({
  id: Type.Integer(),
  team_id: Type.Integer(),
  user_id: Type.Integer(),
  api_keys: Type.Array(Type.Object(key), {
    description:
      'Valid API keys that the person made. They belong to the team and go on working; revoke those that the person may know',
  }),
  connections: Type.Array(Type.Object(connectionShown), {
    description:
      'Applications that the person had connected. They acted as that person, so their tokens end with the membership',
  }),
})

/** Returns the valid keys of a team that a person made, without their tokens. */
export const keysMadeBy = async (
  { user_id, team_id }: { readonly user_id: number; readonly team_id: number },
  read: Documents,
): Promise<readonly JsonObject[]> => {
  const keys = await read.find('api_key', { where: { team_id } })
  return keys.filter(({ made_by_id, hash }) => made_by_id === user_id && typeof hash === 'string').map(pickKey)
}

/** Returns the connections that a person has made as a member of a team: they end with the membership. */
export const connectionsOf = async (membershipId: number, read: Documents): Promise<readonly JsonObject[]> => {
  const reader = readEverywhere(read)
  const own = await reader.find(connection, { where: { membership_id: membershipId } })
  const applications = await reader.many(
    platformApplication,
    own.map(({ platform_application_id }) => platform_application_id),
  )
  const nameOf = (id: number) => applications.find((one) => one.id === id)?.name ?? ''
  return own.map(({ id, platform_application_id, workspace_id = 0, scopes }) => ({
    ...{ id, platform_application_id, name: nameOf(platform_application_id), workspace_id, scopes },
  }))
}

const remove = async ({ document, read, transact }: ActionInput): Promise<JsonObject | Refusal> => {
  const { id, ...ids } = document!
  const [team_id, user_id] = [Number(ids.team_id), Number(ids.user_id)]
  const [api_keys, connections] = await Promise.all([
    keysMadeBy({ user_id, team_id }, read),
    connectionsOf(Number(id), read),
  ])
  const refusal = await transact(ask(within(teams, team_id, membership), Number(id), 'remove', {}))
  return refusal instanceof Refusal ? refusal : { id: Number(id), team_id, user_id, api_keys, connections }
}

/** Removes a member from a team. What the person could reach by it ends with the next request. */
export const membershipRemoval: ActionOperation = {
  kind: 'call',
  consequence: 'takes everything here from a person',
  method: 'DELETE',
  path: '/memberships/{id}',
  beyondContract: true,
  ofTeam: true,
  summary: 'Removes a member from the team, and lists the API keys that the person made, and the connections that end',
  schema,
  answers: 200,
  call: remove,
}
