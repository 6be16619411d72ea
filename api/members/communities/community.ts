import {
  community,
  degreeOf,
  isOpenTo,
  joinsFreely,
  membership,
  OPEN_TO_VISITORS,
  participations,
  type Standing,
  space,
  spaceGroup,
  VISITOR,
} from '../../../domain/communities/public.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { carryOut } from '../carry-out.ts'
import { type Answer, isSignedIn, type ReaderRequest, type SignedInRequest } from '../request.ts'
import { type InCommunity, inCommunity, isActing, readerOf, standingsNow } from './access.ts'
import { mailLink } from './mail.ts'
import { button, list, notice, page, question } from './parts.ts'
import { COMMUNITIES, pathOf } from './paths.ts'
import { communityWords } from './words/words.ts'

/** Communities that the start page shows of those that somebody has not joined. */
export const MOST_OTHERS = 100

type Community = RecordOf<typeof community>

/** Returns the communities that are open to somebody: those that it has joined, and others. */
const communitiesFor = async (request: SignedInRequest) => {
  const read = readerOf(request)
  const standings = await standingsNow(request)
  const idsWhere = (test: (one: Standing) => boolean): readonly number[] =>
    [...standings].flatMap(([id, one]) => (test(one) ? id : [])).sort((a, b) => a - b)
  const joined = idsWhere(({ member }) => member !== undefined)
  const banned = idsWhere(({ presence }) => presence === 'banned')
  const where = { workspace_id: request.site.workspaceId, ...OPEN_TO_VISITORS, id: { $nin: [...joined, ...banned] } }
  const [own, others] = await Promise.all([
    read.many(community, joined),
    read.find(community, { where, limit: MOST_OTHERS }),
  ])
  return { own: own.filter((one) => isOpenTo(one, standings.get(one.id) ?? VISITOR)), others }
}

/** Shows the communities that are open to a contact. */
export const showCommunities = async (request: SignedInRequest): Promise<Answer> => {
  const words = communityWords(request)
  const { own, others } = await communitiesFor(request)
  const link = ({ id, name }: Community) => html`<a href="${pathOf.community(id)}">${name}</a>`
  const part = (title: string, of: readonly Community[]) =>
    of.length > 0 && html`<h2>${title}</h2>${list(of.map(link))}`
  const none = own.length + others.length === 0 && html`<p>${words.none}</p>`
  return page(words.title, html`${part(words.yours, own)}${part(words.others, others)}${none}`)
}

/** Offers to join a community; `undefined` to whom it is not offered. */
export const joinOffer = ({ request, words, community: to, member }: InCommunity): Html | undefined => {
  if (member || !isSignedIn(request)) return undefined
  const { id, name, upgrade_url } = to
  if (joinsFreely(to))
    return html`<p>${filled(words.joinFirst, { name })}</p>${button(request, `${pathOf.community(id)}/join`, filled(words.join, { name }))}`
  const upgrade = upgrade_url !== null && html`<p><a href="${upgrade_url}">${words.upgrade}</a></p>`
  return html`${notice(words.byInvitation)}${upgrade}`
}

type Group = RecordOf<typeof spaceGroup>
type Space = RecordOf<typeof space>

const inOrder = <T extends { readonly id: number; readonly sort_order: number | null }>(
  all: readonly T[],
): readonly T[] => all.toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0) || a.id - b.id)

/** Shows the spaces of a group that exist for the reader. */
const groupShown = (at: InCommunity, group: Group, spaces: readonly Space[]): Html | false => {
  const { community, member } = at
  const isIn = (id: number) => member?.space_ids.includes(id) ?? false
  const seen = inOrder(spaces).flatMap((one) => {
    const degree = degreeOf({ community, group, space: one }, member)
    const isListed = degree !== 'hidden' && (!group.is_hidden || isIn(one.id) || member?.moderator)
    return isListed ? [{ one, degree }] : []
  })
  const links = seen.map(
    ({ one, degree }) =>
      html`<a href="${pathOf.space(one.id)}">${one.emoji !== null && `${one.emoji} `}${one.name}</a>${degree === 'closed' && html` <span class="quiet">${at.words.closed}</span>`}${isIn(one.id) && html` <span class="quiet">${at.words.follows}</span>`}`,
  )
  return (
    links.length > 0 &&
    html`<h3>${group.name}</h3>${group.description !== null && html`<p>${group.description}</p>`}${list(links)}`
  )
}

const spacesShown = async (at: InCommunity): Promise<Html> => {
  const where = { community_id: at.community.id }
  const [groups, spaces] = await Promise.all([at.read.find(spaceGroup, { where }), at.read.find(space, { where })])
  const shown = inOrder(groups)
    .map((group) =>
      groupShown(
        at,
        group,
        spaces.filter(({ space_group_id }) => space_group_id === group.id),
      ),
    )
    .filter((one) => one !== false)
  return shown.length > 0 ? html`${shown}` : html`<p class="quiet">${at.words.noSpaces}</p>`
}

const leaveLink = ({ words, community: { id, name } }: InCommunity): Html =>
  html`<p><a href="${pathOf.community(id)}/leave">${filled(words.leave, { name })}</a></p>`

/** Shows the groups and spaces of a community that exist for the reader. */
export const showCommunity = async (request: ReaderRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at) return undefined
  const { words, community: of } = at
  const moderation =
    at.member?.moderator && html`<p><a href="${pathOf.community(id)}/moderation">${words.moderation.title}</a></p>`
  return page(
    of.name,
    html`${joinOffer(at)}${moderation}<h2>${words.spaces}</h2>${await spacesShown(at)}${isActing(at) && html`${mailLink(at)}${leaveLink(at)}`}<p><a href="${COMMUNITIES}">${words.title}</a></p>`,
  )
}

/** Makes a contact a member, as far as the community is open to it. */
export const takeJoin = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at) return undefined
  const wanted = { contact_id: request.viewer.contact.id, community_id: id, join: { by_self: true } }
  const refused = await carryOut(request, (mint) =>
    ask(participations, 'new', 'create', wanted, { ids: [mint(membership)], ifTaken: 'join' }),
  )
  return refused ? page(at.community.name, notice(at.words.byInvitation), 403) : { to: pathOf.community(id) }
}

/** Asks whether a member wants to leave. */
export const showLeave = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at || !isActing(at)) return undefined
  const { words, community: of } = at
  const leave = filled(words.leave, { name: of.name })
  const asked = { title: leave, text: html`<p>${words.leaveText}</p>`, button: leave, cancel: words.write.cancel }
  return question(request, asked, { action: `${pathOf.community(id)}/leave`, back: pathOf.community(id) })
}

/** Takes a member out of a community. */
export const takeLeave = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at || !isActing(at)) return undefined
  const own = at.member.membership
  await carryOut(request, ask(within(participations, own.participation_id, membership), own.id, 'remove', {}))
  return { to: COMMUNITIES }
}
