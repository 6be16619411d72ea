import { post } from '../../../domain/communities/public.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import type { Answer, SignedInRequest } from '../request.ts'
import { inCommunity, isActing } from './access.ts'
import { spelledWaiting, waitingPage, waitingPlaceIn } from './moderation-list.ts'
import { counted, list, page } from './parts.ts'
import { pathOf } from './paths.ts'

/** Shows moderators what waits for approval or was reported. */
export const showModeration = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at || !isActing(at) || !at.member.moderator) return undefined
  const { words, read } = at
  const behind = waitingPlaceIn(request.ctx.query.after)
  const { waiting, next } = await waitingPage(id, behind, read)
  const postIds = waiting.flatMap((one) => (one.kind === 'comment' ? one.record.post_id : []))
  const titles = new Map((await read.many(post, [...new Set(postIds)])).map((one) => [one.id, one.title]))
  const reports = (count: number): Html | false =>
    count > 0 && html` <span class="quiet">${counted(words.moderation.reports, { count, isMore: false })}</span>`
  const shown = list(
    waiting.map((one) => {
      const { id: shownId, report_count } = one.record
      if (one.kind === 'post')
        return html`<a href="${pathOf.post(shownId)}">${one.record.title}</a>${reports(report_count)}`
      const title = filled(words.moderation.comment, { title: titles.get(one.record.post_id) ?? '' })
      return html`<a href="${pathOf.comment(shownId)}">${title}</a>${reports(report_count)}`
    }),
  )
  const path = pathOf.moderation(id)
  const first = behind && html`<a href="${path}">${words.moderation.first}</a>`
  const more = next && html`<a href="${path}?after=${spelledWaiting(next)}">${words.moderation.more}</a>`
  const back = html`<p><a href="${pathOf.community(id)}">${filled(words.back, { name: at.community.name })}</a></p>`
  return page(
    words.moderation.title,
    html`${shown ?? html`<p>${words.moderation.none}</p>`}<p class="pager">${first}${more}</p>${back}`,
  )
}
