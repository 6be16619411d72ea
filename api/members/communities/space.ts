import { membership, participations, type post } from '../../../domain/communities/public.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { shortened } from '../../../domain/kernel/values/characters.ts'
import { plainText } from '../../../domain/resources/plain-text.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { carryOut } from '../carry-out.ts'
import type { Answer, MemberPage, ReaderRequest, SignedInRequest } from '../request.ts'
import { type InSpace, inSpace, isActing } from './access.ts'
import { joinOffer } from './community.ts'
import { type Count, commentCount, type Likes, likesOfPosts } from './counts.ts'
import { mentionsOf, type Names, namesOf } from './names.ts'
import { button, counted, list, notice, page } from './parts.ts'
import { pathOf } from './paths.ts'
import { ownWaiting, placeIn, postsPage, spelledPlace } from './posts-list.ts'
import { byline, standing } from './shown.ts'

/** Characters of a text that a list shows, and characters of its HTML that are read for it. */
const MOST_SHOWN = 300
const MOST_READ = 20_000

type Post = RecordOf<typeof post>

interface Told {
  readonly names: Names
  readonly hooks: Awaited<ReturnType<typeof mentionsOf>>
  readonly likes: ReadonlyMap<number, Likes>
  readonly comments: ReadonlyMap<number, Count>
}

const readOf = (body: string | null): string => (body ?? '').slice(0, MOST_READ)

const tellAbout = async (at: InSpace, posts: readonly Post[]): Promise<Told> => {
  const bodies = posts.map(({ body }) => readOf(body))
  const [names, hooks, likes, comments] = await Promise.all([
    namesOf(
      at,
      posts.map(({ contact_id }) => contact_id),
    ),
    mentionsOf(at, bodies),
    likesOfPosts(at, posts),
    Promise.all(posts.map(async ({ id }) => [id, await commentCount(at, id)] as const)),
  ])
  return { names, hooks, likes, comments: new Map(comments) }
}

const excerptOf = ({ body }: Post, { hooks }: Told): string =>
  shortened(plainText(readOf(body), hooks).replace(/\s+/g, ' '), MOST_SHOWN + 1)

const postShown = async (at: InSpace, one: Post, told: Told): Promise<Html> => {
  const { words } = at
  const [likes, comments] = [told.likes.get(one.id), told.comments.get(one.id)]
  const numbers = html`${comments && counted(words.commentCount, comments)} · ${likes && counted(words.likeCount, likes)}`
  return html`<h3><a href="${pathOf.post(one.id)}">${one.title}</a></h3>${byline(at, one, told.names)}${await standing(at, one, told.hooks)}<p>${excerptOf(one, told)}</p><p class="quiet">${numbers}</p>`
}

const allShown = async (at: InSpace, posts: readonly Post[], told: Told): Promise<Html | undefined> => {
  const shown: Html[] = []
  for (const one of posts) shown.push(await postShown(at, one, told))
  return list(shown)
}

/** Page of a space that is closed to the reader. */
export const closedPage = ({ place, words, member, community }: InSpace): MemberPage => {
  const { upgrade_url } = place.space
  const address = upgrade_url ?? place.group.upgrade_url ?? community.upgrade_url
  const upgrade = address !== null && html`<p><a href="${address}">${words.upgrade}</a></p>`
  const back = html`<p><a href="${pathOf.community(community.id)}">${filled(words.back, { name: community.name })}</a></p>`
  return page(place.space.name, html`${notice(words.closed)}${upgrade}${back}`, member ? 200 : 403)
}

const following = (at: InSpace): Html | undefined => {
  if (!isActing(at)) return undefined
  const { member, place, request, words } = at
  const { id, name } = place.space
  return member.space_ids.includes(id)
    ? html`<p>${words.follows}</p>${button(request, `${pathOf.space(id)}/unfollow`, filled(words.leaveSpace, { name }))}`
    : button(request, `${pathOf.space(id)}/follow`, filled(words.enterSpace, { name }))
}

const writeLink = (at: InSpace): Html | undefined => {
  const { place, words } = at
  if (!isActing(at)) return joinOffer(at)
  const mayPost = place.space.members_can_post || at.member.moderator
  return mayPost ? html`<p><a href="${pathOf.space(place.space.id)}/write">${words.write.post}</a></p>` : undefined
}

/** Shows what is before the list: what is pinned, and what of the reader waits for approval. */
const top = async (at: InSpace): Promise<Html> => {
  const [pinned, waiting] = await Promise.all([postsPage(at, undefined, true), ownWaiting(at)])
  const told = await tellAbout(at, [...pinned.posts, ...waiting])
  const { words, place } = at
  const more =
    pinned.next &&
    html`<p><a href="${pathOf.space(place.space.id)}?pinned=${spelledPlace(pinned.next)}">${words.morePinned}</a></p>`
  const label = place.space.pinned_posts_label ?? words.pinned
  const above = pinned.posts.length > 0 && html`<h2>${label}</h2>${await allShown(at, pinned.posts, told)}${more}`
  return html`${await allShown(at, waiting, told)}${above}`
}

/** Shows a page of the posts of a space. */
export const showSpace = async (request: ReaderRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inSpace(request, id)
  if (!at || at.degree === 'closed') return at && closedPage(at)
  const { words, place, community } = at
  const [behindPinned, behind] = [placeIn(request.ctx.query.pinned), placeIn(request.ctx.query.after)]
  const isPinned = behindPinned !== undefined
  const { posts, next } = await postsPage(at, behindPinned ?? behind, isPinned)
  const isFirst = !isPinned && behind === undefined
  const shown = await allShown(at, posts, await tellAbout(at, posts))
  const path = pathOf.space(id)
  const name = isPinned ? 'pinned' : 'after'
  const newest = !isFirst && html`<a href="${path}">${words.newest}</a>`
  const older =
    next && html`<a href="${path}?${name}=${spelledPlace(next)}">${isPinned ? words.morePinned : words.older}</a>`
  return page(
    place.space.name,
    html`${isFirst && html`${following(at)}${writeLink(at)}${await top(at)}`}<h2>${isPinned ? words.pinned : words.posts}</h2>${shown ?? html`<p class="quiet">${words.noPosts}</p>`}<p class="pager">${newest}${older}</p>
<p><a href="${pathOf.community(community.id)}">${filled(words.back, { name: community.name })}</a></p>`,
  )
}

/** Brings a member into a space, as far as it is open to it. */
export const takeFollow = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inSpace(request, id)
  if (!at || !isActing(at)) return undefined
  const refused = await carryOut(
    request,
    ask(participations, at.member.membership.participation_id, 'join', { join: { by_self: true, space_ids: [id] } }),
  )
  return refused ? closedPage(at) : { to: pathOf.space(id) }
}

/** Takes a member out of a space. */
export const takeUnfollow = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inSpace(request, id)
  if (!at || !isActing(at)) return undefined
  const own = at.member.membership
  await carryOut(
    request,
    ask(within(participations, own.participation_id, membership), own.id, 'leave', { space_ids: [id] }),
  )
  return { to: pathOf.community(at.community.id) }
}
