import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { community, space, spaceGroup } from '../community/model.ts'
import { membership } from '../membership/model.ts'
import { type JoinedMember, joinedMember } from '../standing.ts'
import type { Place } from '../visibility.ts'

/** A space with what it is in. */
export interface NamedPlace extends Place {
  readonly space: RecordOf<typeof space>
}

/** A community with its spaces, as mails about it need them. */
export interface Surroundings {
  readonly community: RecordOf<typeof community>
  readonly places: ReadonlyMap<number, NamedPlace>
}

/** Reads a community with its spaces; `undefined`: it is gone. */
export const surroundingsOf = async (communityId: number, read: Reader): Promise<Surroundings | undefined> => {
  const where = { community_id: communityId }
  const [found, groups, spaces] = await Promise.all([
    read.one(community, communityId),
    read.find(spaceGroup, { where }),
    read.find(space, { where }),
  ])
  if (!found) return undefined
  const places = spaces.flatMap((one): (readonly [number, NamedPlace])[] => {
    const group = groups.find(({ id }) => id === one.space_group_id)
    return group ? [[one.id, { community: found, group, space: one }]] : []
  })
  return { community: found, places: new Map(places) }
}

/** Reads which of those who get mail are members of a community, by their ids. Whoever has left, or is banned, is none. */
export const membersOf = async (
  contactIds: readonly number[],
  { community, places }: Surroundings,
  read: Reader,
): Promise<ReadonlyMap<number, JoinedMember>> => {
  const where = { contact_id: { $in: [...contactIds] }, community_id: community.id }
  const spaces = [...places.values()].map((one) => one.space)
  const found = await read.find(membership, { where })
  return new Map(found.map((one) => [one.contact_id, joinedMember(one, spaces)]))
}
