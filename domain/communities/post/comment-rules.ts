import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { isBlankText } from '../../kernel/values/comparable.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { needsApproval } from '../approval.ts'
import { blockedProblem } from '../block-list.ts'
import { actingIn, type By } from '../reader.ts'
import { sees } from '../visibility.ts'
import { blank, ownerProblem, preparing, stored, type WritingFacts, writingProblem } from './acting.ts'
import { edited } from './editing.ts'
import { comment, post } from './model.ts'
import { isShown, moderating, notShown } from './moderation.ts'

type Comment = RecordOf<typeof comment>

const { event } = comment

interface CommentFacts extends WritingFacts {
  readonly on: RecordOf<typeof post> | undefined
  readonly parent: Comment | undefined
  readonly hasReplies: boolean
}

type Context = DecisionContext<typeof comment, By>

const whoActs = async (context: Context, on: CommentFacts['on'], read: Reader) => {
  const { before, wanted } = context
  const acting = await actingIn(wanted, on?.space_id, read)
  const isSeen: Parameters<typeof writingProblem>[2] = (place, member) =>
    on !== undefined && sees(on, place, member) && (before === undefined || sees(before, place, member))
  const problem = await writingProblem(context, { acting, community_id: on?.community_id }, isSeen, read)
  return { ...acting, problem }
}

const loadFacts = async (context: Context, read: Reader): Promise<CommentFacts> => {
  const { id, after } = context
  await preparing(context)
  const [on, parent, replies] = await Promise.all([
    read.one(post, after.post_id),
    read.one(comment, after.parent_comment_id),
    read.find(comment, { where: { parent_comment_id: id }, limit: 1 }),
  ])
  return { on, parent, hasReplies: replies.length > 0, ...(await whoActs(context, on, read)) }
}

const parentProblem = ({ after }: Context, { parent }: CommentFacts): Refusal | undefined => {
  if (after.parent_comment_id === null) return undefined
  if (parent?.post_id !== after.post_id)
    return refuse.invalid('Parent comment must be of the same post', 'parent_comment_id', 'inclusion')
  if (parent.emptied_at !== null) return refuse.invalid('Parent comment is deleted', 'parent_comment_id', 'hidden')
  return isShown(parent) ? undefined : refuse.invalid('Parent comment is not shown', 'parent_comment_id', 'hidden')
}

const removed = ({ parent_comment_id }: Comment) => [event.CommentRemoved({ parent_comment_id })]

/** Returns the attributes that follow from who writes a comment. */
const signed = ({ wanted, after, at }: Context, { place, member }: CommentFacts, body: string) => {
  if (wanted.by_id === undefined || !place || !member) return { contact_id: after.contact_id, approved_at: at }
  if (isBlankText(body)) return blank('Body')
  const blocked = place.community.enable_block_list ? blockedProblem({ body }) : undefined
  return blocked ?? { contact_id: wanted.by_id, approved_at: needsApproval('comment', place, member) ? null : at }
}

const write = (context: Context, facts: CommentFacts) => {
  const { before, after } = context
  const body = stored(after.body) ?? ''
  if (before) return before.emptied_at !== null ? refuse.notFound() : (facts.problem ?? { body })
  if (facts.problem) return facts.problem
  if (!facts.on) return refuse.notFound()
  const problem = isShown(facts.on) ? parentProblem(context, facts) : notShown()
  if (problem) return problem
  const own = signed(context, facts, body)
  return 'kind' in own ? own : { community_id: facts.on.community_id, body, ...own }
}

/** Removes a comment. While there are replies to it, its place stays, without text and author. */
const remove = ({ before }: ActContext<typeof comment>, { hasReplies }: CommentFacts) => {
  if (!hasReplies) return removed(before)
  return before.emptied_at === null ? [event.CommentEmptied()] : refuse.notFound()
}

/** Removes the place of a deleted comment once there are no replies left. */
const tidy = ({ before }: ActContext<typeof comment>, { hasReplies }: CommentFacts) =>
  before.emptied_at === null || hasReplies ? [] : removed(before)

/** Lets a reply stand by itself whose comment was deleted at the same moment, with its place. */
const losePlace = ({ before }: ActContext<typeof comment>) =>
  before.parent_comment_id === null ? [] : [event.CommentChanged({ parent_comment_id: null })]

type CommentEdit = { readonly by_id: number; readonly body: string }

const edit = ({ before, wanted }: ActContext<typeof comment, CommentEdit>, facts: CommentFacts) => {
  if (before.emptied_at !== null) return refuse.notFound()
  const problem = ownerProblem(before.contact_id, wanted, facts)
  if (problem) return problem
  const { place, member } = facts
  if (!place || !member) return refuse.notFound()
  if (isBlankText(wanted.body)) return blank('Body')
  const text = { body: stored(wanted.body) ?? '' }
  const isOwn = before.contact_id === wanted.by_id
  return (
    (place.community.enable_block_list ? blockedProblem(text) : undefined) ??
    edited(
      { before, now: { body: before.body }, wanted: text, waits: needsApproval('comment', place, member), isOwn },
      {
        changed: ({ body }) => event.CommentChanged({ body: body ?? '' }),
        proposed: (data) => event.CommentEditProposed(data),
        withdrawn: () => event.CommentEditWithdrawn(),
      },
    )
  )
}

/** Rules of a comment. */
export const commentRules = decider(comment, {
  rules: rules(comment, {
    loadFacts,
    save: [write],
    preventRemoval: ({ before, wanted }: ActContext<typeof comment, By>, facts) =>
      ownerProblem(before.contact_id, wanted, facts),
    remove,
    acts: {
      ...moderating({
        approved: () => event.CommentApproved(),
        declined: () => event.CommentDeclined(),
        editDeclined: () => event.CommentEditDeclined(),
        reported: (data) => event.CommentReported(data),
        dismissed: () => event.CommentReportsDismissed(),
      }),
      edit,
      tidy,
      losePlace,
      goWithPost: ({ before }: ActContext<typeof comment>) => removed(before),
    },
  }),
})
