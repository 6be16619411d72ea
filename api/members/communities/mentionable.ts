import { comment, isReader, membership, space } from '../../../domain/communities/public.ts'
import { contact, nameConditions } from '../../../domain/contacts/public.ts'
import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import { comparable } from '../../../domain/kernel/values/comparable.ts'
import type { AtPost, InSpace } from './access.ts'
import { type Names, namesOf } from './names.ts'

/** Contacts who are offered. */
const MOST = 40
/** Members all of whom are asked whether they see a space. Of larger communities it is those in its group. */
const FEW = 80
/** Contacts who are read at once. */
const AT_ONCE = 200

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

const conversationOf = async function* (at: At): Ids {
  if (!at.post) return
  const said = await at.read.find(comment, { where: { shown_on: at.post.id }, limit: MOST })
  yield [at.post.contact_id, ...said.map(({ contact_id }) => contact_id)].filter((id) => id !== null)
}

const membersWhere = async function* ({ read }: At, where: Where): Ids {
  for (let after = 0; ; ) {
    const found = await read.find(membership, { where, limit: MOST, ...(after > 0 && { after }) })
    yield found.map(({ contact_id }) => contact_id)
    const last = found.at(-1)
    if (!last || found.length < MOST) return
    after = last.id
  }
}

/** Goes through those who may see a space: of a large community whose space is not open to all of it, those in a space of the same group. */
const readersOf = async function* (at: At, isLarge: boolean): Ids {
  const { community, place } = at
  const isOpen = place.space.access === 'is_open' && place.group.access === 'is_open'
  if (isOpen || !isLarge) return yield* membersWhere(at, { community_id: community.id })
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
    for (let after = 0; ; ) {
      const found = await read.find(contact, { where, limit: AT_ONCE, ...(after > 0 && { after }) })
      const ids = found.map(({ id }) => id)
      const joined = ids.length > 0 ? await read.find(membership, { where: { contact_id: { $in: ids } } }) : []
      yield joined.flatMap(({ community_id, contact_id }) => (community_id === community.id ? [contact_id] : []))
      const last = ids.at(-1)
      if (last === undefined || ids.length < AT_ONCE) break
      after = last
    }
  }
}

const readersAmong = async (at: At, ids: readonly number[]): Promise<readonly number[]> => {
  const readers = await Promise.all(ids.map((id) => isReader(id, at.place, at.read)))
  return ids.filter((_, n) => readers[n])
}

/** Takes readers until there are as many as are offered. Who sees is asked first: a bound before it would leave readers out. */
const offered = async (
  at: At,
  sources: readonly Ids[],
  isMeant: (name: string) => boolean,
): Promise<Map<number, string>> => {
  const own = at.request.viewer.contact.id
  const names = new Map<number, string>()
  for (const source of sources)
    for await (const ids of source) {
      const others = [...new Set(ids)].filter((id) => id !== own && !names.has(id))
      for (const [id, name] of await namesOf(at, await readersAmong(at, others))) {
        if (names.size === MOST) return names
        if (isMeant(name)) names.set(id, name)
      }
      if (names.size === MOST) return names
    }
  return names
}

/** Returns whom a reader may mention, as far as they see what is in the space: whom they look for, or those who talk and other members. */
export const mentionable = async (at: At, { chosen, find }: Wanted): Promise<Mentionable> => {
  const few = await at.read.find(membership, { where: { community_id: at.community.id }, limit: FEW + 1 })
  const isLarge = few.length > FEW
  const found =
    find === undefined
      ? await offered(at, [conversationOf(at), readersOf(at, isLarge)], () => true)
      : await offered(at, [membersCalled(at, find)], (name) => isCalled(name, find))
  const kept = await namesOf(at, await readersAmong(at, chosen))
  return { names: new Map([...kept, ...found]), hasMore: isLarge || found.size === MOST, isNobody: found.size === 0 }
}
