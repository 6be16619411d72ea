import { delivery, mailing, type Withheld } from '../../emails/public.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { policy } from '../../kernel/react/policy.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { notice } from '../notice/model.ts'
import { notices } from '../notice/rules.ts'
import { comment, post } from '../post/model.ts'
import { aboutOf, announcing, noticeFor } from './begin.ts'
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

/** Mails what is shown again to those who did not see it when the mail that announces it was handed over. */
export const unannouncedAreMailed = policy({
  name: 'unannounced-are-mailed',
  on: [notice.event.WritingAnnouncedAgain],
  async react(event, documents) {
    const found = await readerOver(documents).one(notice, parseStream(event.stream).id)
    const begin = found && (await noticeFor(announcing(found), event, aboutOf(found), documents))
    return begin ? [begin(event.data.to_ids)] : []
  },
})

/** Reasons for which a mail about a text is withheld after which it is still owed: of a mention any, of others that it was not shown. */
const OWED_AFTER: Readonly<Partial<Record<string, readonly Withheld[]>>> = {
  community_mention: ['no_access', 'turned_off', 'muted', 'outdated'],
  community_reply: ['no_access'],
  community_post: ['no_access'],
}

interface Outcome {
  readonly delivery_id: number
  readonly outcome?: unknown
  readonly reason?: unknown
}

const isWithheld = ({ outcome }: Pick<Outcome, 'outcome'>): boolean => outcome === 'withheld'

/** Returns the deliveries that were withheld for one of some reasons, with the reason. */
const withheldFor = (outcomes: readonly Outcome[], reasons: readonly Withheld[]): ReadonlyMap<number, unknown> =>
  new Map(
    outcomes
      .filter((one) => isWithheld(one) && reasons.some((reason) => reason === one.reason))
      .map(({ delivery_id, reason }) => [delivery_id, reason]),
  )

/** Notes who was not mailed about a text after all, so that they are told when it is shown again, or of a mention by a digest. */
export const withheldNoticesAreNoted = policy({
  name: 'withheld-notices-are-noted',
  on: [mailing.event.DeliveriesSettled],
  when: ({ data: { outcomes } }) => Array.isArray(outcomes) && outcomes.some((one) => isWithheld(Object(one))),
  async react({ stream, data: { outcomes } }, documents) {
    const read = readerOver(documents)
    const sent = await read.one(mailing, parseStream(stream).id)
    const withheld = withheldFor(outcomes, OWED_AFTER[sent?.kind ?? ''] ?? [])
    if (!sent || withheld.size === 0) return []
    const { post_id, comment_id } = sent.values
    const where = { post_id: idIn(post_id), comment_id: idIn(comment_id) }
    const [found] = await read.find(notice, { where, limit: 1 })
    if (!found) return []
    const deliveries = await read.many(delivery, [...withheld.keys()])
    const idsOf = (some: readonly { readonly contact_id: number | null }[]) =>
      some.flatMap((one) => one.contact_id ?? [])
    const contact_ids = idsOf(deliveries)
    if (sent.kind !== 'community_mention') return [ask(notices, found.id, 'withholdAnnouncement', { contact_ids })]
    const muted_ids = idsOf(deliveries.filter(({ id }) => withheld.get(id) === 'muted'))
    return [ask(notices, found.id, 'withhold', { contact_ids, muted_ids })]
  },
})

type Contacts = { readonly contact_ids: readonly number[]; readonly muted_ids?: readonly number[] }

/** Tells those at once whose mail was withheld and who see the text by now: it was shown again before that was noted. */
export const missedAreToldAgain = policy({
  name: 'missed-are-told-again',
  on: [notice.event.MentionsWithheld, notice.event.AnnouncementWithheld],
  async react({ type, stream, data, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const read = readerOver(documents)
    const found = await read.one(notice, parseStream(stream).id)
    if (!found) return []
    const { post_id, comment_id } = found
    const written =
      comment_id === null
        ? postWriting(await read.one(post, post_id))
        : await commentWriting(await read.one(comment, comment_id), read)
    const { contact_ids, muted_ids = [] }: Contacts = data
    const missed = contact_ids.filter((id) => !muted_ids.includes(id))
    if (!written || missed.length === 0) return []
    const isMention = type === notice.event.MentionsWithheld.type
    const kind = isMention ? 'community_mention' : announcing(found)
    const seeing = await wouldBeMailed(kind, aboutOf(found), missed, read)
    if (seeing.length === 0) return []
    return telling(written, { workspaceId, only: isMention ? seeing : [], is_new: false, is_again: true }, documents)
  },
})
