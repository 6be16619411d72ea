import { credentials } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { html } from '../html/html.ts'
import { saying } from '../html/page.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { form } from '../page-app/frame.ts'
import { carryOut } from './carry-out.ts'
import { SESSION, setCookie } from './cookies.ts'
import { knownAs } from './known-browser.ts'
import { disconnectedBy, disconnectsBox, newPasswordField, problemOf } from './new-password.ts'
import { isTooLong } from './passwords.ts'
import { isFresh, signInAgainFor } from './proof.ts'
import { type AccountPage, type Answer, forUsers, type Route, type ViewerRequest } from './request.ts'
import { field } from './shell.ts'
import { credentialsOf, HOME, newSession } from './signed-in.ts'
import { WORDS } from './words.ts'

const { change } = WORDS

const PASSWORD = '/account/password'
const CHANGED = `${PASSWORD}/changed`

interface Problems {
  readonly present?: string
  readonly next?: string | undefined
}

const page = async (
  request: ViewerRequest,
  hasPassword: boolean,
  { present, next }: Problems = {},
): Promise<AccountPage> => {
  const label = WORDS.currentPassword
  const former = hasPassword
    ? field({ name: 'present', label, type: 'password', autocomplete: 'current-password', problem: present })
    : undefined
  return {
    ...((present !== undefined || next !== undefined) && { status: 422 }),
    title: change.title,
    body: html`<p>${change.text}</p>
${form(request, PASSWORD, html`${former}${newPasswordField(next)}${await disconnectsBox(request.service, request.viewer.userId)}<p><button>${change.button}</button></p>`)}`,
  }
}

/** Whether neither a password nor a sign-in of late would prove who is there. */
const isUnproved = ({ viewer, at }: ViewerRequest, hasPassword: boolean): boolean =>
  !hasPassword && !isFresh(viewer, at)

const show = async (request: ViewerRequest): Promise<Answer> => {
  const held = await credentialsOf(request.service, request.viewer.userId)
  if (isUnproved(request, typeof held?.password === 'string')) return { to: signInAgainFor(PASSWORD) }
  return page(request, typeof held?.password === 'string')
}

/** Whether the present password is right. Wrong ones count as those of signing in do. */
const isPresent = async ({ ctx, service, guards, viewer }: ViewerRequest, password: string, digest: string) => {
  if (isTooLong(password)) return false
  const source = countedAs(ctx.ip)
  const known = knownAs(ctx, service, viewer.userId)
  const succeed = await guards.slowing.begin({ source, account: mailboxOf(viewer.email), known })
  const isRight = await guards.passwords.isRight(password, digest, source)
  if (isRight) succeed()
  return isRight
}

/** Changes the password. This browser stays signed in, under a new id. */
const take = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  const { ctx, service, guards, viewer } = request
  const held = await credentialsOf(service, viewer.userId)
  const former = held?.password ?? undefined
  if (isUnproved(request, former !== undefined)) return { to: signInAgainFor(PASSWORD) }
  const next = sent.get('password') ?? ''
  const problem = problemOf(next)
  if (problem !== undefined) return page(request, former !== undefined, { next: problem })
  if (former !== undefined && !(await isPresent(request, sent.get('present') ?? '', former)))
    return page(request, true, { present: change.wrong })
  const password = await guards.passwords.digestOf(next, countedAs(ctx.ip))
  const { cookie, digest } = newSession(viewer.userId)
  const { generation, digest: former_digest } = viewer
  const disconnects = await disconnectedBy(sent, service, viewer.userId)
  const wanted = { password, digest, former_digest, generation, disconnects }
  const result = await carryOut(request, ask(credentials, viewer.credentialsId, 'changePassword', wanted))
  if (result instanceof Refusal) throw result
  return { to: CHANGED, cookies: [setCookie(service, SESSION, cookie)] }
}

const showChanged = (): Answer =>
  saying(change.doneTitle, change.done, html`<p><a href="${HOME}">${WORDS.account.title}</a></p>`)

/** Pages on which a user changes the password. */
export const passwordRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${PASSWORD}$`), { proof: 'own', isOnce: true, show, take }),
  forUsers(new RegExp(`^${CHANGED}$`), { show: showChanged }),
]
