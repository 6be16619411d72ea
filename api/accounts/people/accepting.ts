import { credentials, invitationStatus, userByAddress } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { INVITATION_PATH } from '../../../domain/kernel/ports/invitation-links.ts'
import { mailboxOf } from '../../../domain/kernel/values/mailbox.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { FORM_TOKEN, isFormToken } from '../../html/forms.ts'
import { html } from '../../html/html.ts'
import { saying } from '../../html/page.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import { SESSION, setCookie } from '../cookies.ts'
import {
  type AccountPage,
  type AccountRequest,
  type Answer,
  isOfViewer,
  type Route,
  type ViewerRequest,
} from '../request.ts'
import { HOME, signInFor } from '../signed-in.ts'
import { joinTeam } from './join.ts'
import { openAccount, showNew } from './new-person.ts'
import { type OpenedInvitation, openInvitation } from './opened.ts'
import { teamPath } from './team-path.ts'
import { WORDS } from './words.ts'

const { invitation: words } = WORDS

/** Button of the form of somebody else who is signed in. */
const SIGN_OUT = 'sign_out'

const GONE = 410

/** Returns the page for an invitation that cannot be accepted by its link; `undefined` for one that can. */
const endedPage = ({ invitation, number }: OpenedInvitation, at: string): AccountPage | undefined => {
  const status = invitationStatus(invitation, at)
  if (status === 'open' && number === invitation.link_number) return undefined
  const toTeams = html`<p><a href="${HOME}">${words.toTeams}</a></p>`
  return saying(words.endedTitle, status === 'open' ? words.replaced : words[status], toTeams, GONE)
}

const isFor = ({ invitation }: OpenedInvitation, email: string): boolean =>
  mailboxOf(invitation.email) === mailboxOf(email)

const valuesOf = ({ invitation, team }: OpenedInvitation, other = '') => ({
  ...{ address: invitation.email, team: team.name, other },
})

const titled = (opened: OpenedInvitation, body: AccountPage['body'], status?: number): AccountPage => ({
  ...(status !== undefined && { status }),
  title: filled(words.title, valuesOf(opened)),
  body: html`<p>${filled(words.text, valuesOf(opened))}</p>${body}`,
})

const showOwn = (request: ViewerRequest, opened: OpenedInvitation): AccountPage =>
  titled(opened, form(request, opened.path, html`<p><button>${filled(words.accept, valuesOf(opened))}</button></p>`))

/** Shows both addresses. Nothing is accepted, and nothing is used up. */
const showOther = (request: ViewerRequest, opened: OpenedInvitation, status?: number): AccountPage => {
  const values = valuesOf(opened, request.viewer.email)
  const button = html`<p><button name="${SIGN_OUT}" value="1">${filled(words.signOut, values)}</button></p>`
  const body = html`<p class="notice">${filled(words.other, values)}</p>${form(request, opened.path, button)}`
  return titled(opened, body, status)
}

const showAccount = (opened: OpenedInvitation): AccountPage =>
  titled(
    opened,
    html`<p>${filled(words.hasAccount, valuesOf(opened))}</p><p><a href="${signInFor(opened.path)}">${words.signIn}</a></p>`,
  )

const invalid = (): AccountPage => saying(words.invalidTitle, words.invalid, undefined, 404)

const show = async (request: AccountRequest, [token = '']: readonly string[]): Promise<Answer> => {
  const opened = await openInvitation(request.service, token)
  if (!opened) return invalid()
  const { viewer, service, at } = request
  const { accepted_by_id } = opened.invitation
  if (viewer && accepted_by_id === viewer.userId) return { to: teamPath(opened.team.id) }
  const ended = endedPage(opened, at)
  if (ended) return ended
  if (isOfViewer(request))
    return isFor(opened, request.viewer.email) ? showOwn(request, opened) : showOther(request, opened)
  return (await userByAddress(opened.invitation.email, service.everywhere)) ? showAccount(opened) : showNew(opened)
}

const takeSignedIn = async (
  request: ViewerRequest,
  opened: OpenedInvitation,
  sent: URLSearchParams,
): Promise<Answer> => {
  const { viewer, service } = request
  const isOwn = isFor(opened, viewer.email)
  if (!isFormToken(sent.get(FORM_TOKEN), viewer.formToken))
    return isOwn ? showOwn(request, opened) : showOther(request, opened, 403)
  if (sent.has(SIGN_OUT)) {
    const out = await carryOut(request, ask(credentials, viewer.credentialsId, 'signOut', { digest: viewer.digest }))
    if (out instanceof Refusal) throw out
    return { to: opened.path, cookies: [setCookie(service, SESSION, '')] }
  }
  if (!isOwn) return showOther(request, opened, 403)
  const refused = await joinTeam(request, opened, viewer.userId)
  if (refused) throw refused
  return { to: teamPath(opened.team.id) }
}

const take = async (
  request: AccountRequest,
  sent: URLSearchParams,
  [token = '']: readonly string[],
): Promise<Answer> => {
  const opened = await openInvitation(request.service, token)
  if (!opened) return invalid()
  const { viewer } = request
  if (viewer && opened.invitation.accepted_by_id === viewer.userId) return { to: teamPath(opened.team.id) }
  const ended = endedPage(opened, request.at)
  if (ended) return ended
  if (isOfViewer(request)) return takeSignedIn(request, opened, sent)
  if (await userByAddress(opened.invitation.email, request.service.everywhere)) return showAccount(opened)
  return (await openAccount(request, opened, sent)) ?? showAccount(opened)
}

/** Pages on which invitations are accepted. Opening one accepts nothing. */
export const invitationRoutes: readonly Route[] = [
  { path: new RegExp(`^${INVITATION_PATH}([\\w-]{1,100})$`), audience: 'everybody', isOnce: true, show, take },
]
