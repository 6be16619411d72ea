import { type Ask, ask, within } from '../kernel/decide/ask.ts'
import type { Reader } from '../kernel/decide/rules.ts'
import type { MintId } from '../kernel/values/ids.ts'
import { space } from './community/model.ts'
import { membership } from './membership/model.ts'
import { participations } from './membership/rules.ts'

/** Returns the spaces that are still there, by their communities. */
const byCommunity = async (ids: readonly number[], read: Reader): Promise<ReadonlyMap<number, readonly number[]>> => {
  const found = new Map<number, readonly number[]>()
  for (const { id, community_id } of await read.many(space, ids))
    found.set(community_id, [...(found.get(community_id) ?? []), id])
  return found
}

interface GrantDeps {
  readonly read: Reader
  readonly mint: MintId
}

/** Returns the commands that bring a contact into spaces, and make it a member where it is none. They may be repeated. */
export const granting = async (
  contact_id: number,
  ids: readonly number[],
  { read, mint }: GrantDeps,
): Promise<readonly Ask[]> =>
  [...(await byCommunity(ids, read))].map(([community_id, space_ids]) =>
    ask(
      participations,
      'new',
      'create',
      { contact_id, community_id, join: { space_ids } },
      { ids: [mint(membership)], ifTaken: 'join' },
    ),
  )

/** Returns the commands that take a contact out of spaces. It stays a member. */
export const revoking = async (contact_id: number, ids: readonly number[], read: Reader): Promise<readonly Ask[]> => {
  const found = await read.find(membership, { where: { contact_id } })
  return found
    .filter(({ space_ids }) => space_ids.some((id) => ids.includes(id)))
    .map(({ id, participation_id }) =>
      ask(within(participations, participation_id, membership), id, 'leave', { space_ids: ids }),
    )
}
