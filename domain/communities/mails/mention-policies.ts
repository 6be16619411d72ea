import { delivery, mailing, type Withheld } from '../../emails/public.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { policy } from '../../kernel/react/policy.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { notice } from '../notice/model.ts'
import { notices } from '../notice/rules.ts'
import { comment, post } from '../post/model.ts'
import { aboutOf, noticeFor } from './begin.ts'
import { commentWriting, postWriting, telling } from './telling.ts'
import { wouldBeMailed } from './writing.ts'

/** Tells of a post once it is shown, and of those whom an edit mentions for the first time. */
export const postsAreTold = policy({
  name: 'posts-are-told',
  on: [post.event.PostWritten, post.event.PostChanged, post.event.PostApproved, post.event.PostReportsDismissed],
  async react({ type, stream, metadata: { at, workspace_id: workspaceId = 0 } }, documents) {
    const found = await readerOver(documents).one(post, parseStream(stream).id)
    const is_new = type !== post.event.PostChanged.type
    return telling(postWriting(found), { workspaceId, is_new, is_again: found?.approved_at === at }, documents)
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
  async react({ type, stream, metadata: { at, workspace_id: workspaceId = 0 } }, documents) {
    const read = readerOver(documents)
    const found = await read.one(comment, parseStream(stream).id)
    const is_new = type !== comment.event.CommentChanged.type
    const is_again = found?.approved_at === at
    return telling(await commentWriting(found, read), { workspaceId, is_new, is_again }, documents)
  },
})

/** Mails those who are mentioned for the first time, and those whose mail was withheld while it was not shown. */
export const mentionedAreMailed = policy({
  name: 'mentioned-are-mailed',
  on: [notice.event.MembersMentioned, notice.event.MembersMentionedAgain],
  when: ({ data: { told_ids } }) => Array.isArray(told_ids) && told_ids.length > 0,
  async react(event, documents) {
    const found = await readerOver(documents).one(notice, parseStream(event.stream).id)
    if (!found) return []
    const { told_ids: contact_ids } = event.data
    const begin = await noticeFor('community_mention', event, aboutOf(found), documents)
    // Where it was turned off a moment ago, nobody is mailed.
    return [begin ? begin(contact_ids) : ask(notices, found.id, 'withhold', { contact_ids, muted_ids: [] })]
  },
})

/** Reasons for which a mention is withheld. */
const REASONS: readonly Withheld[] = ['no_access', 'turned_off', 'muted', 'outdated']

const isWithheld = ({ outcome, reason }: { readonly outcome?: unknown; readonly reason?: unknown }): boolean =>
  outcome === 'withheld' && REASONS.some((one) => one === reason)

/** Notes whose mention was not mailed after all, so that they are told when it is shown again, or by a digest. */
export const withheldMentionsAreNoted = policy({
  name: 'withheld-mentions-are-noted',
  on: [mailing.event.DeliveriesSettled],
  when: ({ data: { outcomes } }) => Array.isArray(outcomes) && outcomes.some((one) => isWithheld(Object(one))),
  async react({ stream, data: { outcomes } }, documents) {
    const read = readerOver(documents)
    const sent = await read.one(mailing, parseStream(stream).id)
    if (sent?.kind !== 'community_mention') return []
    const { post_id, comment_id } = sent.values
    const where = { post_id: idIn(post_id), comment_id: idIn(comment_id) }
    const [found] = await read.find(notice, { where, limit: 1 })
    if (!found) return []
    const withheld = new Map(outcomes.filter(isWithheld).map((one) => [one.delivery_id, one.reason]))
    const deliveries = await read.many(delivery, [...withheld.keys()])
    const idsOf = (some: readonly { readonly contact_id: number | null }[]) =>
      some.flatMap((one) => one.contact_id ?? [])
    const muted = deliveries.filter(({ id }) => withheld.get(id) === 'muted')
    return [ask(notices, found.id, 'withhold', { contact_ids: idsOf(deliveries), muted_ids: idsOf(muted) })]
  },
})

/** Tells those at once whose mention was withheld and who see it by now: it was shown again before that was noted. */
export const missedAreToldAgain = policy({
  name: 'missed-are-told-again',
  on: [notice.event.MentionsWithheld],
  when: ({ data: { contact_ids, muted_ids } }) =>
    Array.isArray(contact_ids) && Array.isArray(muted_ids) && contact_ids.length > muted_ids.length,
  async react({ stream, data, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const read = readerOver(documents)
    const found = await read.one(notice, parseStream(stream).id)
    if (!found) return []
    const { post_id, comment_id } = found
    const written =
      comment_id === null
        ? postWriting(await read.one(post, post_id))
        : await commentWriting(await read.one(comment, comment_id), read)
    const missed = data.contact_ids.filter((id) => !data.muted_ids.includes(id))
    const only = written ? await wouldBeMailed(aboutOf(found), missed, read) : []
    return only.length > 0 ? telling(written, { workspaceId, only, is_new: false, is_again: true }, documents) : []
  },
})
