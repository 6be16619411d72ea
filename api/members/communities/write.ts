import { needsApproval, posts } from '../../../domain/communities/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { beginningOf } from '../../../domain/kernel/values/characters.ts'
import type { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import type { Answer, SignedInRequest } from '../request.ts'
import { type Acting, type AtPost, type InSpace, inSpace, isActing } from './access.ts'
import { mentionable } from './mentionable.ts'
import { notice, page, problemText } from './parts.ts'
import { pathOf } from './paths.ts'
import { htmlOf, LONGEST_TEXT } from './text.ts'

const LONGEST_TITLE = 255
const MOST_MENTIONS = 100
const LONGEST_NAME = 100

/** What somebody typed into a form. */
export interface Typed {
  readonly title: string
  readonly body: string
  readonly mention: readonly number[]
  /** Name of somebody whom they look for, to mention them. Absent: they send what they wrote. */
  readonly find?: string
}

const NOTHING: Typed = { title: '', body: '', mention: [] }

/** Reads whom somebody looks for. Where nothing is looked for, the first button of the form was pressed by the keyboard. */
const foundIn = (sent: URLSearchParams): Pick<Typed, 'find'> => {
  const name = (sent.get('find') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, LONGEST_NAME)
  return sent.has('search') && name !== '' ? { find: name } : {}
}

/** Reads a form that somebody has filled in. */
export const typedIn = (sent: URLSearchParams): Typed => ({
  title: (sent.get('title') ?? '').toWellFormed().replaceAll('\0', '').trim(),
  body: (sent.get('body') ?? '').toWellFormed().replaceAll('\0', ''),
  mention: sent
    .getAll('mention')
    .filter((id) => /^\d{1,15}$/.test(id))
    .slice(0, MOST_MENTIONS)
    .map(Number),
  ...foundIn(sent),
})

/** Returns the HTML of what somebody typed. */
export const bodyIn = ({ body, mention }: Typed): string => htmlOf(body, mention)

/** Returns what is wrong with what somebody typed, as far as rules need not be asked. */
export const lengthProblem = ({ words }: InSpace, { title, body }: Typed): string | undefined => {
  if (title.length > LONGEST_TITLE) return filled(words.problem.tooLong, { field: words.write.title })
  if (body.length > LONGEST_TEXT) return filled(words.problem.tooLong, { field: words.write.body })
  return undefined
}

const mentionFields = async (
  at: InSpace & Partial<Pick<AtPost, 'post'>>,
  { mention, find }: Typed,
): Promise<Html | undefined> => {
  const { write: words } = at.words
  const { names, hasMore, isNobody } = await mentionable(at, { chosen: mention, find })
  if (names.size === 0 && find === undefined) return undefined
  const choices = [...names].map(
    ([id, name]) =>
      html`<label class="choice"><input type="checkbox" name="mention" value="${id}"${mention.includes(id) && html` checked`}> ${name}</label>`,
  )
  const nobody = find !== undefined && isNobody && html`<p class="notice" role="status">${words.foundNobody}</p>`
  const search =
    (hasMore || find !== undefined) &&
    html`<label for="find">${words.find}</label><input type="search" id="find" name="find" maxlength="${LONGEST_NAME}" value="${find ?? ''}"><p><button class="second" name="search" value="1" formnovalidate>${words.findButton}</button></p>`
  const isOpen = mention.length > 0 || find !== undefined
  return html`<details${isOpen && html` open`}><summary>${words.mention}</summary><fieldset><legend>${words.mentionHint}</legend>${nobody}${choices}</fieldset>${search}</details>`
}

/** How a form for a text looks. */
export interface TextForm {
  readonly action: string
  readonly label: string
  readonly button: string
  readonly hasTitle?: boolean
  readonly typed?: Typed
  /** What was wrong with what was typed before. */
  readonly problem?: string
  readonly hint?: Html
}

/** Form in which a text is written. */
export const textForm = async (at: Acting<InSpace>, of: TextForm): Promise<Html> => {
  const { write: words } = at.words
  const { typed = NOTHING, problem, hasTitle, hint } = of
  const described = problem === undefined ? 'body-hint' : 'problem body-hint'
  const alert = problem !== undefined && html`<p class="notice" id="problem" role="alert">${problem}</p>`
  const title =
    hasTitle &&
    html`<label for="title">${words.title}</label><input type="text" id="title" name="title" required maxlength="${LONGEST_TITLE}" value="${typed.title}">`
  const body = html`<label for="body">${of.label}</label><textarea id="body" name="body" aria-describedby="${described}"${!hasTitle && html` required`}>
${typed.body}</textarea><p class="quiet" id="body-hint">${words.bodyHint}</p>`
  return form(
    at.request,
    of.action,
    html`${alert}${hint}${title}${body}${await mentionFields(at, typed)}<p><button>${of.button}</button></p>`,
  )
}

/** Form for a comment. */
export const commentForm = async (
  at: Acting<AtPost>,
  of: Pick<TextForm, 'action' | 'typed' | 'problem'>,
): Promise<Html> => {
  const { words, place, member } = at
  const hint = needsApproval('comment', place, member) && html`<p class="quiet">${words.write.needsApproval}</p>`
  return textForm(at, { ...of, label: words.write.comment, button: words.write.commentSend, ...(hint && { hint }) })
}

/** Title of a post in a space whose posts have none of their own: the beginning of its text. */
const titleOf = (body: string): string => {
  const [line = ''] = body.split(/\r\n|\r|\n/).filter((one) => one.trim() !== '')
  return beginningOf(line.trim(), 80)
}

const writer = async (request: SignedInRequest, id: number): Promise<Acting<InSpace> | undefined> => {
  const at = await inSpace(request, id)
  return at && at.degree === 'open' && isActing(at) ? at : undefined
}

const writePage = async (at: Acting<InSpace>, more: Pick<TextForm, 'typed' | 'problem'> = {}) => {
  const { place, member, words } = at
  const { write } = words
  const path = pathOf.space(place.space.id)
  if (!place.space.members_can_post && !member.moderator) return page(write.post, notice(write.notHere), 403)
  const hint = needsApproval('post', place, member) && html`<p class="quiet">${write.needsApproval}</p>`
  const fields = await textForm(at, {
    ...{ action: `${path}/write`, label: write.body, button: write.send, hasTitle: place.space.allow_post_titles },
    ...(hint && { hint }),
    ...more,
  })
  return page(
    write.post,
    html`${fields}<p><a href="${path}">${write.cancel}</a></p>`,
    more.problem === undefined ? 200 : 422,
  )
}

/** Shows the form for a post. */
export const showWrite = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await writer(request, id)
  return at && writePage(at)
}

