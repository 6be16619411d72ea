import { connectionsOf, keysMadeBy, membership, teams } from '../../../domain/account/public.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import type { AccountPage, Answer, Route } from '../request.ts'
import { HOME } from '../signed-in.ts'
import { actInTeam, forMembers, type ShownMember, type TeamRequest } from './viewed-team.ts'
import { WORDS } from './words.ts'

const { removal: words, keys: keyWords } = WORDS

const valuesOf = ({ viewed }: TeamRequest, { name }: ShownMember) => ({ name, team: viewed.team.name })

const keysOf = ({ load, viewed }: TeamRequest, { user_id }: ShownMember): Promise<readonly JsonObject[]> =>
  keysMadeBy({ user_id, team_id: viewed.team.id }, load())

const keyList = (request: TeamRequest, member: ShownMember, keys: readonly JsonObject[]): Html => {
  const values = valuesOf(request, member)
  if (keys.length === 0) return html`<p>${filled(words.noKeys, values)}</p>`
  const items = keys.map(
    ({ hint, label, scopes }) =>
      html`<li class="item">${String(hint)}… · ${String(label)} · ${(scopes as readonly string[]).join(' ')}</li>`,
  )
  const revoking = request.viewed.isAdmin && html`<p><a href="${request.viewed.path}/keys">${keyWords.title}</a></p>`
  return html`<h2>${filled(words.keys, values)}</h2><p>${filled(words.keysStay, values)}</p><ul class="plain">${items}</ul>${revoking}`
}

/** Lists the applications whose access ends with the membership. */
const endingList = async ({ load }: TeamRequest, member: ShownMember): Promise<Html | undefined> => {
  const ending = await connectionsOf(member.id, load())
  if (ending.length === 0) return undefined
  return html`<h2>${filled(words.ending, { name: member.name })}</h2><ul class="plain">${ending.map(({ name }) => html`<li class="item">${String(name)}</li>`)}</ul>`
}

/** Returns the member that is to be removed: any for admins, oneself for others. */
const memberIn = ({ viewed }: TeamRequest, id: number): ShownMember | undefined =>
  viewed.isAdmin || id === viewed.own.id ? viewed.members.find((one) => one.id === id) : undefined

const show = async (request: TeamRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const member = memberIn(request, id)
  if (!member) return undefined
  const { viewed } = request
  const values = valuesOf(request, member)
  const isOwn = id === viewed.own.id
  const button = filled(isOwn ? words.leaveButton : words.button, values)
  return {
    title: filled(isOwn ? words.leaveTitle : words.title, values),
    body: html`<p>${filled(words.text, values)}</p>${await endingList(request, member)}${keyList(request, member, await keysOf(request, member))}
${form(request, `${viewed.path}/members/${id}/remove`, html`<p><button>${button}</button></p>`)}
<p><a href="${viewed.path}">${words.back}</a></p>`,
  } satisfies AccountPage
}

/** Removes a member, and shows the keys that the person made: they go on working. */
const take = async (request: TeamRequest, _: URLSearchParams, [id = 0]: readonly number[]): Promise<Answer> => {
  const member = memberIn(request, id)
  if (!member) return undefined
  const { viewed } = request
  const keys = await keysOf(request, member)
  const asked = ask(within(teams, viewed.team.id, membership), id, 'remove', {})
  const refused = await actInTeam(request, asked)
  if (refused) return refused
  if (id === viewed.own.id) return { to: HOME }
  return {
    title: filled(words.doneTitle, valuesOf(request, member)),
    body: html`${keyList(request, member, keys)}<p><a href="${viewed.path}">${words.back}</a></p>`,
  }
}

/** Pages on which a member is removed from a team, or leaves it. */
export const removalRoutes: readonly Route[] = [forMembers('/members/([1-9]\\d{0,15})/remove', { show, take })]
