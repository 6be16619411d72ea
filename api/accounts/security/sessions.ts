import { type Credentials, credentials, type UserSession } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import { type Answer, forUsers, type Route, type ViewerRequest } from '../request.ts'
import { credentialsOf } from '../signed-in.ts'
import { SECURITY, shownTime } from './paths.ts'
import { SECURITY_WORDS } from './words.ts'

const { sessions: words } = SECURITY_WORDS

const END = `${SECURITY}/sessions/end`
const END_OTHERS = `${SECURITY}/sessions/end-others`

/** First characters of the digest of a session, by which its form names it. */
const NAME = 16
const nameOf = ({ digest }: Pick<UserSession, 'digest'>): string => digest.slice(0, NAME)

const openIn = ({ sessions }: Credentials, at: string): readonly UserSession[] =>
  sessions.filter(({ expires_at }) => expires_at > at).toReversed()

const shown = (request: ViewerRequest, session: UserSession): Html => {
  const isHere = session.digest === request.viewer.digest
  const facts = [
    ...(session.browser === null ? [] : [session.browser]),
    filled(words.began, { at: shownTime(session.began_at) }),
    filled(words.ends, { at: shownTime(session.expires_at) }),
    ...(session.second_factor ? [words.second] : []),
  ]
  const end = html`<input type="hidden" name="session" value="${nameOf(session)}"><button class="second">${words.end}</button>`
  return html`<li class="item"><strong>${isHere ? words.here : words.elsewhere}</strong> ${facts.join(', ')}
${!isHere && form(request, END, end, { isInline: true })}</li>`
}

/** Returns the part of the security page about the browsers in which a user is signed in. */
export const sessionsSection = (request: ViewerRequest, held: Credentials): Html => {
  const open = openIn(held, request.at)
  return html`<h2>${words.title}</h2><ul class="plain">${open.map((one) => shown(request, one))}</ul>
${open.length > 1 && form(request, END_OTHERS, html`<button class="second">${words.endOthers}</button>`)}`
}

const done = (result: object): Answer => {
  if (result instanceof Refusal) throw result
  return { to: SECURITY }
}

const end = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  const { service, viewer, at } = request
  const held = await credentialsOf(service, viewer.userId)
  const session = held && openIn(held, at).find((one) => nameOf(one) === sent.get('session'))
  if (!session) return { to: SECURITY }
  return done(await carryOut(request, ask(credentials, viewer.credentialsId, 'signOut', { digest: session.digest })))
}

const endOthers = async (request: ViewerRequest): Promise<Answer> => {
  const { credentialsId, digest } = request.viewer
  return done(await carryOut(request, ask(credentials, credentialsId, 'signOutElsewhere', { digest })))
}

const show = (): Answer => ({ to: SECURITY })

/** Where the forms about sessions go. */
export const sessionRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${END}$`), { proof: 'session', show, take: end }),
  forUsers(new RegExp(`^${END_OTHERS}$`), { proof: 'session', show, take: endOthers }),
]
