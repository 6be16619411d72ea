import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { isJsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { authorProblem } from '../author.ts'
import { space } from '../community/model.ts'
import { comment, commentLike, post, postLike, videoEmbed } from './model.ts'
import { isShown, moderating, notShown } from './moderation.ts'
import { providerOf } from './video.ts'

type Post = RecordOf<typeof post>
type Comment = RecordOf<typeof comment>

/** Says that what is written waits for approval. What staff write by a request does not. */
type Written = { readonly is_pending?: boolean }

const approvedAt = ({ is_pending }: Partial<Written>, at: string) => ({ approved_at: is_pending === true ? null : at })

const { event } = post

interface PostFacts {
  readonly communityId: number | undefined
  readonly problem: Refusal | undefined
}

const loadPost = async ({ act, after }: DecisionContext<typeof post>, read: Reader): Promise<PostFacts | undefined> => {
  if (act !== 'create') return undefined
  const communityId = (await read.one(space, after.space_id))?.community_id
  return { communityId, problem: await authorProblem(after.contact_id, communityId ?? 0, read) }
}

const write = ({ before, wanted, at }: DecisionContext<typeof post, Written>, facts: PostFacts | undefined) => {
  if (before || !facts) return undefined
  if (facts.communityId === undefined) return refuse.notFound()
  return facts.problem ?? { community_id: facts.communityId, ...approvedAt(wanted, at) }
}

/** Rules of a post. */
export const posts = decider(post, {
  rules: rules(post, {
    loadFacts: loadPost,
    save: [write],
    acts: {
      ...moderating({
        approved: () => event.PostApproved(),
        declined: () => event.PostDeclined(),
        reported: (data) => event.PostReported(data),
        dismissed: () => event.PostReportsDismissed(),
      }),
      pin: ({ before }: ActContext<typeof post>) => (before.is_pinned ? [] : [event.PostPinned()]),
      unpin: ({ before }: ActContext<typeof post>) => (before.is_pinned ? [event.PostUnpinned()] : []),
    },
  }),
})

interface CommentFacts {
  readonly on: Post | undefined
  readonly parent: Comment | undefined
  readonly problem: Refusal | undefined
  readonly hasReplies: boolean
}

const loadComment = async (
  { id, before, after }: DecisionContext<typeof comment>,
  read: Reader,
): Promise<CommentFacts> => {
  const [on, parent, replies] = await Promise.all([
    read.one(post, after.post_id),
    read.one(comment, after.parent_comment_id),
    read.find(comment, { where: { parent_comment_id: id }, limit: 1 }),
  ])
  const problem = before || !on ? undefined : await authorProblem(after.contact_id, on.community_id, read)
  return { on, parent, problem, hasReplies: replies.length > 0 }
}

const parentProblem = ({ after }: DecisionContext<typeof comment>, { parent }: CommentFacts): Refusal | undefined => {
  if (after.parent_comment_id === null) return undefined
  if (parent?.post_id !== after.post_id)
    return refuse.invalid('Parent comment must be of the same post', 'parent_comment_id', 'inclusion')
  // The place of a deleted comment can still be answered.
  return parent.declined_at === null
    ? undefined
    : refuse.invalid('Parent comment is declined', 'parent_comment_id', 'hidden')
}

const comments = comment.event

const removed = ({ parent_comment_id }: Comment) => [comments.CommentRemoved({ parent_comment_id })]

const writeComment = (context: DecisionContext<typeof comment, Written>, facts: CommentFacts) => {
  const { before, after, wanted, at } = context
  if (before) return before.emptied_at !== null ? refuse.notFound() : undefined
  if (!facts.on) return refuse.notFound()
  if (!isShown(facts.on)) return notShown()
  const problem = facts.problem ?? parentProblem(context, facts)
  return problem ?? { community_id: facts.on.community_id, ...approvedAt(wanted, at), contact_id: after.contact_id }
}

/** Removes a comment. While there are replies to it, its place stays, without text and author. */
const removeComment = ({ before }: ActContext<typeof comment>, { hasReplies }: CommentFacts) => {
  if (!hasReplies) return removed(before)
  return before.emptied_at === null ? [comments.CommentEmptied()] : refuse.notFound()
}

/** Removes the place of a deleted comment once there are no replies left. */
const tidy = ({ before }: ActContext<typeof comment>, { hasReplies }: CommentFacts) =>
  before.emptied_at === null || hasReplies ? [] : removed(before)

/** Rules of a comment. */
export const commentRules = decider(comment, {
  rules: rules(comment, {
    loadFacts: loadComment,
    save: [writeComment],
    remove: removeComment,
    acts: {
      ...moderating({
        approved: () => comments.CommentApproved(),
        declined: () => comments.CommentDeclined(),
        reported: (data) => comments.CommentReported(data),
        dismissed: () => comments.CommentReportsDismissed(),
      }),
      tidy,
      goWithPost: ({ before }: ActContext<typeof comment>) => removed(before),
    },
  }),
})

/** Returns why a contact cannot like something of a post. */
const likeProblem = async (contact_id: number, on: Post | undefined, read: Reader): Promise<Refusal | undefined> => {
  if (!on) return refuse.notFound()
  return isShown(on) ? authorProblem(contact_id, on.community_id, read) : notShown()
}

/** Rules of the likes of posts. */
export const postLikes = decider(postLike, {
  rules: rules(postLike, {
    loadFacts: async ({ before, after }: DecisionContext<typeof postLike>, read: Reader) =>
      before ? undefined : likeProblem(after.contact_id, await read.one(post, after.post_id), read),
    save: [(_, problem) => problem],
  }),
})

const commentLikeProblem = async ({ before, after }: DecisionContext<typeof commentLike>, read: Reader) => {
  if (before) return undefined
  const on = await read.one(comment, after.comment_id)
  if (on && !isShown(on)) return notShown()
  return likeProblem(after.contact_id, await read.one(post, on?.post_id), read)
}

/** Rules of the likes of comments. */
export const commentLikes = decider(commentLike, {
  rules: rules(commentLike, { loadFacts: commentLikeProblem, save: [(_, problem) => problem] }),
})

const knowProvider = ({ after: { url, data } }: DecisionContext<typeof videoEmbed>) =>
  data === null || isJsonObject(data)
    ? { provider: providerOf(url) }
    : refuse.invalid('Data must be an object', 'data', 'type')

/** Rules of videos: who has one follows from its address, whatever was sent. */
export const videoEmbeds = decider(videoEmbed, {
  rules: rules(videoEmbed, { save: [knowProvider] }),
})
