import { filled } from '../html/filled.ts'
import { type Html, html } from '../html/html.ts'
import { answerFramed } from '../page-app/frame.ts'
import type { AccountPage, AccountRequest } from './request.ts'
import { HOME } from './signed-in.ts'
import { WORDS } from './words.ts'

export const SIGN_OUT = '/sign-out'

/** Pages that every page of somebody who is signed in leads to. */
const NAVIGATION = [
  { path: HOME, word: WORDS.home },
  { path: '/account/security', word: WORDS.security },
] as const

/** Field of a form. */
interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: string
  /** Keyboard that phones show. */
  readonly inputmode?: 'numeric'
  readonly value?: string
  /** What is wrong with what was sent. */
  readonly problem?: string | undefined
  readonly isOptional?: true
  /** What may be put in. */
  readonly hint?: string
}

/** Returns a field with its label, and with what is wrong with it. */
export const field = ({
  name,
  label,
  type,
  autocomplete,
  inputmode,
  value,
  problem,
  isOptional,
  hint,
}: Field): Html => {
  const about = [problem !== undefined && `${name}-problem`, hint !== undefined && `${name}-hint`].filter(Boolean)
  return html`<label for="${name}">${label}</label>
${problem !== undefined && html`<p id="${name}-problem" class="notice">${problem}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${inputmode && html` inputmode="${inputmode}"`}${!isOptional && html` required`}${value !== undefined && html` value="${value}"`}${problem !== undefined && html` aria-invalid="true"`}${about.length > 0 && html` aria-describedby="${about.join(' ')}"`}>
${hint !== undefined && html`<p id="${name}-hint" class="quiet">${hint}</p>`}`
}

/** Answers with a page. */
export const answerPage = (request: AccountRequest, page: AccountPage): void => {
  const { viewer = request.viewer } = page
  answerFramed(request.ctx, page, {
    ...{ language: 'en', site: WORDS.site, skip: WORDS.skip },
    session: viewer && {
      ...{ formToken: viewer.formToken, navigation: NAVIGATION, menu: WORDS.menu },
      signedInAs: filled(WORDS.signedInAs, { address: viewer.email }),
      signOut: { path: SIGN_OUT, word: WORDS.signOut },
    },
    // Browsers then say where a form comes from.
    referrer: 'same-origin',
    vary: 'Cookie',
  })
}
