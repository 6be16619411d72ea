import { type Invitation, invitationStatus, ROLES } from '../../../domain/account/public.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import type { AccountPage } from '../request.ts'
import { field } from '../shell.ts'
import { WORDS as ALL } from '../words.ts'
import type { ShownMember, TeamRequest } from './viewed-team.ts'
import { WORDS } from './words.ts'

const { team: words, roles } = WORDS

const ofRoles = (ids: readonly string[]): string =>
  ROLES.filter((role) => ids.includes(role))
    .map((role) => roles[role])
    .join(', ')

const day = (at: string): string => at.slice(0, 'YYYY-MM-DD'.length)

const roleField = (id: string, label: string, chosen: readonly string[]): Html =>
  html`<label for="${id}">${label}</label><select id="${id}" name="role">${[...ROLES].reverse().map((role) => html`<option value="${role}"${chosen.includes(role) && html` selected`}>${roles[role]}</option>`)}</select>`

const memberRow = (request: TeamRequest, { id, name, email, role_ids, created_at }: ShownMember): Html => {
  const { viewed } = request
  const isOwn = id === viewed.own.id
  const path = `${viewed.path}/members/${id}`
  const label = filled(words.roleOf, { name })
  const changing =
    viewed.isAdmin &&
    form(
      request,
      `${path}/roles`,
      html`${roleField(`role-${id}`, label, role_ids)} <button class="second">${words.saveRole}</button>`,
    )
  const leaving = (viewed.isAdmin || isOwn) && html`<a href="${path}/remove">${isOwn ? words.leave : words.remove}</a>`
  return html`<li class="item"><strong>${name}</strong> ${isOwn && words.you}<br>${email} · ${ofRoles(role_ids)} · <span class="quiet">${day(created_at)}</span>${changing}${leaving}</li>`
}

const invitationItem = (request: TeamRequest, { id, email, role_ids, ...one }: Invitation): Html => {
  const { viewed, at } = request
  const isExpired = invitationStatus(one, at) === 'expired'
  const state = isExpired ? words.expired : filled(words.invitedUntil, { date: day(one.expires_at) })
  const path = `${viewed.path}/invitations/${id}`
  const acts =
    viewed.isAdmin &&
    html`<br>${form(request, `${path}/renew`, html`<button class="second">${words.renew}</button>`, { isInline: true })}${form(request, `${path}/withdraw`, html`<button class="second">${words.withdraw}</button>`, { isInline: true })}`
  return html`<li class="item">${email} · ${ofRoles(role_ids)} · <span class="quiet">${state}</span>${acts}</li>`
}

/** What was wrong with an invitation that was sent. */
export interface InvitingProblem {
  readonly email: string
  readonly says: string
}

const inviting = (request: TeamRequest, problem: InvitingProblem | undefined): Html => {
  const { viewed, service } = request
  const address = field({
    ...{ name: 'email', label: ALL.address, type: 'email', autocomplete: 'off' },
    ...{ value: problem?.email ?? '', problem: problem?.says },
  })
  const noMail =
    service.userMail === undefined && html`<p class="quiet">${filled(words.noMail, { team: viewed.team.id })}</p>`
  return html`<h2>${words.invite}</h2>${noMail}${form(request, `${viewed.path}/invite`, html`${address}${roleField('role', words.role, ['member'])}<p><button>${words.inviteButton}</button></p>`)}`
}

/** Shows a team: members, invitations that are not accepted yet, and, to admins, what they can do. */
export const teamPage = (request: TeamRequest, problem?: InvitingProblem): AccountPage => {
  const { viewed, at } = request
  const invited = viewed.invitations.filter((one) => ['open', 'expired'].includes(invitationStatus(one, at)))
  return {
    ...(problem && { status: 422 }),
    title: viewed.team.name,
    body: html`<h2>${words.members}</h2><ul class="plain">${viewed.members.map((one) => memberRow(request, one))}</ul>
${invited.length > 0 && html`<h2>${words.invitations}</h2><ul class="plain">${invited.map((one) => invitationItem(request, one))}</ul>`}
${viewed.isAdmin ? inviting(request, problem) : html`<p class="quiet">${words.onlyAdmins}</p>`}
${viewed.isAdmin && html`<h2>${WORDS.keys.title}</h2><p><a href="${viewed.path}/keys">${WORDS.keys.title}</a></p>`}`,
  }
}
