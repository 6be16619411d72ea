import { type BeginNotice, type NoticeAbout, type NoticeKind, noticeOf, settingsOf } from '../../emails/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { type Reader, readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type PieceBatch, policy } from '../../kernel/react/policy.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { community, space, spaceGroup } from '../community/model.ts'
import { digest } from '../digest/model.ts'
import { digests } from '../digest/rules.ts'
import { membership, participation } from '../membership/model.ts'
import { readMentions } from '../mentions.ts'
import { notice } from '../notice/model.ts'
import { notices } from '../notice/rules.ts'
import { comment, post } from '../post/model.ts'
import { isShown } from '../post/moderation.ts'
import { isOpenToMembers } from '../visibility.ts'
import { notificationsOf, wantsDigest } from './choices.ts'

type Community = RecordOf<typeof community>
type Membership = RecordOf<typeof membership>

/** What was written, for the record of whom it is told to. */
interface Writing {
  readonly about: string
  readonly workspaceId: number
  readonly community_id: number
  readonly post_id: number
  readonly comment_id: number | null
  readonly contact_id: number | null
  readonly body: string | null
  readonly replied: readonly (number | null)[]
  readonly isSilent: boolean
}

/** Returns the command that notes and tells what was written. Where mentions are not mailed, they count as told to nobody: a digest has them. */
const telling = async (written: Writing, is_new: boolean, documents: FactReader): Promise<readonly Ask[]> => {
  const { about, workspaceId, community_id, post_id, comment_id, contact_id, body, replied, isSilent } = written
  const of = await readerOver(documents).one(community, community_id)
  if (!of) return []
  const { owed_off } = await settingsOf(workspaceId, documents)
  const others = (ids: readonly (number | null)[]) => ids.flatMap((id) => (id === null || id === contact_id ? [] : id))
  const told = {
    mentioned: others(await readMentions(body)),
    replied: others(replied),
    is_new,
    is_quiet: isSilent || of.notifications === 'off',
    mails_mentions: !owed_off.includes('community_mention'),
  }
  return [ask(notices, 'new', 'create', { about, community_id, post_id, comment_id, told }, { ifTaken: 'tell' })]
}

