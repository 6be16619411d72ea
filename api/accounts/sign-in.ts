import { credentials, userByAddress } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { filled } from '../html/filled.ts'
import { html } from '../html/html.ts'
import { saying } from '../html/page.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { leadingTo } from '../page-app/leading-on.ts'
import { carryOut } from './carry-out.ts'
import { SESSION, setCookie } from './cookies.ts'
import { finishSignIn, SIGNED_IN } from './finish.ts'
import { knownAs } from './known-browser.ts'
import { signInForm } from './passkeys/forms.ts'
import { isTooLong, MOST_BYTES } from './passwords.ts'
import { isFresh, SIGN_IN_AGAIN } from './proof.ts'
import {
  type AccountPage,
  type AccountRequest,
  type Answer,
  forUsers,
  type Route,
  type ViewerRequest,
} from './request.ts'
import { field, SIGN_OUT } from './shell.ts'
import { credentialsOf, HOME, SIGN_IN } from './signed-in.ts'
import { typedAddress } from './typed-address.ts'
import { wishedOf, wishedPath } from './wished.ts'
import { WORDS } from './words.ts'

const { signIn, noCookie, signedOut } = WORDS

const SIGNED_OUT = '/signed-out'

interface Asked {
  readonly to: string | undefined
  /** Says why somebody signs in who is signed in. */
  readonly notice?: string
  readonly address?: string
  readonly problem?: { readonly of: 'address' | 'password' | 'passkey'; readonly says: string }
}

/** Returns the page on which people sign in. */
export const signInPage = (request: AccountRequest, { to, address = '', notice, problem }: Asked): AccountPage => {
  const passkey = signInForm(request, { to, problem: problem?.of === 'passkey' ? problem.says : undefined })
  return {
    ...(problem && { status: 422 }),
    title: signIn.title,
    scripts: passkey?.scripts ?? [],
    body: html`${notice !== undefined && html`<p class="notice">${notice}</p>`}<form method="post" action="${SIGN_IN}">${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
${field({ name: 'address', label: WORDS.address, type: 'email', autocomplete: 'username', value: address, problem: problem?.of === 'address' ? problem.says : undefined })}
${field({ name: 'password', label: WORDS.password, type: 'password', autocomplete: 'current-password', problem: problem?.of === 'password' ? problem.says : undefined })}
<p><button>${signIn.button}</button></p></form>
${passkey?.body}
<ul class="plain"><li><a href="${leadingTo('/sign-in/link', to)}">${signIn.byLink}</a></li>
<li><a href="${leadingTo('/sign-in/reset', to)}">${signIn.forgot}</a></li></ul>`,
  }
}

const show = (request: AccountRequest): Answer => {
  const to = wishedOf(request)
  return request.viewer ? { to: to ?? HOME } : signInPage(request, { to })
}

/** Asks somebody to sign in again who did so too long ago for what is to be changed. */
const showAgain = (request: ViewerRequest): Answer => {
  const { viewer, at } = request
  const to = wishedOf(request) ?? HOME
  return isFresh(viewer, at) ? { to } : signInPage(request, { to, address: viewer.email, notice: WORDS.again })
}

/** Signs in by address and password. Whether there is an account changes neither the answer nor the work. */
const take = async (request: AccountRequest, sent: URLSearchParams): Promise<Answer> => {
  const { ctx, service, guards } = request
  const to = wishedPath(sent.get('to'))
  const { address, isUsable } = typedAddress(sent, 'address')
  const password = sent.get('password') ?? ''
  if (!isUsable) return signInPage(request, { to, address, problem: { of: 'address', says: WORDS.isNoAddress } })
  if (isTooLong(password))
    return signInPage(request, {
      to,
      address,
      problem: { of: 'password', says: filled(WORDS.tooLong, { most: MOST_BYTES }) },
    })
  const user = await userByAddress(address, service.everywhere)
  const source = countedAs(ctx.ip)
  const known = knownAs(ctx, service, user?.id)
  const succeed = await guards.slowing.begin({ source, account: mailboxOf(address), known })
  const held = user && (await credentialsOf(service, user.id))
  const isRight = await guards.passwords.isRight(password, held?.password, source)
  const wrong = signInPage(request, { to, address, problem: { of: 'address', says: signIn.wrong } })
  if (!held || !isRight) return wrong
  const finished = await finishSignIn(request, { held, number: null, to: to ?? null })
  if (finished instanceof Refusal) return wrong
  succeed()
  return finished
}

/** Goes on, if the browser has kept the cookie. */
const showDone = (request: AccountRequest): Answer => {
  const { viewer, ctx, service } = request
  if (viewer) return { to: wishedOf(request) ?? HOME }
  const isElsewhere = new URL(service.accountsUrl).host !== ctx.host
  const url = service.accountsUrl
  const elsewhere = isElsewhere ? html`<p>${filled(noCookie.elsewhere, { url })}</p>` : undefined
  const again = html`${elsewhere}<p><a href="${isElsewhere ? url : ''}${SIGN_IN}">${signIn.again}</a></p>`
  return saying(noCookie.title, noCookie.text, again, 403)
}

const signOut = async ({ viewer, ...request }: ViewerRequest): Promise<Answer> => {
  const refused = await carryOut(request, ask(credentials, viewer.credentialsId, 'signOut', { digest: viewer.digest }))
  if (refused instanceof Refusal) throw refused
  return { to: SIGNED_OUT, cookies: [setCookie(request.service, SESSION, '')] }
}

const showSignedOut = (): Answer =>
  saying(signedOut.title, signedOut.text, html`<p><a href="${SIGN_IN}">${signIn.title}</a></p>`)

/** Pages on which people sign in by a password, and out. */
export const signInRoutes: readonly Route[] = [
  { path: /^\/sign-in$/, audience: 'everybody', show, take },
  { path: new RegExp(`^${SIGNED_IN}$`), audience: 'everybody', show: showDone },
  forUsers(new RegExp(`^${SIGN_IN_AGAIN}$`), { show: showAgain }),
  forUsers(new RegExp(`^${SIGN_OUT}$`), { proof: 'session', show: () => ({ to: HOME }), take: signOut }),
  { path: new RegExp(`^${SIGNED_OUT}$`), audience: 'everybody', show: showSignedOut },
]
