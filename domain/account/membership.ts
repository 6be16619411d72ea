import { Type } from 'typebox'
import type { JsonObject } from '../kernel/event.ts'
import type { Loader } from '../kernel/resource.ts'
import { picker } from '../kinds/pick.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from '../kinds/schemas.ts'
import { presentUser, userSchema } from './user.ts'

/** A membership joins a user to a team; shown inside the team and in a list of its own. */
export const membershipSchema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  team_id: nullableInteger,
  user_id: nullableInteger,
  user_first_name: nullableString,
  user_last_name: nullableString,
  user_profile_photo_id: nullableString,
  user_email: nullableString,
  added_by_id: nullableInteger,
  platform_agent_of_id: nullableInteger,
  role_ids: nullable(Type.Array(Type.String())),
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
  user: Type.Optional(userSchema),
})

const pick = picker(['id', 'public_id', 'team_id', 'user_id'])
const times = picker(['created_at', 'updated_at'])

/** A membership with its user's details. */
export const presentMembership = async (membership: JsonObject, load: Loader): Promise<JsonObject> => {
  const user = await load.one('user', Number(membership.user_id))
  return {
    ...pick(membership),
    user_first_name: user?.first_name ?? null,
    user_last_name: user?.last_name ?? null,
    user_profile_photo_id: null,
    user_email: user?.email ?? null,
    added_by_id: null,
    platform_agent_of_id: null,
    role_ids: membership.role_ids ?? [],
    ...times(membership),
    ...(user && { user: presentUser(user) }),
  }
}
