import { type Credentials, credentials, type Factor } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import { type AccountPage, type Answer, forUsers, type Route, type ViewerRequest } from '../request.ts'
import { newRecoveryCodes, recoveryDigest } from '../second-factor/recovery-codes.ts'
import { tryFactor } from '../second-factor/try-factor.ts'
import { field } from '../shell.ts'
import { credentialsOf } from '../signed-in.ts'
import { TURN_ON } from './enrolment.ts'
import { backToSecurity, SECURITY, shownTime } from './paths.ts'
import { shownRecoveryCodes } from './recovery-codes-page.ts'
import { SECURITY_WORDS } from './words.ts'

const { codes: words } = SECURITY_WORDS

/** What a user with codes may have done, each by one of them. */
interface CodeForm {
  readonly path: string
  readonly title: string
  readonly text: string
  readonly button: string
}

const NEW_CODES: CodeForm = {
  ...{ path: `${SECURITY}/codes/recovery`, title: words.newCodesTitle, text: words.newCodesText },
  button: words.newCodesButton,
}

const TURN_OFF: CodeForm = {
  ...{ path: `${SECURITY}/codes/off`, title: words.turnOffTitle, text: words.turnOffText, button: words.turnOff },
}

/** Returns the part of the security page about codes of an app. */
export const codesSection = ({ code_app, recovery_codes }: Credentials): Html => {
  const heading = html`<h2>${words.title}</h2>`
  if (!code_app) return html`${heading}<p>${words.off}</p><p><a href="${TURN_ON}">${words.turnOn}</a></p>`
  const links = [NEW_CODES, TURN_OFF].map(({ path, button }) => html`<li><a href="${path}">${button}</a></li>`)
  return html`${heading}<p>${filled(words.on, { since: shownTime(code_app.since) })} ${filled(words.left, { count: recovery_codes.length })}</p>
<ul class="plain">${links}</ul>`
}

const page = (request: ViewerRequest, { path, title, text, button }: CodeForm, problem?: string): AccountPage => {
  const code = field({
    name: 'code',
    label: SECURITY_WORDS.anyCode,
    type: 'text',
    autocomplete: 'one-time-code',
    problem,
  })
  return {
    ...(problem !== undefined && { status: 422 }),
    ...{ title, within: SECURITY },
    body: html`<p>${text}</p>${form(request, path, html`${code}<p><button>${button}</button></p>`)}${backToSecurity}`,
  }
}

const heldWithCodes = async ({ service, viewer }: ViewerRequest): Promise<Credentials | undefined> => {
  const held = await credentialsOf(service, viewer.userId)
  return held?.code_app ? held : undefined
}

const showing =
  (of: CodeForm) =>
  async (request: ViewerRequest): Promise<Answer> =>
    (await heldWithCodes(request)) ? page(request, of) : { to: SECURITY }

/** Has something done by a code that is right, and used up by it. */
const taking =
  (of: CodeForm, act: (request: ViewerRequest, held: Credentials, factor: Factor) => Promise<Answer | Refusal>) =>
  async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
    const held = await heldWithCodes(request)
    if (!held) return { to: SECURITY }
    const { factor, succeed } = await tryFactor(request, held, { kind: 'either', text: sent.get('code') })
    if (!factor) return page(request, of, SECURITY_WORDS.wrongCode)
    const answer = await act(request, held, factor)
    if (answer instanceof Refusal)
      return page(
        request,
        of,
        factor.by === 'code' ? SECURITY_WORDS.spentCode : SECURITY_WORDS.secondStep.wrongRecovery,
      )
    succeed()
    return answer
  }

const turnOff = async (request: ViewerRequest, held: Credentials, factor: Factor): Promise<Answer | Refusal> => {
  const result = await carryOut(request, ask(credentials, held.id, 'removeCodeApp', { factor }))
  return result instanceof Refusal ? result : { to: SECURITY }
}

const replaceRecoveryCodes = async (
  request: ViewerRequest,
  held: Credentials,
  factor: Factor,
): Promise<Answer | Refusal> => {
  const codes = newRecoveryCodes()
  const recovery_codes = codes.map((one) => recoveryDigest(request.service.secrets, held.id, one))
  const result = await carryOut(request, ask(credentials, held.id, 'replaceRecoveryCodes', { factor, recovery_codes }))
  return result instanceof Refusal ? result : shownRecoveryCodes(codes)
}

/** Pages of a user from whom codes are asked. */
export const codeRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${NEW_CODES.path}$`), {
    isOnce: true,
    isFreshPage: true,
    show: showing(NEW_CODES),
    take: taking(NEW_CODES, replaceRecoveryCodes),
  }),
  forUsers(new RegExp(`^${TURN_OFF.path}$`), {
    isOnce: true,
    isFreshPage: true,
    show: showing(TURN_OFF),
    take: taking(TURN_OFF, turnOff),
  }),
]
