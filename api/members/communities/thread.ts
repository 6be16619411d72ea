import { comment, sees } from '../../../domain/communities/public.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import type { AtPost } from './access.ts'
import { waitingOn } from './counts.ts'

/** Comments of one page. */
export const COMMENTS_PER_PAGE = 100

type Comment = RecordOf<typeof comment>

/** A comment in its thread. */
export interface Threaded {
  readonly comment: Comment
  /** How many comments it is below, as far as these are on the same page. */
  readonly depth: number
  /** The comment that it answers. */
  readonly parent: Comment | undefined
}

export interface ThreadPage {
  readonly comments: readonly Threaded[]
  /** Id behind which the next page begins; `undefined`: there is no more. */
  readonly next: number | undefined
}

/** Puts each comment behind the one that it answers, whatever depth that comes to. */
export const inThreads = (comments: readonly Comment[], parents: ReadonlyMap<number, Comment>): readonly Threaded[] => {
  const ids = new Set(comments.map(({ id }) => id))
  const answers = new Map<number | null, Comment[]>()
  for (const one of comments) {
    const within = one.parent_comment_id !== null && ids.has(one.parent_comment_id) ? one.parent_comment_id : null
    const others = answers.get(within)
    if (others) others.push(one)
    else answers.set(within, [one])
  }
  const threaded: Threaded[] = []
  const open = (answers.get(null) ?? []).map((one) => ({ one, depth: 0 })).reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const { one, depth } = next
    const parent = one.parent_comment_id === null ? undefined : parents.get(one.parent_comment_id)
    threaded.push({ comment: one, depth, parent })
    for (const answer of (answers.get(one.id) ?? []).toReversed()) open.push({ one: answer, depth: depth + 1 })
  }
  return threaded
}

/** Returns the conditions of the comments on a post that a reader sees: those that are shown, and those that wait for approval. */
const seenOn = (at: AtPost): readonly Where[] => [{ shown_on: at.post.id }, waitingOn(at, at.post.id) ?? []].flat()

/** Whether a comment is on the first page of those that a reader sees. */
export const isOnFirstPage = async (at: AtPost, id: number): Promise<boolean> => {
  const { everywhere: live } = at.request.service
  const counts = await Promise.all(
    seenOn(at).map((where) => live.count(comment.name, { ...where, id: { $lt: id } }, COMMENTS_PER_PAGE)),
  )
  return counts.reduce((sum, one) => sum + one, 0) < COMMENTS_PER_PAGE
}

/** Returns a page of the comments on a post that a reader sees. What waits for approval is on the page where it would be. */
export const threadPage = async (at: AtPost, after: number | undefined): Promise<ThreadPage> => {
  const stretch = { limit: COMMENTS_PER_PAGE + 1, ...(after !== undefined && { after }) }
  const found = await Promise.all(seenOn(at).map((where) => at.read.find(comment, { where, ...stretch })))
  const all = found.flat().sort((a, b) => a.id - b.id)
  const comments = all.slice(0, COMMENTS_PER_PAGE)
  const parentIds = comments.flatMap(({ parent_comment_id }) => parent_comment_id ?? [])
  const parents = await at.read.many(comment, [...new Set(parentIds)])
  const seen = parents.filter((one) => sees(one, at.place, at.member))
  return {
    comments: inThreads(comments, new Map(seen.map((one) => [one.id, one]))),
    next: all.length > COMMENTS_PER_PAGE ? comments.at(-1)?.id : undefined,
  }
}
