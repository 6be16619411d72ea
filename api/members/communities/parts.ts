import type { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html, type Part } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import type { MemberPage, SignedInRequest } from '../request.ts'
import type { Count } from './counts.ts'
import { COMMUNITIES } from './paths.ts'
import type { CommunityWords, Counted } from './words/words.ts'

/** Says how many there are. */
export const counted = (texts: Counted, { count, isMore }: Count): string =>
  count === 1 && !isMore ? texts.one : filled(texts.other, { count: isMore ? `${count}+` : count })

/** Page of a community. */
export const page = (title: string, body: Html, status?: number): MemberPage => ({
  ...(status !== undefined && { status }),
  title,
  within: COMMUNITIES,
  body,
})

/** Button of its own that asks for one thing. */
export const button = (request: SignedInRequest, action: string, label: string, fields?: Html): Html =>
  form(request, action, html`${fields}<button class="second">${label}</button>`, { isInline: true })

/** List of links and the like; nothing if there are none. */
export const list = (items: readonly Html[]): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<ul class="plain">${items.map((item) => html`<li class="item">${item}</li>`)}</ul>`

/** Says something that the reader should not miss. */
export const notice = (...parts: readonly Part[]): Html => html`<p class="notice">${parts}</p>`

/** Page that asks whether something is to be done. */
export const question = (
  request: SignedInRequest,
  words: { readonly title: string; readonly text: Html; readonly button: string; readonly cancel: string },
  { action, back }: { readonly action: string; readonly back: string },
): MemberPage => {
  const sure = form(request, action, html`${words.text}<p><button>${words.button}</button></p>`)
  return page(words.title, html`${sure}<p><a href="${back}">${words.cancel}</a></p>`)
}

type Problem = keyof CommunityWords['problem']

const PROBLEMS: Readonly<Record<string, Problem>> = {
  blank: 'blank',
  too_long: 'tooLong',
  blocked: 'blocked',
  inclusion: 'mention',
  hidden: 'gone',
}

/** Says why something was refused. */
export const problemText = ({ problem, write }: CommunityWords, { details: [detail] }: Refusal): string => {
  const field = detail?.field === 'title' ? write.title : write.body
  const isReply = detail?.field === 'parent_comment_id' || detail?.field === 'base'
  return filled(problem[isReply ? 'gone' : (PROBLEMS[detail?.code ?? ''] ?? 'other')], { field })
}
