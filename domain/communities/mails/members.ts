import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { community, space, spaceGroup } from '../community/model.ts'
import { membership } from '../membership/model.ts'
import type { Member, Place } from '../visibility.ts'

type Membership = RecordOf<typeof membership>

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

/** A member who gets mail. Whoever has left, or is banned, is none. */
export interface MailedMember extends Member {
  readonly membership: Membership
}

/** Reads the memberships of contacts in a community, by the ids of the contacts. */
export const membersOf = async (
  contactIds: readonly number[],
  { community, places }: Surroundings,
  read: Reader,
): Promise<ReadonlyMap<number, MailedMember>> => {
  const found = await read.find(membership, { where: { contact_id: { $in: [...contactIds] } } })
  const own = found.filter(({ community_id }) => community_id === community.id)
  return new Map(
    own.map((one): [number, MailedMember] => {
      const { contact_id, moderator, space_ids } = one
      const group_ids = [...new Set(space_ids.flatMap((id) => places.get(id)?.group.id ?? []))]
      return [contact_id, { contact_id, moderator, space_ids, group_ids, membership: one }]
    }),
  )
}
