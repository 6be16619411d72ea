import { Type } from 'typebox'
import { recordOf } from '../kernel/model/fold.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import type { Shown } from '../resources/operation.ts'
import { picker } from '../resources/pick.ts'
import { dateTime, nullableInteger, nullableString } from '../resources/schemas.ts'
import type { Loader } from '../resources/view-types.ts'
import { removes } from '../resources/writes.ts'
import { platformApplication } from './platform/application/model.ts'
import { connection } from './platform/connection/model.ts'

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

type Lookup = Pick<Loader, 'where' | 'many'>

/** Returns the valid keys of a team that a person made, without their tokens. */
export const keysMadeBy = async (
  { user_id, team_id }: { readonly user_id: number; readonly team_id: number },
  load: Lookup,
): Promise<readonly JsonObject[]> => {
  const keys = await load.where('api_key', 'team_id', team_id)
  return keys.filter(({ made_by_id, hash }) => made_by_id === user_id && typeof hash === 'string').map(pickKey)
}

const [openConnection, openApplication] = [recordOf(connection), recordOf(platformApplication)]

/** Returns the connections that a person has made as a member of a team: they end with the membership. */
export const connectionsOf = async (membershipId: number, load: Lookup): Promise<readonly JsonObject[]> => {
  const own = (await load.where(connection.name, 'membership_id', membershipId)).map(openConnection)
  const ids = own.map(({ platform_application_id }) => platform_application_id)
  const applications = (await load.many(platformApplication.name, ids)).map(openApplication)
  const nameOf = (id: number) => applications.find((one) => one.id === id)?.name ?? ''
  return own.map(({ id, platform_application_id, workspace_id = 0, scopes }) => ({
    ...{ id, platform_application_id, name: nameOf(platform_application_id), workspace_id, scopes },
  }))
}

const shown: Shown = {
  schema,
  async of({ id, ...ids }, load) {
    const [team_id, user_id] = [Number(ids.team_id), Number(ids.user_id)]
    const [api_keys, connections] = await Promise.all([
      keysMadeBy({ user_id, team_id }, load),
      connectionsOf(Number(id), load),
    ])
    return { id, team_id, user_id, api_keys, connections }
  },
}

/** Removes a member from a team. What the person could reach by it ends with the next request. */
export const membershipRemoval = removes('/memberships/{id}', {
  consequence: 'takes everything here from a person',
  beyondContract: true,
  ofTeam: true,
  summary: 'Removes a member from the team, and lists the API keys that the person made, and the connections that end',
  answers: 200,
  shows: shown,
  showsBefore: true,
})
