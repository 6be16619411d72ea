import { commentRules, isShown } from '../../../domain/communities/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { filled } from '../../html/filled.ts'
import { html } from '../../html/html.ts'
import { carryOut } from '../carry-out.ts'
import type { Answer, MemberPage, SignedInRequest } from '../request.ts'
import { type Acting, type AtComment, type AtPost, atComment, atPost, isActing } from './access.ts'
import { authorOf, mentionsOf, namesOf } from './names.ts'
import { page, problemText } from './parts.ts'
import { pathOf } from './paths.ts'
import { bodyOf } from './shown.ts'
import { bodyIn, commentForm, lengthProblem, type TextForm, type Typed, typedIn } from './write.ts'

interface Answering {
  readonly at: Acting<AtPost> & Partial<Pick<AtComment, 'comment'>>
  /** Path to which the form is sent. */
  readonly action: string
  readonly back: string
}

const formPage = async (
  { at, action, back }: Answering,
  more: Pick<TextForm, 'typed' | 'problem'> = {},
): Promise<MemberPage> => {
  const { words, comment } = at
  const names = comment && (await namesOf(at, [comment.contact_id]))
  const title =
    comment && names
      ? filled(words.write.replyTitle, { name: authorOf(at, comment.contact_id, names) })
      : words.write.comment
  const answered =
    comment && html`<blockquote>${await bodyOf(comment.body, await mentionsOf(at, [comment.body]))}</blockquote>`
  const cancel = html`<p><a href="${back}">${words.write.cancel}</a></p>`
  return page(
    title,
    html`${answered}${await commentForm(at, { action, ...more })}${cancel}`,
    more.problem === undefined ? 200 : 422,
  )
}

const take = async (answering: Answering, typed: Typed): Promise<Answer> => {
  const { at, back } = answering
  if (typed.find !== undefined) return formPage(answering, { typed })
  const problem = lengthProblem(at, typed)
  if (problem !== undefined) return formPage(answering, { typed, problem })
  const by_id = at.member.contact_id
  const parent_comment_id = at.comment?.id ?? null
  const wanted = { post_id: at.post.id, contact_id: by_id, by_id, body: bodyIn(typed), parent_comment_id }
  const refused = await carryOut(at.request, ask(commentRules, 'new', 'create', wanted))
  if (!refused) return { to: back }
  return refused.kind === 'notFound'
    ? undefined
    : formPage(answering, { typed, problem: problemText(at.words, refused) })
}

/** Takes a comment on a post. */
export const takeComment = async (
  request: SignedInRequest,
  [id = 0]: readonly number[],
  sent: URLSearchParams,
): Promise<Answer> => {
  const at = await atPost(request, id)
  if (at?.degree !== 'open' || !isActing(at)) return undefined
  const path = pathOf.post(id)
  return take({ at, action: `${path}/comment`, back: path }, typedIn(sent))
}

const answeringTo = async (request: SignedInRequest, id: number): Promise<Answering | undefined> => {
  const at = await atComment(request, id)
  if (at?.degree !== 'open' || !isActing(at) || !isShown(at.comment)) return undefined
  const path = pathOf.comment(id)
  return { at, action: `${path}/reply`, back: path }
}

/** Shows the form for a reply. */
export const showReply = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const answering = await answeringTo(request, id)
  return answering && formPage(answering)
}

/** Takes a reply. */
export const takeReply = async (
  request: SignedInRequest,
  [id = 0]: readonly number[],
  sent: URLSearchParams,
): Promise<Answer> => {
  const answering = await answeringTo(request, id)
  return answering && take(answering, typedIn(sent))
}
