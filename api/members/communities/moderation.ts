import { comment, post } from '../../../domain/communities/public.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import type { Answer, SignedInRequest } from '../request.ts'
import { inCommunity, isActing } from './access.ts'
import { counted, list, page } from './parts.ts'
import { pathOf } from './paths.ts'

/** Posts and comments that the page shows at once. The oldest come first, and others follow when these are judged. */
const MOST = 50

/** Shows moderators what waits for approval or was reported. */
export const showModeration = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at || !isActing(at) || !at.member.moderator) return undefined
  const { words, read } = at
  const query = { where: { waiting_in: id }, limit: MOST }
  const [posts, comments] = await Promise.all([read.find(post, query), read.find(comment, query)])
  const on = new Map(
    (
      await read.many(
        post,
        comments.map(({ post_id }) => post_id),
      )
    ).map((one) => [one.id, one.title]),
  )
  const reports = (count: number): Html | false =>
    count > 0 && html` <span class="quiet">${counted(words.moderation.reports, { count, isMore: false })}</span>`
  const shown = list([
    ...posts.map((one) => html`<a href="${pathOf.post(one.id)}">${one.title}</a>${reports(one.report_count)}`),
    ...comments.map((one) => {
      const title = filled(words.moderation.comment, { title: on.get(one.post_id) ?? '' })
      return html`<a href="${pathOf.comment(one.id)}">${title}</a>${reports(one.report_count)}`
    }),
  ])
  const back = html`<p><a href="${pathOf.community(id)}">${filled(words.back, { name: at.community.name })}</a></p>`
  return page(words.moderation.title, html`${shown ?? html`<p>${words.moderation.none}</p>`}${back}`)
}
