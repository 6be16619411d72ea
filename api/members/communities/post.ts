import { isClockAdvancing } from '../../../domain/account/public.ts'
import { type comment, isShown, postViews } from '../../../domain/communities/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { refusalIn } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { isInAdvance } from '../../http/programs.ts'
import { carryOut } from '../carry-out.ts'
import { pictureOf } from '../picture.ts'
import type { Answer, ReaderRequest } from '../request.ts'
import { type AtPost, atComment, atPost, isActing } from './access.ts'
import { joinOffer } from './community.ts'
import { commentCount, type Likes, likesOfComments, likesOfPost } from './counts.ts'
import { authorOf, mentionsOf, type Names, namesOf } from './names.ts'
import { button, counted, page } from './parts.ts'
import { pathOf } from './paths.ts'
import { bodyOf, byline, likesShown, linksFor, moderatingOf, standing } from './shown.ts'
import { closedPage } from './space.ts'
import { isOnFirstPage, type Threaded, threadPage } from './thread.ts'
import { videosOf } from './videos.ts'
import { commentForm } from './write.ts'

/** Highest step by which answers are indented. */
const DEEPEST = 4

/** Counts the view of a post, unless the browser only loads it in advance. A page is shown whether that succeeds or not. */
const countView = async ({ request, post: { id } }: AtPost): Promise<void> => {
  const { ctx, viewer, service } = request
  if (!viewer.session || ctx.method !== 'GET' || isInAdvance(ctx)) return
  const wanted = { post_id: id, contact_id: viewer.contact.id }
  try {
    await carryOut(request, ask(postViews, 'new', 'create', wanted, { ifTaken: 'again' }))
  } catch (error) {
    if (!refusalIn(error) || isClockAdvancing(error)) throw error
    service.logger.debug({ post: id }, 'a view was not counted')
  }
}

interface Told {
  readonly names: Names
  readonly hooks: Awaited<ReturnType<typeof mentionsOf>>
  readonly likes: ReadonlyMap<number, Likes>
}

const answering = (at: AtPost, { parent }: Threaded, { names }: Told): Html | undefined =>
  parent &&
  html`<p class="quiet"><a href="#comment-${parent.id}">${filled(at.words.replyTo, { name: parent.emptied_at === null ? authorOf(at, parent.contact_id, names) : at.words.deletedComment })}</a></p>`

const commentShown = async (at: AtPost, threaded: Threaded, told: Told): Promise<Html> => {
  const { comment: one, depth } = threaded
  const { words } = at
  const step = Math.min(depth, DEEPEST)
  const classes = `item${step > 0 ? ` step-${step}` : ''}`
  if (one.emptied_at !== null)
    return html`<li id="comment-${one.id}" class="${classes}"><p class="quiet">${words.deletedComment}</p></li>`
  const path = pathOf.comment(one.id)
  const likes = told.likes.get(one.id)
  const reply =
    isActing(at) && isShown(one) && isShown(at.post) && html`<p><a href="${path}/reply">${words.write.reply}</a></p>`
  return html`<li id="comment-${one.id}" class="${classes}">${byline(at, one, told.names)}${answering(at, threaded, told)}${await standing(at, one, told.hooks)}
<div>${await bodyOf(one.body, told.hooks)}</div>${likes && likesShown(at, one, path, likes)}${reply}${linksFor(at, one, path)}${moderatingOf(at, one, path)}</li>`
}

const tellAbout = async (
  at: AtPost,
  comments: readonly RecordOf<typeof comment>[],
  parents: Threaded[],
): Promise<Told> => {
  const written = [at.post, ...comments]
  const [names, hooks, likes] = await Promise.all([
    namesOf(
      at,
      [...written, ...parents.flatMap(({ parent }) => parent ?? [])].map(({ contact_id }) => contact_id),
    ),
    mentionsOf(
      at,
      written.flatMap(({ body, pending_edit }) => [body, pending_edit?.body ?? null]),
    ),
    likesOfComments(at, comments),
  ])
  return { names, hooks, likes }
}

const pinButton = (at: AtPost): Html | undefined => {
  if (!isActing(at) || !at.member.moderator) return undefined
  const { words, request, post } = at
  const path = pathOf.post(post.id)
  return post.is_pinned
    ? button(request, `${path}/unpin`, words.moderation.unpin)
    : button(request, `${path}/pin`, words.moderation.pin)
}

const afterOf = ({ ctx }: ReaderRequest): number | undefined => {
  const sent = String(ctx.query.after ?? '')
  return /^\d{1,15}$/.test(sent) ? Number(sent) : undefined
}

const commentsShown = async (
  at: AtPost,
  threads: Awaited<ReturnType<typeof threadPage>>,
  told: Told,
): Promise<Html> => {
  const { words } = at
  const items: Html[] = []
  for (const one of threads.comments) items.push(await commentShown(at, one, told))
  const path = pathOf.post(at.post.id)
  const first = afterOf(at.request) !== undefined && html`<a href="${path}">${words.firstComments}</a>`
  const more = threads.next !== undefined && html`<a href="${path}?after=${threads.next}">${words.moreComments}</a>`
  const thread =
    items.length > 0 ? html`<ol class="plain">${items}</ol>` : html`<p class="quiet">${words.noComments}</p>`
  return html`${thread}<p class="pager">${first}${more}</p>`
}

/** Shows a post with its comments. */
export const showPost = async (request: ReaderRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await atPost(request, id)
  if (!at) return undefined
  if (at.degree === 'closed') return closedPage(at)
  const { post, words, place } = at
  const threads = await threadPage(at, afterOf(request))
  const comments = threads.comments.map((one) => one.comment).filter(({ emptied_at }) => emptied_at === null)
  const [told, likes, count, videos, cover] = await Promise.all([
    tellAbout(at, comments, [...threads.comments]),
    likesOfPost(at),
    commentCount(at, post.id),
    videosOf(at),
    place.space.allow_cover_images && pictureOf(request, post),
  ])
  const path = pathOf.post(post.id)
  await countView(at)
  const text = html`${byline(at, post, told.names)}${await standing(at, post, told.hooks)}${cover}<div>${await bodyOf(post.body, told.hooks)}</div>${videos.shown}`
  const acts = html`${likesShown(at, post, path, likes)}${linksFor(at, post, path)}${moderatingOf(at, post, path)}${pinButton(at)}`
  const writing = isActing(at) ? isShown(post) && (await commentForm(at, { action: `${path}/comment` })) : joinOffer(at)
  const shown = page(
    post.title,
    html`<article>${text}${acts}</article>
<h2>${words.comments}</h2><p class="quiet">${counted(words.commentCount, count)}</p>${await commentsShown(at, threads, told)}${writing}
<p><a href="${pathOf.space(place.space.id)}">${filled(words.back, { name: place.space.name })}</a></p>`,
  )
  return { ...shown, frames: videos.frames }
}

/** Leads to a comment on the page of its post. */
export const showComment = async (request: ReaderRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await atComment(request, id)
  if (!at || at.degree === 'closed') return at && closedPage(at)
  const page = (await isOnFirstPage(at, id)) ? '' : `?after=${id - 1}`
  return { to: `${pathOf.post(at.post.id)}${page}#comment-${id}` }
}
