import type { TellingDeps } from '../../emails/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { inStretches } from '../../kernel/ports/read-on.ts'
import { notice } from '../notice/model.ts'
import { post, postView } from '../post/model.ts'
import type { JoinedMember } from '../standing.ts'
import { sees } from '../visibility.ts'
import { digestFor } from './choices.ts'
import type { Surroundings } from './members.ts'
import { type Span, type UntoldMention, untoldMentions } from './untold.ts'

/** Posts that are read at once. */
const AT_ONCE = 100

type Post = RecordOf<typeof post>

/** What a digest lists: a post, by who wrote it or the comment on it that mentions the reader. */
export interface News extends Pick<Post, 'id' | 'space_id' | 'contact_id' | 'title'> {
  /** Since when it is new. */
  readonly at: string
}

/** A post, as far as a digest needs it: of any number of them, none keeps its text. */
interface NewPost extends News, Pick<Post, 'approved_at' | 'declined_at'> {
  /** Contacts who had a mail of their own about it. */
  readonly mailed: ReadonlySet<number>
}

/** What the digests of a community on one day have in common. */
export interface Edition {
  readonly around: Surroundings
  readonly since: string
  /** The newest first. */
  readonly posts: readonly NewPost[]
  /** Posts that each member has read, by the id of its contact. */
  readonly read: ReadonlyMap<number, ReadonlySet<number>>
  /** Mentions of each member for which it had no mail, by the id of its contact. */
  readonly mentions: ReadonlyMap<number, readonly UntoldMention[]>
}

/** Reads whom mentions in some posts were mailed to, by the ids of the posts. */
const mailedAbout = async (posts: readonly Post[], { read }: TellingDeps) => {
  const where = { post_id: { $in: posts.map(({ id }) => id) }, comment_id: null }
  const found = posts.length === 0 ? [] : await read.find(notice, { where })
  return new Map(found.map(({ post_id, told_ids }) => [post_id, new Set(told_ids)]))
}

/** Reads all posts of a community that became visible in a time, the newest first. Which of them a member sees is asked of each afterwards. */
const postsOf = async (
  community_id: number,
  { since, until }: Span,
  deps: TellingDeps,
): Promise<readonly NewPost[]> => {
  const where = { community_id, approved_at: { $gt: since, $lte: until } }
  const sort = { by: 'approved_at', descending: true }
  const posts: NewPost[] = []
  for await (const found of inStretches((next) => deps.read.find(post, next), { where, sort, limit: AT_ONCE })) {
    const mailed = await mailedAbout(found, deps)
    for (const { id, space_id, contact_id, title, approved_at, declined_at } of found) {
      const at = approved_at ?? ''
      const shown = { id, space_id, contact_id, title, at, approved_at, declined_at }
      posts.push({ ...shown, mailed: mailed.get(id) ?? new Set() })
    }
  }
  return posts
}

/** Reads which of some posts members have read. */
const readBy = async (contactIds: readonly number[], posts: readonly NewPost[], { read }: TellingDeps) => {
  const found = new Map<number, Set<number>>(contactIds.map((id) => [id, new Set()]))
  if (posts.length === 0) return found
  const oldest = posts.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY)
  const where = { contact_id: { $in: [...contactIds] }, post_id: { $gte: oldest } }
  for (const { contact_id, post_id } of await read.find(postView, { where, sort: { by: 'post_id' } }))
    found.get(contact_id)?.add(post_id)
  return found
}

/** Reads what the digests to some members have in common. */
export const editionOf = async (
  around: Surroundings,
  span: Span,
  members: ReadonlyMap<number, JoinedMember>,
  deps: TellingDeps,
): Promise<Edition> => {
  const [posts, mentions] = await Promise.all([
    postsOf(around.community.id, span, deps),
    untoldMentions(around, span, members, deps.read),
  ])
  return { around, since: span.since, posts, read: await readBy([...members.keys()], posts, deps), mentions }
}

/** Returns posts that a member has not read, and has had no mail of its own about, the newest first. */
const unread = ({ around, since, posts, read }: Edition, member: JoinedMember): readonly NewPost[] => {
  const { membership, contact_id } = member
  const from = membership.created_at > since ? membership.created_at : since
  return posts.filter((one) => {
    const place = around.places.get(one.space_id)
    const isNew = one.at > from && one.contact_id !== contact_id
    if (place === undefined || !isNew || read.get(contact_id)?.has(one.id)) return false
    return sees(one, place, member) && !one.mailed.has(contact_id)
  })
}

/** Returns what a digest has for a member, the newest first: a post once, however often it mentions the member. */
export const newsFor = (edition: Edition, member: JoinedMember): readonly News[] => {
  const isEverything = digestFor(edition.around.community, member.membership) === 'everything'
  const posts = isEverything ? unread(edition, member) : []
  const mentions = edition.mentions.get(member.contact_id) ?? []
  const own = mentions.filter(({ isAnnounced }) => isEverything || !isAnnounced)
  if (own.length === 0) return posts
  const newest = new Map<number, News>(own.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((one) => [one.id, one]))
  for (const one of posts) newest.set(one.id, one)
  return [...newest.values()].toSorted((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1))
}
