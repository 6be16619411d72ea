import {
  comment,
  commentLike,
  type post,
  postLike,
  presenceOf,
  waitingFor,
} from '../../../domain/communities/public.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { Document, Where } from '../../../domain/kernel/ports/read-models.ts'
import { inStretches, placeBehind, readOn } from '../../../domain/kernel/ports/read-on.ts'
import type { AtPost, InCommunity, InSpace } from './access.ts'

/** Number up to which is counted. */
const MOST = 1000
/** Number up to which likes are counted. */
export const MOST_LIKES = 200

/** A number, of which `isMore` says that it is more than that. */
export interface Count {
  readonly count: number
  readonly isMore: boolean
}

/** What a reader is told about likes. */
export interface Likes extends Count {
  /** The like of the reader. */
  readonly ownId: number | undefined
}

interface Likeable {
  readonly collection: string
  /** Field of a like that names what is liked. */
  readonly field: 'post_id' | 'comment_id'
}

const POST_LIKES: Likeable = { collection: postLike.name, field: 'post_id' }
const COMMENT_LIKES: Likeable = { collection: commentLike.name, field: 'comment_id' }

/** Returns which of some likes count: those of contacts who are neither deleted nor banned. */
const countedAmong = async (
  { community, read }: InCommunity,
  likes: readonly Document[],
): Promise<(like: Document) => boolean> => {
  const presences = await presenceOf(
    likes.map(({ contact_id }) => Number(contact_id)),
    community.id,
    read,
  )
  return ({ contact_id }) => presences.get(Number(contact_id)) === 'here'
}

const likesOf = async (
  at: InCommunity,
  { collection, field }: Likeable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Likes>> => {
  const { everywhere: live } = at.request.service
  const contact_id = at.request.viewer.contact.id
  const enough = MOST_LIKES + 1
  const queries = ids.map((id) => ({ where: { [field]: id }, limit: MOST_LIKES + 1 }))
  const found = await Promise.all(queries.map((query) => live.find(collection, query)))
  const own = await Promise.all(
    queries.map(({ where }) => live.find(collection, { where: { ...where, contact_id }, limit: 1 })),
  )
  const counts = await countedAmong(at, found.flat())
  const numbers = queries.map(async (query, n) => {
    const first = found[n] ?? []
    const counted = first.filter(counts).length
    const last = first.at(-1)
    if (!last || first.length < enough) return counted
    const others = inStretches((next) => live.find(collection, next), { ...query, after: placeBehind(last) })
    const see = async (some: readonly Document[]) => some.filter(await countedAmong(at, some))
    return counted + (await readOn(others, enough - counted, see)).length
  })
  return new Map(
    (await Promise.all(numbers)).map((number, n): [number, Likes] => {
      const [mine] = own[n] ?? []
      const count = Math.min(number, MOST_LIKES)
      return [ids[n] ?? 0, { count, isMore: number > MOST_LIKES, ownId: mine && Number(mine.id) }]
    }),
  )
}

/** Returns the likes of posts, by their ids. */
export const likesOfPosts = (at: InCommunity, posts: readonly RecordOf<typeof post>[]) =>
  likesOf(
    at,
    POST_LIKES,
    posts.map(({ id }) => id),
  )

/** Returns the likes of comments, by their ids. */
export const likesOfComments = (at: InCommunity, comments: readonly RecordOf<typeof comment>[]) =>
  likesOf(
    at,
    COMMENT_LIKES,
    comments.map(({ id }) => id),
  )

/** Conditions of the comments on a post that wait for approval and that the reader sees; `undefined`: it sees none. */
export const waitingOn = ({ member }: InSpace, postId: number): Where | undefined =>
  member && { waiting_on: postId, ...waitingFor(member) }

/** Returns the number of comments on a post that the reader can read. */
export const commentCount = async (at: InSpace, postId: number): Promise<Count> => {
  const { everywhere: live } = at.request.service
  const where = waitingOn(at, postId)
  const [shown, waiting] = await Promise.all([
    live.count(comment.name, { counted_on: postId }, MOST + 1),
    where ? live.count(comment.name, where, MOST + 1) : 0,
  ])
  const count = shown + waiting
  return { count: Math.min(count, MOST), isMore: count > MOST }
}

/** Returns the likes of one post. */
export const likesOfPost = async (at: AtPost): Promise<Likes> =>
  (await likesOfPosts(at, [at.post])).get(at.post.id) ?? { count: 0, isMore: false, ownId: undefined }
