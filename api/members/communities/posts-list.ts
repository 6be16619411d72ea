import { post, waitingFor } from '../../../domain/communities/public.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { inStretches, readOn } from '../../../domain/kernel/ports/read-on.ts'
import type { InSpace } from './access.ts'

export const POSTS_PER_PAGE = 20
/** Own posts that wait for approval, of which a page shows so many. */
export const MOST_WAITING = 20

type Post = RecordOf<typeof post>

/** Place in the list of a space, and when the walk through it began. */
export interface ListPlace {
  readonly at: string
  readonly id: number
  readonly began: string
}

export interface PostsPage {
  readonly posts: readonly Post[]
  /** Place behind which the next page begins; `undefined`: there is no more. */
  readonly next: ListPlace | undefined
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Returns a place as addresses of pages have it. */
export const spelledPlace = ({ at, id, began }: ListPlace): string => `${at}_${id}_${began}`

/** Reads the place in the address of a page; `undefined`: the beginning. */
export const placeIn = (sent: unknown): ListPlace | undefined => {
  const [at = '', id = '', began = '', ...more] = typeof sent === 'string' ? sent.split('_') : []
  const isPlace = INSTANT.test(at) && INSTANT.test(began) && /^\d{1,15}$/.test(id) && more.length === 0
  return isPlace ? { at, id: Number(id), began } : undefined
}

/** Whether a post was pinned when a walk began. What is pinned or unpinned on the way neither comes twice nor is left out. */
const wasPinned = ({ is_pinned, pin_turns }: Post, began: string): boolean => {
  const turnsSince = pin_turns.filter((at) => at > began).length
  return turnsSince % 2 === 1 ? !is_pinned : is_pinned
}

/** Returns a page of the posts of a space, the newest first. @param isPinned of those that are pinned, which stand apart, or of all others */
export const postsPage = async (at: InSpace, behind: ListPlace | undefined, isPinned = false): Promise<PostsPage> => {
  const began = behind?.began ?? at.request.at
  const where = { [isPinned ? 'pinned_in' : 'shown_in']: at.place.space.id }
  const sort = { by: 'created_at', descending: true }
  const after = behind && { id: behind.id, value: behind.at }
  const all = inStretches((next) => at.read.find(post, next), {
    ...{ where, sort, limit: POSTS_PER_PAGE + 1 },
    ...(after && { after }),
  })
  const found = await readOn(all, POSTS_PER_PAGE + 1, (some) =>
    some.filter((one) => wasPinned(one, began) === isPinned),
  )
  const posts = found.slice(0, POSTS_PER_PAGE)
  const last = found.length > POSTS_PER_PAGE ? posts.at(-1) : undefined
  return { posts, next: last && { at: last.created_at, id: last.id, began } }
}

/** Returns the posts of a space that the reader wrote and that wait for approval. */
export const ownWaiting = async ({ member, place, read, community }: InSpace): Promise<readonly Post[]> => {
  if (!member) return []
  const { contact_id } = member
  const where = { waiting_in: community.id, space_id: place.space.id, ...waitingFor(member), contact_id }
  return read.find(post, { where, limit: MOST_WAITING })
}
