import type { BeginNotice } from '../../emails/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import { type Reader, readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type PieceBatch, policy } from '../../kernel/react/policy.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { community, space, spaceGroup } from '../community/model.ts'
import { digest } from '../digest/model.ts'
import { digests } from '../digest/rules.ts'
import { membership, participation } from '../membership/model.ts'
import { notice } from '../notice/model.ts'
import { post } from '../post/model.ts'
import { isOpenToMembers } from '../visibility.ts'
import { aboutOf, noticeFor } from './begin.ts'
import { digestFor, notificationsOf } from './choices.ts'
import { untoldIn } from './untold.ts'

type Community = RecordOf<typeof community>
type Membership = RecordOf<typeof membership>

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

/** Mails the digest of a day to the members who want it, and have something left for it. */
export const digestsAreMailed = policy({
  name: 'digests-are-mailed',
  on: [digest.event.DigestDue],
  async react(event, documents) {
    const read = readerOver(documents)
    const found = await read.one(digest, parseStream(event.stream).id)
    const of = await read.one(community, found?.community_id)
    if (!of) return []
    const { day, since } = event.data
    const span = { since, until: event.metadata.at }
    const begin = await noticeFor('community_digest', event, { community_id: of.id, ...span, day }, documents)
    if (!begin) return []
    const mentioned = await untoldIn(of.id, span, read)
    const isWanted = (one: Membership) => {
      const wanted = digestFor(of, one)
      return wanted === 'everything' || (wanted === 'mentions' && mentioned.has(one.contact_id))
    }
    return [toMembers(begin, { community_id: of.id }, isWanted)]
  },
})
