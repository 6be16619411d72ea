import { type Credentials, credentials, type UserLink, usableUserLink } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { USER_ENTRY_PATH } from '../../domain/kernel/ports/user-links.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { filled } from '../html/filled.ts'
import { FORM_TOKEN, isFormToken } from '../html/forms.ts'
import { html } from '../html/html.ts'
import { type Redirect, saying } from '../html/page.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { expiredPage } from '../page-app/refusals.ts'
import { carryOut } from './carry-out.ts'
import { cookieOf, ENTRY, setCookie } from './cookies.ts'
import { finishSignIn } from './finish.ts'
import { disconnectedBy, disconnectsBox, newPasswordField, problemOf } from './new-password.ts'
import type { AccountPage, AccountRequest, Answer, Route } from './request.ts'
import { credentialsOf, formTokenOf, HOME, SIGN_IN } from './signed-in.ts'
import { WORDS } from './words.ts'

const { enter: words, reset, noCookie } = WORDS

const ENTER = '/in'

/** Link that somebody is about to get in by. */
interface Entry {
  readonly token: string
  readonly held: Credentials
  readonly link: UserLink
  readonly email: string
}

/** Takes the token out of the address bar, into a cookie. Nothing else is done: programs follow all links of all mails. */
const enter = ({ ctx, service }: AccountRequest): Redirect => ({
  to: ENTER,
  cookies: [setCookie(service, ENTRY, ctx.path.slice(USER_ENTRY_PATH.length))],
})

const askForAnother = html`<p><a href="/sign-in/link">${WORDS.link.again}</a></p><p><a href="${SIGN_IN}">${WORDS.signIn.again}</a></p>`

const usedUp = (): AccountPage => saying(words.usedTitle, words.used, askForAnother, 410)

const invalid = (): AccountPage => saying(words.invalidTitle, words.invalid, askForAnother, 404)

const hasAny = (ctx: AccountRequest['ctx'], service: AccountRequest['service']): boolean =>
  cookieOf(ctx, service, ENTRY, (token) => token) !== undefined

/** Returns the link of a request as long as it can be used; otherwise the page that says why not. */
const entryOf = async ({ ctx, service, at }: AccountRequest): Promise<Entry | AccountPage> => {
  const sent = cookieOf(ctx, service, ENTRY, (token) => {
    const named = service.userLinks.read(token)
    return named && { token, named }
  })
  if (!sent) return hasAny(ctx, service) ? invalid() : saying(noCookie.title, words.noCookie, undefined, 403)
  const { token, named } = sent
  const held = await credentialsOf(service, named.userId)
  const link = held && usableUserLink(held, named.number, at)
  const user = await service.everywhere.get('user', named.userId)
  return held && link && user ? { token, held, link, email: String(user.email) } : usedUp()
}

const formOf = async (
  { service, viewer }: AccountRequest,
  { token, link, email, held }: Entry,
  problem?: string,
): Promise<AccountPage> => {
  const isAnother = viewer !== undefined && viewer.email !== email
  const names = { address: email, other: viewer?.email ?? '' }
  const isReset = link.purpose === 'reset'
  const signInButton = filled(isAnother ? words.buttonInstead : words.button, names)
  return {
    ...(problem !== undefined && { status: 422 }),
    title: isReset ? reset.title : words.title,
    body: html`<p>${filled(isReset ? reset.formText : words.text, names)}</p>
${isAnother && html`<p class="notice">${filled(words.instead, names)}</p>`}
<form method="post" action="${ENTER}"><input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(service, token)}">
${isReset && html`${newPasswordField(problem)}${await disconnectsBox(service, held.id)}`}
<p><button>${isReset ? reset.button : signInButton}</button></p></form>`,
  }
}

/** Whether a link that cannot be used has done what it is for: its user is signed in in this browser. */
const isDone = ({ ctx, service, viewer }: AccountRequest): boolean => {
  if (!viewer) return false
  const userId = cookieOf(ctx, service, ENTRY, (token) => service.userLinks.read(token)?.userId)
  return userId === undefined ? !hasAny(ctx, service) : userId === viewer.userId
}

/** Goes on where a link has signed in already; otherwise says why it cannot be used. */
const without = (request: AccountRequest, why: AccountPage): Answer => (isDone(request) ? { to: HOME } : why)

/** Says whom the link signs in, and who is signed in so far. */
const show = async (request: AccountRequest): Promise<Answer> => {
  const entry = await entryOf(request)
  return 'token' in entry ? formOf(request, entry) : without(request, entry)
}

/** Sets another password. @returns the credentials after it, or the page that says why not */
const setPassword = async (
  request: AccountRequest,
  entry: Entry,
  sent: URLSearchParams,
): Promise<Credentials | AccountPage> => {
  const password = sent.get('password') ?? ''
  const { ctx, service, guards } = request
  const problem = problemOf(password)
  if (problem !== undefined) return formOf(request, entry, problem)
  const digest = await guards.passwords.digestOf(password, countedAs(ctx.ip))
  const { id } = entry.held
  const disconnects = await disconnectedBy(sent, service, id)
  const change = { password: digest, number: entry.link.number, disconnects }
  const result = await carryOut(request, ask(credentials, id, 'resetPassword', change))
  const held = result instanceof Refusal ? undefined : await credentialsOf(service, id)
  return held ?? usedUp()
}

/** Signs the browser in. All links of the user are used up by it. */
const take = async (request: AccountRequest, sent: URLSearchParams): Promise<Answer> => {
  const entry = await entryOf(request)
  if (!('token' in entry)) return without(request, entry)
  const { service } = request
  if (!isFormToken(sent.get(FORM_TOKEN), formTokenOf(service, entry.token))) return expiredPage(WORDS)
  const { number, purpose, to } = entry.link
  if (purpose !== 'reset') return withoutRefusal(await finishSignIn(request, { held: entry.held, number, to }))
  const held = await setPassword(request, entry, sent)
  if ('body' in held) return held
  return withoutRefusal(await finishSignIn(request, { held, number: null, to }))
}

const withoutRefusal = (finished: Redirect | Refusal): Answer => (finished instanceof Refusal ? usedUp() : finished)

/** Pages that links of users lead to. */
export const enterRoutes: readonly Route[] = [
  { path: /^\/in\/[\w-]{1,100}$/, audience: 'everybody', show: enter },
  { path: /^\/in$/, audience: 'everybody', isOnce: true, show, take },
]
