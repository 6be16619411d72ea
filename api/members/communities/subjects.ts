import {
  type comment,
  commentLikes,
  commentRules,
  type post,
  postLikes,
  posts,
} from '../../../domain/communities/public.ts'
import { type Ask, ask } from '../../../domain/kernel/decide/ask.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { SignedInRequest } from '../request.ts'
import { type Acting, type AtPost, atComment, atPost, isActing } from './access.ts'
import { likesOfComments, likesOfPosts } from './counts.ts'
import { pathOf } from './paths.ts'

/** A post or a comment on which somebody acts. */
export interface Subject {
  readonly at: Acting<AtPost>
  readonly record: RecordOf<typeof post> | RecordOf<typeof comment>
  /** Path of its own pages. */
  readonly path: string
  /** Where it is read. */
  readonly back: string
  readonly title: string | undefined
  approve(wanted: { readonly by_id: number; readonly seen_rev: number }): Ask
  moderate(act: 'decline' | 'declineEdit' | 'dismissReports', by_id: number): Ask
  report(wanted: { readonly by_id: number; readonly report_type: 'spam' | 'abuse' | 'other' }): Ask
  edit(wanted: { readonly by_id: number; readonly title?: string; readonly body: string }): Ask
  remove(by_id: number): Ask
  like(by_id: number): Ask
  /** `undefined`: it is not liked. */
  unlike(by_id: number): Promise<Ask | undefined>
}

/** Finds a kind of subject for a member; `undefined`: there is none for it. */
export type FindSubject = (request: SignedInRequest, id: number) => Promise<Subject | undefined>

/** Finds a post. */
export const postSubject: FindSubject = async (request, id) => {
  const at = await atPost(request, id)
  if (at?.degree !== 'open' || !isActing(at)) return undefined
  const path = pathOf.post(id)
  return {
    ...{ at, record: at.post, path, back: path, title: at.post.title },
    approve: (wanted) => ask(posts, id, 'approve', wanted),
    moderate: (act, by_id) => ask(posts, id, act, { by_id }),
    report: (wanted) => ask(posts, id, 'report', wanted),
    edit: (wanted) => ask(posts, id, 'edit', wanted),
    remove: (by_id) => ask(posts, id, 'remove', { by_id }),
    like: (by_id) => ask(postLikes, 'new', 'create', { post_id: id, contact_id: by_id, by_id }, { ifTaken: 'like' }),
    async unlike(by_id) {
      const ownId = (await likesOfPosts(at, [at.post])).get(id)?.ownId
      return ownId === undefined ? undefined : ask(postLikes, ownId, 'remove', { by_id })
    },
  }
}

/** Finds a comment. */
export const commentSubject: FindSubject = async (request, id) => {
  const at = await atComment(request, id)
  if (at?.degree !== 'open' || !isActing(at)) return undefined
  return {
    ...{ at, record: at.comment, path: pathOf.comment(id), back: pathOf.comment(id), title: undefined },
    approve: (wanted) => ask(commentRules, id, 'approve', wanted),
    moderate: (act, by_id) => ask(commentRules, id, act, { by_id }),
    report: (wanted) => ask(commentRules, id, 'report', wanted),
    edit: ({ by_id, body }) => ask(commentRules, id, 'edit', { by_id, body }),
    remove: (by_id) => ask(commentRules, id, 'remove', { by_id }),
    like: (by_id) =>
      ask(commentLikes, 'new', 'create', { comment_id: id, contact_id: by_id, by_id }, { ifTaken: 'like' }),
    async unlike(by_id) {
      const ownId = (await likesOfComments(at, [at.comment])).get(id)?.ownId
      return ownId === undefined ? undefined : ask(commentLikes, ownId, 'remove', { by_id })
    },
  }
}
