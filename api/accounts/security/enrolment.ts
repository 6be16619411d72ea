import { createHash } from 'node:crypto'
import { type Credentials, credentials } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { html } from '../../html/html.ts'
import { saying } from '../../html/page.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import { SESSION, setCookie } from '../cookies.ts'
import { type AccountPage, type Answer, forUsers, type Route, type ViewerRequest } from '../request.ts'
import { enrolmentOf, stepOf, typedCode } from '../second-factor/code.ts'
import { newRecoveryCodes, recoveryDigest } from '../second-factor/recovery-codes.ts'
import { field } from '../shell.ts'
import { credentialsOf, formTokenOf, newSession } from '../signed-in.ts'
import { WORDS } from '../words.ts'
import { backToSecurity, SECURITY } from './paths.ts'
import { shownRecoveryCodes } from './recovery-codes-page.ts'
import { SECURITY_WORDS } from './words.ts'

const { codes: words } = SECURITY_WORDS

/** Page on which codes are turned on. */
export const TURN_ON = `${SECURITY}/codes`

/** Returns the nonce of the app that is about to be enrolled: the same however often its page is loaded, and another one in each session and each time. */
const nonceOf = ({ digest }: ViewerRequest['viewer'], { code_app_count }: Credentials): string =>
  createHash('sha256').update(`${digest} ${code_app_count}`).digest('base64url')

const page = (request: ViewerRequest, held: Credentials, problem?: string): AccountPage => {
  const { service, viewer } = request
  const issuer = `${WORDS.site} (${new URL(service.accountsUrl).host})`
  const { uri, typed, qrCode } = enrolmentOf(service.secrets, {
    ...{ nonce: nonceOf(viewer, held), issuer, label: viewer.email },
  })
  const code = field({
    ...{ name: 'code', label: SECURITY_WORDS.code, type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code' },
    ...{ hint: SECURITY_WORDS.codeHint, problem },
  })
  return {
    ...(problem !== undefined && { status: 422 }),
    ...{ title: words.setUpTitle, within: SECURITY },
    body: html`<p>${words.setUp}</p><div class="qr-code" role="img" aria-label="${words.picture}">${qrCode}</div>
<dl><dt>${words.key}</dt><dd><code>${typed}</code></dd></dl><p><a href="${uri}">${words.open}</a></p>
<p class="notice">${words.ends}</p>${form(request, TURN_ON, html`${code}<p><button>${words.confirm}</button></p>`)}${backToSecurity}`,
  }
}

const alreadyOn = (): AccountPage => saying(words.title, words.alreadyOn, backToSecurity, 409)

const show = async (request: ViewerRequest): Promise<Answer> => {
  const held = await credentialsOf(request.service, request.viewer.userId)
  return held?.code_app ? alreadyOn() : held && page(request, held)
}

/** Turns codes on, once the first of the app is right. A page that was left open changes nothing of an app that works. */
const take = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  const { service, viewer } = request
  const held = await credentialsOf(service, viewer.userId)
  if (!held || held.code_app) return held && alreadyOn()
  const nonce = nonceOf(viewer, held)
  const code = typedCode(sent.get('code'))
  const step = code === undefined ? undefined : stepOf(service.secrets, { nonce, code, at: service.now() })
  if (step === undefined) return page(request, held, SECURITY_WORDS.wrongCode)
  const codes = newRecoveryCodes()
  const recovery_codes = codes.map((one) => recoveryDigest(service.secrets, held.id, one))
  const { cookie, digest } = newSession(viewer.userId)
  const wanted = { nonce, step, recovery_codes, former_digest: viewer.digest, digest }
  const result = await carryOut(request, ask(credentials, held.id, 'enrollCodeApp', wanted))
  if (result instanceof Refusal) return alreadyOn()
  const formToken = formTokenOf(service, cookie.slice(cookie.indexOf('.') + 1))
  const session = { ...viewer, digest, formToken, isSecondFactorDone: true }
  return shownRecoveryCodes(codes, { viewer: session, cookies: [setCookie(service, SESSION, cookie)] })
}

/** Page on which a user turns codes on. */
export const enrolmentRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${TURN_ON}$`), { isOnce: true, isFreshPage: true, show, take }),
]
