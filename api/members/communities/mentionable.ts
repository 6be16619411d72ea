import { comment, isOpenToMembers, membership, readersAmong, space } from '../../../domain/communities/public.ts'
import { contact, nameConditions } from '../../../domain/contacts/public.ts'
import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import { inStretches, readOn } from '../../../domain/kernel/ports/read-on.ts'
import { comparable } from '../../../domain/kernel/values/comparable.ts'
import type { AtPost, InSpace } from './access.ts'
import { type Names, namesOf } from './names.ts'

/** Contacts who are offered, and comments by those who see them that are looked at first. */
export const MOST_OFFERED = 40
/** Members all of whom are asked whether they see a space. Of larger communities it is those in its group. */
const FEW = 80
/** Contacts who are read at once. */
export const AT_ONCE = 200

type At = InSpace & Partial<Pick<AtPost, 'post'>>

/** Whom somebody has chosen already, and the name of whom they look for. */
interface Wanted {
  readonly chosen: readonly number[]
  readonly find?: string | undefined
}

interface Mentionable {
  readonly names: Names
  /** Whether there are, or may be, others whom a search finds. */
  readonly hasMore: boolean
  /** Whether a search found nobody. */
  readonly isNobody: boolean
}

type Ids = AsyncIterable<readonly number[]>

/** Goes through those who talk about a post, as far as they see it. What no contact wrote takes its place among the comments. */
const conversationOf = async function* ({ post, place, read }: At): Ids {
  if (!post) return
  const query = { where: { shown_on: post.id }, limit: MOST_OFFERED }
  const comments = inStretches((next) => read.find(comment, next), query)
  const seen = await readOn(comments, MOST_OFFERED, async (some) => {
    const authors = some.flatMap(({ contact_id }) => contact_id ?? [])
    const readers = await readersAmong(authors, place, read)
    return some.filter(({ contact_id }) => contact_id === null || readers.has(contact_id))
  })
  yield [post, ...seen].flatMap(({ contact_id }) => contact_id ?? [])
}

const membersWhere = async function* ({ read }: At, where: Where): Ids {
  for await (const some of inStretches((next) => read.find(membership, next), { where, limit: MOST_OFFERED }))
    yield some.map(({ contact_id }) => contact_id)
}

/** Goes through those who may see a space: of a large community whose space is not open to all of it, those in a space of the same group. */
const readersOf = async function* (at: At, isLarge: boolean): Ids {
  const { community, place } = at
  if (isOpenToMembers(place) || !isLarge) return yield* membersWhere(at, { community_id: community.id })
  const spaces = await at.read.find(space, { where: { space_group_id: place.group.id } })
  for (const { id } of spaces) yield* membersWhere(at, { space_ids: id })
}

/** Returns whether a name has, for each word that was looked for, one that begins so. */
const isCalled = (name: string, find: string): boolean => {
  const words = comparable(name).split(/\s+/)
  return comparable(find)
    .split(/\s+/)
    .every((wanted) => words.some((word) => word.startsWith(wanted)))
}

/** Goes through the members whose first or last name begins as the first word that was looked for. */
const membersCalled = async function* (at: At, find: string): Ids {
  const { read, community, request } = at
  const [first = ''] = comparable(find).split(/\s+/)
  const { workspaceId } = request.site
  for (const condition of nameConditions(first, request.service.vault)) {
    const where = { workspace_id: workspaceId, listed: true, ...condition }
    for await (const some of inStretches((next) => read.find(contact, next), { where, limit: AT_ONCE })) {
      const among = { contact_id: { $in: some.map(({ id }) => id) }, community_id: community.id }
      yield (await read.find(membership, { where: among })).map(({ contact_id }) => contact_id)
    }
  }
}

const oneAfterTheOther = async function* (sources: readonly Ids[]): Ids {
  for (const source of sources) yield* source
}

/** Returns the first who see what is in the space, with their names. */
const offered = async (
  at: At,
  sources: readonly Ids[],
  isMeant: (name: string) => boolean,
): Promise<ReadonlyMap<number, string>> => {
  const known = new Set([at.request.viewer.contact.id])
  const found = await readOn(oneAfterTheOther(sources), MOST_OFFERED, async (ids) => {
    const others = [...new Set(ids)].filter((id) => !known.has(id))
    for (const id of others) known.add(id)
    const names = await namesOf(at, [...(await readersAmong(others, at.place, at.read))])
    return [...names].filter(([, name]) => isMeant(name))
  })
  return new Map(found)
}

/** Returns whom a reader may mention, as far as they see what is in the space: whom they look for, or those who talk and other members. */
export const mentionable = async (at: At, { chosen, find }: Wanted): Promise<Mentionable> => {
  const count = await at.request.service.everywhere.count(membership.name, { community_id: at.community.id }, FEW + 1)
  const isLarge = count > FEW
  const found =
    find === undefined
      ? await offered(at, [conversationOf(at), readersOf(at, isLarge)], () => true)
      : await offered(at, [membersCalled(at, find)], (name) => isCalled(name, find))
  const kept = await namesOf(at, [...(await readersAmong(chosen, at.place, at.read))])
  return {
    names: new Map([...kept, ...found]),
    hasMore: isLarge || found.size === MOST_OFFERED,
    isNobody: found.size === 0,
  }
}
