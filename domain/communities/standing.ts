import { contact, isContactKept } from '../contacts/public.ts'
import type { Reader, StreamRecords } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { type community, space } from './community/model.ts'
import { ban, membership, participation } from './membership/model.ts'
import { spacesNow } from './purchases.ts'
import type { WholePlace } from './reader.ts'
import { asMember, degreeOf, type Member } from './visibility.ts'

/** Whether a contact is there for a community. `gone`: it is deleted or erased. */
type Presence = 'here' | 'gone' | 'banned'

/** Member with its membership. */
export interface JoinedMember extends Member {
  readonly membership: RecordOf<typeof membership>
}

/** What a contact is in a community. Whoever asks, it is worked out here. */
export interface Standing {
  readonly presence: Presence
  /** `undefined`: a visitor, as is whoever never joined, has left, is banned or gone. */
  readonly member: JoinedMember | undefined
}

/** Standing of a contact who has had nothing to do with a community. */
export const VISITOR: Standing = { presence: 'here', member: undefined }

/** Returns what is known of a member by its membership. @param spaces at least those that it is in */
export const joinedMember = (
  own: RecordOf<typeof membership>,
  spaces: Parameters<typeof asMember>[1],
): JoinedMember => ({ ...asMember(own, spaces), membership: own })

/** Returns whether contacts are there for a community. */
export const presenceOf = async (
  contactIds: readonly number[],
  community_id: number,
  read: Reader,
): Promise<ReadonlyMap<number, Presence>> => {
  const ids = [...new Set(contactIds)]
  if (ids.length === 0) return new Map()
  const [found, bans] = await Promise.all([
    read.many(contact, ids),
    read.find(ban, { where: { contact_id: { $in: ids }, community_id } }),
  ])
  const here = new Set(found.filter(isContactKept).map(({ id }) => id))
  const banned = new Set(bans.map(({ contact_id }) => contact_id))
  const presence = (id: number): Presence => (here.has(id) ? (banned.has(id) ? 'banned' : 'here') : 'gone')
  return new Map(ids.map((id) => [id, presence(id)]))
}

/** Returns what contacts are in a community. */
export const standingsOf = async (
  contactIds: readonly number[],
  community_id: number,
  read: Reader,
): Promise<ReadonlyMap<number, Standing>> => {
  if (contactIds.length === 0) return new Map()
  const [presences, joined] = await Promise.all([
    presenceOf(contactIds, community_id, read),
    read.find(membership, { where: { contact_id: { $in: [...new Set(contactIds)] }, community_id } }),
  ])
  const spaces = await read.many(space, [...new Set(joined.flatMap(({ space_ids }) => space_ids))])
  const memberships = new Map(joined.map((one) => [one.contact_id, one]))
  return new Map(
    [...presences].map(([id, presence]) => {
      const own = presence === 'here' ? memberships.get(id) : undefined
      return [id, { presence, member: own && joinedMember(own, spaces) }]
    }),
  )
}

/** Returns what a contact that is there is in a community, as the log has it. What it has bought counts as far as it is paid. */
export const standingIn = async (records: StreamRecords, at: string, read: Reader): Promise<Standing> => {
  const [own] = records.all(membership)
  const root = records.root(participation)
  if (records.all(ban).length > 0) return { presence: 'banned', member: undefined }
  if (!own || !root) return VISITOR
  const space_ids = await spacesNow(root, own.space_ids, at, read)
  return { presence: 'here', member: joinedMember({ ...own, space_ids }, await read.many(space, space_ids)) }
}

/** Returns those of some contacts who see what is shown in a space. */
export const readersAmong = async (
  contactIds: readonly number[],
  place: WholePlace,
  read: Reader,
): Promise<ReadonlySet<number>> => {
  const standings = await standingsOf(contactIds, place.community.id, read)
  const readers = [...standings].filter(
    ([, { presence, member }]) => presence === 'here' && degreeOf(place, member) === 'open',
  )
  return new Set(readers.map(([id]) => id))
}

type Seen = Pick<RecordOf<typeof community>, 'status' | 'private'>

/** Whether a community is there for somebody: a draft is for moderators, and one that is private for members. */
export const isOpenTo = ({ status, private: isPrivate }: Seen, { presence, member }: Standing): boolean =>
  presence === 'here' && (status === 'live' || member?.moderator === true) && (!isPrivate || member !== undefined)

/** Conditions of the communities that are open to visitors. */
export const OPEN_TO_VISITORS = { status: 'live', private: false } satisfies Seen