/** Tells of a post once it is shown, and of those whom an edit mentions for the first time. */
export const postsAreTold = policy({
  name: 'posts-are-told',
  on: [post.event.PostWritten, post.event.PostChanged, post.event.PostApproved, post.event.PostReportsDismissed],
  async react({ type, stream, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const read = readerOver(documents)
    const found = await read.one(post, parseStream(stream).id)
    if (!found || !isShown(found)) return []
    const { id, community_id, contact_id, body } = found
    const what = { community_id, contact_id, body, post_id: id, comment_id: null, replied: [], isSilent: false }
    return telling({ about: `post-${id}`, workspaceId, ...what }, type !== post.event.PostChanged.type, documents)
  },
})

/** Tells of a comment once it is shown: those to whom it replies, and those whom it mentions. */
export const commentsAreTold = policy({
  name: 'comments-are-told',
  on: [
    comment.event.CommentWritten,
    comment.event.CommentChanged,
    comment.event.CommentApproved,
    comment.event.CommentReportsDismissed,
  ],
  async react({ type, stream, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const read = readerOver(documents)
    const found = await read.one(comment, parseStream(stream).id)
    if (!found || !isShown(found) || found.emptied_at !== null) return []
    const { id, community_id, contact_id, body, post_id, parent_comment_id, skip_notifications } = found
    const [on, parent] = await Promise.all([read.one(post, post_id), read.one(comment, parent_comment_id)])
    const replied = [parent?.contact_id ?? null, on?.contact_id ?? null]
    const what = { community_id, contact_id, body, post_id, comment_id: id, replied, isSilent: skip_notifications }
    return telling(
      { about: `comment-${id}`, workspaceId, ...what },
      type !== comment.event.CommentChanged.type,
      documents,
    )
  },
})

interface Cause {
  readonly id: string
  readonly metadata: { readonly workspace_id?: number }
}

const noticeFor = (
  kind: NoticeKind,
  { id, metadata: { workspace_id: workspaceId = 0 } }: Cause,
  about: NoticeAbout,
  read: FactReader,
): Promise<BeginNotice | undefined> => noticeOf({ kind, cause: id, workspaceId, about }, read)

const aboutOf = ({ community_id, post_id, comment_id }: RecordOf<typeof notice>): NoticeAbout => ({
  community_id,
  post_id,
  ...(comment_id !== null && { comment_id }),
})

/** Mails those who are mentioned for the first time. */
export const mentionedAreMailed = policy({
  name: 'mentioned-are-mailed',
  on: [notice.event.MembersMentioned],
  when: ({ data: { told_ids } }) => Array.isArray(told_ids) && told_ids.length > 0,
  async react(event, documents) {
    const found = await readerOver(documents).one(notice, parseStream(event.stream).id)
    const begin = found && (await noticeFor('community_mention', event, aboutOf(found), documents))
    return begin ? [begin(event.data.told_ids)] : []
  },
})

/** Returns the batch that begins a notice to the members of a community who want it. */
const toMembers = (
  begin: BeginNotice,
  where: PieceBatch['where'],
  isWanted: (one: Membership) => boolean,
): PieceBatch => ({
  inPieces: membership.name,
  where,
  piece(documents, after) {
    const ids = (documents as unknown as readonly Membership[]).filter(isWanted).map(({ contact_id }) => contact_id)
    return ids.length === 0 ? undefined : begin([...new Set(ids)], after)
  },
})

/** Returns which members a post is announced to: those in its space, where others do not see it. */
const readersOf = async (where: RecordOf<typeof space>, read: Reader): Promise<PieceBatch['where']> => {
  const group = await read.one(spaceGroup, where.space_group_id)
  const isOpen = group !== undefined && isOpenToMembers({ group, space: where })
  return isOpen ? { community_id: where.community_id } : { space_ids: where.id }
}

/** Mails those to whom a comment replies, and of a post those who follow all that is new. */
export const announcedAreMailed = policy({
  name: 'announced-are-mailed',
  on: [notice.event.WritingAnnounced],
  when: ({ data: { is_quiet } }) => is_quiet === false,
  async react(event, documents): Promise<readonly (Ask | PieceBatch)[]> {
    const read = readerOver(documents)
    const found = await read.one(notice, parseStream(event.stream).id)
    if (!found) return []
    const { to_ids } = event.data
    if (found.comment_id !== null) {
      const begin = to_ids.length > 0 ? await noticeFor('community_reply', event, aboutOf(found), documents) : undefined
      return begin ? [begin(to_ids)] : []
    }
    const [of, on] = await Promise.all([read.one(community, found.community_id), read.one(post, found.post_id)])
    const where = await read.one(space, on?.space_id)
    if (!of || !on || !where || of.notifications !== 'all') return []
    const begin = await noticeFor('community_post', event, aboutOf(found), documents)
    const isWanted = (one: Membership) =>
      notificationsOf(of, one) === 'all' && one.contact_id !== on.contact_id && !found.told_ids.includes(one.contact_id)
    return begin ? [toMembers(begin, await readersOf(where, read), isWanted)] : []
  },
})

/** Welcomes who becomes a member, where the community says so. The link of a draft leads nowhere yet. */
export const membersAreWelcomed = policy({
  name: 'members-are-welcomed',
  on: [participation.event.MemberJoined],
  async react(event, documents) {
    const { contact_id, community_id } = event.data
    const of = await readerOver(documents).one(community, idIn(community_id))
    if (!of?.send_membership_email || of.status !== 'live') return []
    const begin = await noticeFor('community_joined', event, { community_id: of.id }, documents)
    return begin ? [begin([contact_id])] : []
  },
})

/** Begins the digest of a community, and turns it on and off as the community says. */
export const communitiesHaveDigests = policy({
  name: 'communities-have-digests',
  on: [community.event.CommunityCreated, community.event.CommunityChanged],
  when: ({ type, data }) => type === community.event.CommunityCreated.type || 'send_digest_email' in data,
  async react({ stream }, documents) {
    const { id: community_id } = parseStream(stream)
    const of: Community | undefined = await readerOver(documents).one(community, community_id)
    if (!of) return []
    const wanted = { community_id, is_on: of.send_digest_email }
    return [ask(digests, 'new', 'create', wanted, { ifTaken: 'turn' })]
  },
})

/** Mails the digest of a day to the members who want it. */
export const digestsAreMailed = policy({
  name: 'digests-are-mailed',
  on: [digest.event.DigestDue],
  async react(event, documents) {
    const read = readerOver(documents)
    const found = await read.one(digest, parseStream(event.stream).id)
    const of = await read.one(community, found?.community_id)
    if (!of) return []
    const { day, since } = event.data
    const about = { community_id: of.id, since, until: event.metadata.at, day }
    const begin = await noticeFor('community_digest', event, about, documents)
    const isWanted = (one: Membership) => wantsDigest(of, one)
    return begin ? [toMembers(begin, { community_id: of.id }, isWanted)] : []
  },
})