/** Takes a post. */
export const takeWrite = async (
  request: SignedInRequest,
  [id = 0]: readonly number[],
  sent: URLSearchParams,
): Promise<Answer> => {
  const at = await writer(request, id)
  if (!at) return undefined
  const typed = typedIn(sent)
  const { allow_post_titles } = at.place.space
  const title = allow_post_titles ? typed.title : titleOf(typed.body)
  const { problem: texts, write } = at.words
  const blank = !allow_post_titles && title === '' ? filled(texts.blank, { field: write.body }) : undefined
  const problem = lengthProblem(at, typed) ?? blank
  if (typed.find !== undefined) return writePage(at, { typed })
  if (problem !== undefined) return writePage(at, { typed, problem })
  const wanted = {
    space_id: id,
    title,
    body: bodyIn(typed),
    by_id: at.member.contact_id,
    contact_id: at.member.contact_id,
  }
  const refused = await carryOut(request, ask(posts, 'new', 'create', wanted))
  return refused ? refusedWrite(at, typed, refused) : { to: pathOf.space(id) }
}

const refusedWrite = (at: Acting<InSpace>, typed: Typed, refused: Refusal): Promise<Answer> | undefined =>
  refused.kind === 'notFound' ? undefined : writePage(at, { typed, problem: problemText(at.words, refused) })
