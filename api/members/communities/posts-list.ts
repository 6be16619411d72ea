import { isShown, post, sees } from '../../../domain/communities/public.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { InSpace } from './access.ts'

export const POSTS_PER_PAGE = 20
/** Own posts that wait for approval, of which a page shows so many. */
const MOST_WAITING = 20

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
  const posts: Post[] = []
  let place = behind
  for (;;) {
    const after = place && { id: place.id, value: place.at }
    const found = await at.read.find(post, { where, sort, limit: POSTS_PER_PAGE + 1, ...(after && { after }) })
    for (const one of found.slice(0, POSTS_PER_PAGE)) {
      place = { at: one.created_at, id: one.id, began }
      if (wasPinned(one, began) === isPinned) posts.push(one)
      if (posts.length === POSTS_PER_PAGE) break
    }
    const last = found.at(-1)
    const isAtEnd = last === undefined || (found.length <= POSTS_PER_PAGE && last.id === place?.id)
    if (isAtEnd) return { posts, next: undefined }
    if (posts.length === POSTS_PER_PAGE) return { posts, next: place }
  }
}

/** Returns the posts of a space that the reader wrote and that wait for approval. */
export const ownWaiting = async (at: InSpace): Promise<readonly Post[]> => {
  const { member, place, read, community } = at
  if (!member) return []
  const where = { waiting_in: community.id, contact_id: member.contact_id }
  const found = await read.find(post, { where, limit: MOST_WAITING * 10 })
  const own = found.filter((one) => one.space_id === place.space.id && !isShown(one) && sees(one, place, member))
  return own.slice(0, MOST_WAITING)
}
