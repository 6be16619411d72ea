import { isShown, MOST_MENTIONED, readMentions } from '../../../domain/communities/public.ts'
import type { HtmlHooks } from '../../../domain/resources/html/safe-html.ts'
import { safeHtml } from '../../../domain/resources/html/safe-html.ts'
import { filled } from '../../html/filled.ts'
import { Html, html } from '../../html/html.ts'
import { shownTime } from '../shell.ts'
import { type InCommunity, type InSpace, isActing } from './access.ts'
import type { Likes } from './counts.ts'
import { authorOf, type Names } from './names.ts'
import { button, counted, notice } from './parts.ts'
import type { Subject } from './subjects.ts'

type Written = Subject['record']

/** Says who wrote something, and when. */
export const byline = (at: InCommunity, { contact_id, created_at }: Written, names: Names): Html => {
  const time = shownTime(at.request, created_at)
  return html`<p class="quiet">${filled(at.words.by, { name: authorOf(at, contact_id, names), time })}</p>`
}

/** Returns HTML that somebody wrote, as it may be shown. */
export const bodyOf = async (body: string | null, hooks: HtmlHooks): Promise<Html> =>
  new Html(await safeHtml(body ?? '', hooks))

/** Says what keeps others from seeing something, or its edit. */
export const standing = async (
  { words, member, request }: InCommunity,
  record: Written,
  hooks: HtmlHooks,
): Promise<Html> => {
  if (record.declined_at !== null) return notice(words.declined)
  if (!isShown(record)) return notice(words.waits)
  const isOwn = record.contact_id === request.viewer.contact.id
  const notMailed = isOwn ? (await readMentions(record.body)).length - MOST_MENTIONED : 0
  const told = notMailed > 0 && notice(filled(words.notMailed, { count: notMailed }))
  const { pending_edit: edit } = record
  if (edit === null || !(isOwn || member?.moderator)) return html`${told}`
  const body = await bodyOf(edit.body, hooks)
  return html`${told}${notice(words.editWaits)}<details><summary>${words.editText}</summary>${edit.title !== undefined && html`<p><strong>${edit.title}</strong></p>`}${body}</details>`
}

/** Says what likes there are, with the button to like and to take the like back. */
export const likesShown = (at: InSpace, record: Written, path: string, likes: Likes): Html => {
  const { words } = at
  const count = html`<span class="quiet">${counted(words.likeCount, likes)}</span>`
  if (!isActing(at) || !isShown(record)) return html`<p>${count}</p>`
  const isLiked = likes.ownId !== undefined
  const act = isLiked
    ? button(at.request, `${path}/unlike`, words.unlike)
    : button(at.request, `${path}/like`, words.like)
  return html`<div>${count} ${act}</div>`
}

/** Links to what the reader may do with what it wrote, or with what others wrote. */
export const linksFor = (at: InSpace, record: Written, path: string): Html | undefined => {
  if (!isActing(at)) return undefined
  const { words, member } = at
  const isOwn = record.contact_id === member.contact_id
  const links = [
    ...(isOwn || member.moderator
      ? [html`<a href="${path}/edit">${words.write.edit}</a>`, html`<a href="${path}/delete">${words.write.remove}</a>`]
      : []),
    ...(isOwn ? [] : [html`<a href="${path}/report">${words.report}</a>`]),
  ]
  return html`<p>${links.map((link, n) => html`${n > 0 && ' · '}${link}`)}</p>`
}

/** Buttons of those who moderate. An approval is one of what was shown. */
export const moderatingOf = (at: InSpace, record: Written, path: string): Html | undefined => {
  if (!isActing(at) || !at.member.moderator) return undefined
  const { request } = at
  const { moderation: words } = at.words
  const seen = html`<input type="hidden" name="seen_rev" value="${record.rev}">`
  const isUp = isShown(record)
  return html`<div>${(!isUp || record.pending_edit !== null) && button(request, `${path}/approve`, words.approve, seen)}${record.pending_edit !== null && button(request, `${path}/decline-edit`, words.declineEdit)}${record.declined_at === null && button(request, `${path}/decline`, words.decline)}${record.report_count > 0 && html`<span>${counted(words.reports, { count: record.report_count, isMore: false })}</span> ${button(request, `${path}/dismiss`, words.dismiss)}`}</div>`
}
