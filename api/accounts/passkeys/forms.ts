import { filled } from '../../html/filled.ts'
import { FORM_TOKEN } from '../../html/forms.ts'
import { type Html, html } from '../../html/html.ts'
import type { ApiContext } from '../../http/context.ts'
import type { AccountRequest, ViewerRequest } from '../request.ts'
import { SECURITY_WORDS } from '../security/words.ts'
import { newChallenge } from './challenge.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { PASSKEY_SCRIPT } from './script.ts'
import { creationOptions, type PasskeyOwner, requestOptions } from './webauthn.ts'

const { passkeys: words } = SECURITY_WORDS

/** Where the form of a passkey that signs in goes. */
export const PASSKEY_SIGN_IN = '/sign-in/passkey'

/** What challenges are made for: signing in, or adding a passkey in one session. */
export const TO_SIGN_IN = 'sign in'
export const toAdd = ({ viewer }: ViewerRequest): string => `add ${viewer.digest}`

/** What a page gets of passkeys. */
export interface PasskeyPart {
  readonly body: Html
  readonly scripts: readonly string[]
}

/** Returns the relying party, as long as the browser is where passkeys work; otherwise what is to be said. */
export const partyHere = (
  { host }: Pick<ApiContext, 'host'>,
  { accountsUrl }: { readonly accountsUrl: string },
): RelyingParty | string => {
  const party = relyingPartyOf(accountsUrl)
  if (typeof party === 'string') return words[party]
  return new URL(accountsUrl).host === host ? party : filled(words.elsewhere, { url: accountsUrl })
}

interface PasskeyForm {
  readonly party: RelyingParty
  readonly kind: 'create' | 'get'
  readonly action: string
  readonly options: object
  readonly hidden: Readonly<Record<string, string | undefined>>
  readonly fields: Html
  /** What was wrong with what was sent before. */
  readonly problem?: string | undefined
}

/** Returns a form that a passkey answers. Without script it is not shown. */
const passkeyForm = ({ party, kind, action, options, hidden, fields, problem }: PasskeyForm): PasskeyPart => {
  const named = Object.entries({ ...hidden, answer: '' }).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return {
    body: html`<form method="post" action="${action}" data-passkey="${kind}" data-options="${JSON.stringify(options)}" data-cancelled="${words.cancelled}" data-known="${words.known}" data-failed="${words.failed}" hidden>
${named}${fields}<p role="alert">${problem}</p></form>
<script type="module" src="${PASSKEY_SCRIPT}"></script>`,
    scripts: [`${party.origin}${PASSKEY_SCRIPT}`],
  }
}

/** Returns the form by which somebody signs in with a passkey; nothing where there are none. */
export const signInForm = (
  { ctx, service }: AccountRequest,
  { to, problem }: { readonly to: string | undefined; readonly problem: string | undefined },
): PasskeyPart | undefined => {
  const party = partyHere(ctx, service)
  if (typeof party === 'string') return undefined
  const options = requestOptions(party, newChallenge(service, TO_SIGN_IN))
  const fields = html`<p><button class="second">${words.signIn}</button></p>`
  return passkeyForm({ party, kind: 'get', action: PASSKEY_SIGN_IN, options, hidden: { to }, fields, problem })
}

interface NewPasskeyForm {
  readonly action: string
  readonly owner: PasskeyOwner
  readonly party: RelyingParty
  readonly fields: Html
}

/** Returns the form by which somebody adds a passkey. */
export const creationForm = async (
  request: ViewerRequest,
  { action, owner, party, fields }: NewPasskeyForm,
): Promise<PasskeyPart> => {
  const { service, viewer } = request
  const options = await creationOptions(party, owner, newChallenge(service, toAdd(request)))
  const form = passkeyForm({
    ...{ party, kind: 'create', action, options, hidden: { [FORM_TOKEN]: viewer.formToken }, fields },
  })
  return { ...form, body: html`${form.body}<p class="quiet" data-without-passkeys>${words.missing}</p>` }
}
