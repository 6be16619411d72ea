import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { type ConnectedApplication, connectedApplications, disconnect } from '../applications.ts'
import { type Answer, forUsers, type Route, type ViewerRequest } from '../request.ts'
import { SECURITY } from './paths.ts'
import { SECURITY_WORDS } from './words.ts'

const { applications: words } = SECURITY_WORDS

const DISCONNECT = `${SECURITY}/applications/disconnect`

const shown = (request: ViewerRequest, { id, ...of }: ConnectedApplication): Html => {
  const button = html`<input type="hidden" name="connection" value="${id}"><button class="second">${filled(words.disconnect, of)}</button>`
  return html`<li class="item"><strong>${of.name}</strong> ${filled(words.within, of)} ${form(request, DISCONNECT, button, { isInline: true })}</li>`
}

/** Returns the part of the security page about applications that act as the user; nothing where there are none. */
export const applicationsSection = async (request: ViewerRequest): Promise<Html | undefined> => {
  const connected = await connectedApplications(request.service, request.viewer.userId)
  if (connected.length === 0) return undefined
  return html`<h2>${words.title}</h2><p>${words.text}</p><ul class="plain">${connected.map((one) => shown(request, one))}</ul>`
}

const take = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  await disconnect(request, Number(sent.get('connection')))
  return { to: SECURITY }
}

/** Where the forms about applications go. */
export const applicationRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${DISCONNECT}$`), { proof: 'session', show: () => ({ to: SECURITY }), take }),
]
