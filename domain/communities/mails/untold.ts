import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { inStretches } from '../../kernel/ports/read-on.ts'
import { readMentions } from '../mentions.ts'
import { notice } from '../notice/model.ts'
import { comment, post, postView } from '../post/model.ts'
import type { JoinedMember } from '../standing.ts'
import { sees } from '../visibility.ts'
import type { Surroundings } from './members.ts'

/** Records of whom something was told to that are read at once. */
const AT_ONCE = 100

/** Time between two digests: from its beginning, which is not in it, to its end, which is. */
export interface Span {
  readonly since: string
  readonly until: string
}

/** Mention of a contact, in a post or in a comment on it, for which it got no mail. */
export interface UntoldMention {
  /** Id of the post. */
  readonly id: number
  readonly space_id: number
  readonly title: string
  /** Who wrote what mentions. */
  readonly contact_id: number | null
  readonly at: string
  /** Whether those who follow all that is new were mailed about it, as a post that is new. */
  readonly isAnnounced: boolean
}

type Notice = RecordOf<typeof notice>
type Written = RecordOf<typeof post> | RecordOf<typeof comment>

/** One who got no mail, of the record that says so. */
interface Entry {
  readonly of: Notice
  readonly contact_id: number
  readonly at: string
}

/** Reads in pages who was mentioned in a community in a time and got no mail for it. */
async function* untoldEntries(community_id: number, { since, until }: Span, read: Reader) {
  const where = { untold_in: community_id, untold_at: { $gt: since } }
  const query = { where, sort: { by: 'untold_at' }, limit: AT_ONCE }
  for await (const found of inStretches((next) => read.find(notice, next), query))
    yield found.flatMap((of): readonly Entry[] =>
      of.untold.filter(({ at }) => at > since && at <= until).map((one) => ({ of, ...one })),
    )
}

/** Reads the contacts who were mentioned in a community in a time and got no mail for it, whatever they see of it. */
export const untoldIn = async (community_id: number, span: Span, read: Reader): Promise<ReadonlySet<number>> => {
  const ids = new Set<number>()
  for await (const entries of untoldEntries(community_id, span, read))
    for (const { contact_id } of entries) ids.add(contact_id)
  return ids
}

/** Reads what some entries are about: posts and comments, and when their contacts have viewed the posts last. */
const recordsOf = async (entries: readonly Entry[], read: Reader) => {
  const postIds = [...new Set(entries.map(({ of }) => of.post_id))]
  const contactIds = [...new Set(entries.map(({ contact_id }) => contact_id))]
  const [posts, comments, views] = await Promise.all([
    read.many(post, postIds),
    read.many(comment, [...new Set(entries.flatMap(({ of }) => of.comment_id ?? []))]),
    read.find(postView, { where: { contact_id: { $in: contactIds }, post_id: { $in: postIds } } }),
  ])
  return {
    posts: new Map(posts.map((one) => [one.id, one])),
    comments: new Map(comments.map((one) => [one.id, one])),
    viewed: new Map(views.map(({ contact_id, post_id, viewed_at }) => [`${contact_id} ${post_id}`, viewed_at])),
  }
}

/** Whether something still tells those whom it mentions. */
const isTelling = (written: Written): boolean =>
  !('emptied_at' in written) || (written.emptied_at === null && !written.skip_notifications)

/** Returns what a member is told of an entry; `undefined`: nothing, since it does not see it, has seen it already, or is not mentioned any more. */
const mentionOf = async (
  { of, contact_id, at }: Entry,
  member: JoinedMember,
  { places }: Surroundings,
  { posts, comments, viewed }: Awaited<ReturnType<typeof recordsOf>>,
): Promise<UntoldMention | undefined> => {
  const on = posts.get(of.post_id)
  const written = of.comment_id === null ? on : comments.get(of.comment_id)
  const place = on && places.get(on.space_id)
  if (!on || !written || !place || !isTelling(written)) return undefined
  if (!sees(on, place, member) || !sees(written, place, member)) return undefined
  if (at <= member.membership.created_at || (viewed.get(`${contact_id} ${on.id}`) ?? '') >= at) return undefined
  if (!(await readMentions(written.body)).includes(contact_id)) return undefined
  const isAnnounced = of.comment_id === null && at <= (on.approved_at ?? '')
  return { id: on.id, space_id: on.space_id, title: on.title, contact_id: written.contact_id, at, isAnnounced }
}

/** Reads the mentions of some members in a time that were not mailed and that they have not seen, by the ids of their contacts. */
export const untoldMentions = async (
  around: Surroundings,
  span: Span,
  members: ReadonlyMap<number, JoinedMember>,
  read: Reader,
): Promise<ReadonlyMap<number, readonly UntoldMention[]>> => {
  const found = new Map<number, UntoldMention[]>([...members.keys()].map((id) => [id, []]))
  for await (const entries of untoldEntries(around.community.id, span, read)) {
    const own = entries.filter(({ contact_id }) => members.has(contact_id))
    if (own.length === 0) continue
    const about = await recordsOf(own, read)
    for (const entry of own) {
      const member = members.get(entry.contact_id)
      const mention = member && (await mentionOf(entry, member, around, about))
      if (mention) found.get(entry.contact_id)?.push(mention)
    }
  }
  return found
}
