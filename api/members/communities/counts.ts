import { ban, comment, commentLike, isShown, type post, postLike, sees } from '../../../domain/communities/public.ts'
import { contact, isContactKept } from '../../../domain/contacts/public.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { AtPost, InCommunity, InSpace } from './access.ts'

/** Number up to which is counted. */
const MOST = 1000
/** Likes of one thing that are looked at. */
const MOST_LIKES = 200

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

/** Returns those of some contacts whose likes count: they are neither deleted nor banned. */
const countedAmong = async (
  { request, community }: InCommunity,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { live } = request.service
  const all = [...new Set(ids)]
  const [contacts, bans] = await Promise.all([
    live.getMany(contact.name, all),
    all.length === 0 ? [] : live.find(ban.name, { where: { contact_id: { $in: all }, community_id: community.id } }),
  ])
  const banned = new Set(bans.map(({ contact_id }) => Number(contact_id)))
  const counts = (one: Document | undefined): one is Document =>
    one !== undefined && isContactKept(one) && !banned.has(Number(one.id))
  return new Set(contacts.filter(counts).map(({ id }) => Number(id)))
}

const likesOf = async (
  at: InCommunity,
  { collection, field }: Likeable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Likes>> => {
  const { live } = at.request.service
  const contact_id = at.request.viewer.contact.id
  const all = await Promise.all(
    ids.map((id) => live.find(collection, { where: { [field]: id }, limit: MOST_LIKES + 1 })),
  )
  const own = await Promise.all(
    ids.map((id) => live.find(collection, { where: { [field]: id, contact_id }, limit: 1 })),
  )
  const counted = await countedAmong(
    at,
    all.flat().map((one) => Number(one.contact_id)),
  )
  return new Map(
    ids.map((id, n) => {
      const found = all[n] ?? []
      const among = new Set(found.slice(0, MOST_LIKES).map((one) => Number(one.contact_id)))
      const [mine] = own[n] ?? []
      const count = [...among].filter((one) => counted.has(one)).length
      return [id, { count, isMore: found.length > MOST_LIKES, ownId: mine && Number(mine.id) }]
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

/** Returns the comments on a post that wait for approval and that the reader sees. */
export const waitingOn = async (at: InSpace, postId: number): Promise<readonly RecordOf<typeof comment>[]> => {
  if (!at.member) return []
  const found = await at.read.find(comment, { where: { waiting_on: postId }, limit: MOST })
  return found.filter((one) => !isShown(one) && sees(one, at.place, at.member))
}

/** Returns the number of comments on a post that the reader can read. */
export const commentCount = async (at: InSpace, postId: number): Promise<Count> => {
  const { live } = at.request.service
  const [shown, waiting] = await Promise.all([
    live.count(comment.name, { counted_on: postId }, MOST + 1),
    waitingOn(at, postId),
  ])
  const count = shown + waiting.length
  return { count: Math.min(count, MOST), isMore: count > MOST }
}

/** Returns the likes of one post. */
export const likesOfPost = async (at: AtPost): Promise<Likes> =>
  (await likesOfPosts(at, [at.post])).get(at.post.id) ?? { count: 0, isMore: false, ownId: undefined }
