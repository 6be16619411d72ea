import { filled } from '../html/filled.ts'
import { FORM_TOKEN } from '../html/forms.ts'
import { type Html, html } from '../html/html.ts'
import { answerDocument, documentWith } from '../html/page.ts'
import { policyOf } from '../html/style.ts'
import { type AccountPage, type AccountRequest, isOfViewer, type ViewerRequest } from './request.ts'
import { HOME } from './signed-in.ts'
import { WORDS } from './words.ts'

export const SIGN_OUT = '/sign-out'

/** Pages that every page of somebody who is signed in leads to. */
const NAVIGATION = [
  { path: HOME, word: WORDS.home },
  { path: '/account/security', word: WORDS.security },
] as const

/** Returns a form of somebody who is signed in. Its fields and its button are given; the token is added. */
export const form = (
  { viewer: { formToken } }: ViewerRequest,
  action: string,
  fields: Html,
  { isInline = false }: { readonly isInline?: boolean } = {},
): Html =>
  html`<form method="post" action="${action}"${isInline && html` class="inline"`}><input type="hidden" name="${FORM_TOKEN}" value="${formToken}">${fields}</form>`

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

const top = (request: AccountRequest, { within }: AccountPage): Html => {
  const entries = NAVIGATION.map(
    ({ path, word }) => html`<li><a href="${path}"${path === within && html` aria-current="page"`}>${word}</a></li>`,
  )
  const navigation = html`<nav aria-label="${WORDS.menu}"><ul>${entries}</ul></nav>`
  return html`<header><strong>${WORDS.site}</strong>${request.viewer && navigation}</header>`
}

const foot = (request: AccountRequest): Html | undefined =>
  isOfViewer(request)
    ? html`<footer><p class="quiet">${filled(WORDS.signedInAs, { address: request.viewer.email })}</p>${form(request, SIGN_OUT, html`<button class="second">${WORDS.signOut}</button>`)}</footer>`
    : undefined

/** Answers with a page. */
export const answerPage = (request: AccountRequest, page: AccountPage): void => {
  const { ctx } = request
  const { title, body, status = 200, cookies = [], scripts = [], forms = [] } = page
  const document = documentWith({
    ...{ language: 'en', title, site: WORDS.site, skip: WORDS.skip },
    ...{ header: top(request, page), main: html`<h1>${title}</h1>${body}`, footer: foot(request) },
  })
  if (cookies.length > 0) ctx.set('Set-Cookie', [...cookies])
  answerDocument(ctx, status, document, {
    'Content-Security-Policy': policyOf({ frames: [], foreignImages: false, scripts, forms }),
    // Browsers then say where a form comes from.
    'Referrer-Policy': 'same-origin',
    Vary: 'Cookie',
  })
}
