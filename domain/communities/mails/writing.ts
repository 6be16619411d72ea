import type { NoticeAbout, NoticeKind, NoticeReader, Telling } from '../../emails/public.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { mentionsIn, readMentions } from '../mentions.ts'
import { postPath } from '../paths.ts'
import { comment, post } from '../post/model.ts'
import type { JoinedMember } from '../standing.ts'
import { sees } from '../visibility.ts'
import { notificationsOf } from './choices.ts'
import { membersOf, type NamedPlace, type Surroundings, surroundingsOf } from './members.ts'
import { quoted } from './names.ts'

type Post = RecordOf<typeof post>
type Comment = RecordOf<typeof comment>

/** A post, or a comment on it, with where it is. */
interface Writing {
  readonly post: Post
  /** The comment, or else the post. */
  readonly written: Pick<Post | Comment, 'contact_id' | 'body' | 'approved_at' | 'declined_at'>
  readonly place: NamedPlace
}

/** Reads what a notice is about; `undefined`: it is gone. */
const writingOf = async (
  { post_id, comment_id }: JsonObject,
  { places }: Surroundings,
  read: Reader,
): Promise<Writing | undefined> => {
  const commentId = idIn(comment_id)
  const [on, reply] = await Promise.all([read.one(post, idIn(post_id)), read.one(comment, commentId)])
  const place = on && places.get(on.space_id)
  if (!on || !place || (commentId !== null && (!reply || reply.emptied_at !== null))) return undefined
  return { post: on, written: reply ?? on, place }
}

/** Returns why a member is not told of something that was written; `undefined`: it is. */
const reasonAgainst = (
  kind: string,
  { post: on, written, place }: Writing,
  member: JoinedMember | undefined,
  { community }: Surroundings,
): Extract<Telling, { withheld: unknown }>['withheld'] | undefined => {
  if (!member || !sees(on, place, member) || !sees(written, place, member)) return 'no_access'
  const wanted = notificationsOf(community, member.membership)
  if (wanted === 'off' || (kind === 'community_post' && wanted !== 'all')) return 'muted'
  const isMentioned = () => mentionsIn(written.body).includes(member.contact_id)
  return kind === 'community_mention' && !isMentioned() ? 'outdated' : undefined
}

/** Returns those of some contacts who would be mailed at this moment about a post or a comment. */
export const wouldBeMailed = async (
  kind: NoticeKind,
  about: NoticeAbout,
  contactIds: readonly number[],
  read: Reader,
): Promise<readonly number[]> => {
  const around = await surroundingsOf(Number(about.community_id), read)
  const writing = around && (await writingOf(about, around, read))
  if (!around || !writing) return []
  await readMentions(writing.written.body)
  const members = await membersOf(contactIds, around, read)
  return contactIds.filter((id) => reasonAgainst(kind, writing, members.get(id), around) === undefined)
}

/** Tells members of a post or a comment: that they are mentioned in it, that it replies to them, or that it is there. */
export const tellWriting: NoticeReader = async ({ kind, values }, recipients, deps) => {
  const ids = recipients.map(({ id }) => id)
  const all = (withheld: 'outdated'): ReadonlyMap<number, Telling> => new Map(ids.map((id) => [id, { withheld }]))
  const around = await surroundingsOf(Number(values.community_id), deps.read)
  const writing = around && (await writingOf(values, around, deps.read))
  if (!around || !writing) return all('outdated')
  await readMentions(writing.written.body)
  const members = await membersOf(ids, around, deps.read)
  const common = {
    community: { name: around.community.name },
    post: { title: writing.post.title, space: writing.place.space.name },
    ...(await quoted(writing.written, deps)),
  }
  return new Map(
    recipients.map((to): [number, Telling] => {
      const withheld = reasonAgainst(kind, writing, members.get(to.id), around)
      if (withheld !== undefined) return [to.id, { withheld }]
      return [to.id, { values: { ...common, url: deps.linkTo(to, postPath(writing.post.id)) } }]
    }),
  )
}
