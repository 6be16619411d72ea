import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import { masked } from '../mail/words.ts'
import { Html, html } from './html.ts'
import type { MemberPage, MemberRequest, SignedInRequest } from './request.ts'
import { policyOf, STYLE } from './style.ts'
import { filled } from './words/words.ts'

/** Start page of those who are signed in. */
export const HOME = '/members'
export const SIGN_IN = '/members/sign-in'
export const SIGN_OUT = '/members/sign-out'

/** Style as it stands in pages: CSS knows no entities. */
const styleSheet = new Html(STYLE)

/** Field of forms with the token of the session. */
export const FORM_TOKEN = 'form_token'

/** Pages that every page of somebody who is signed in leads to. */
const NAVIGATION = [
  { path: HOME, word: 'home' },
  { path: '/members/courses', word: 'courses' },
  { path: '/members/communities', word: 'communities' },
  { path: '/members/orders', word: 'orders' },
  { path: '/members/mail', word: 'mail' },
] as const

/** Returns the address of the sign-in page that leads on to a path. */
export const signInFor = (path: string): string =>
  path === HOME ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ to: path })}`

/** Returns a form of somebody who is signed in. Its fields and its button are given; the token is added. */
export const form = (
  { viewer: { session } }: SignedInRequest,
  action: string,
  fields: Html,
  { isInline = false }: { readonly isInline?: boolean } = {},
): Html =>
  html`<form method="post" action="${action}"${isInline && html` class="inline"`}><input type="hidden" name="${FORM_TOKEN}" value="${session.formToken}">${fields}</form>`

/** Shows a time in the language of the reader and the zone of the workspace. */
export const shownTime = ({ language, workspace }: MemberRequest, at: string): string =>
  new Intl.DateTimeFormat(language, {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: zoneOfWorkspace(workspace) },
  }).format(new Date(at))

const navigation = (request: MemberRequest, { within }: MemberPage): Html => {
  const { words } = request
  const entries = NAVIGATION.map(
    ({ path, word }) =>
      html`<li><a href="${path}"${path === within && html` aria-current="page"`}>${words[word]}</a></li>`,
  )
  return html`<nav aria-label="${words.menu}"><ul>${entries}</ul></nav>`
}

const top = (request: MemberRequest, page: MemberPage): Html =>
  html`<header><strong>${request.business}</strong>${request.viewer?.session && navigation(request, page)}</header>`

const foot = (request: MemberRequest): Html | undefined => {
  const { viewer, words } = request
  if (!viewer?.session) return undefined
  const signedIn = { ...request, viewer: { contact: viewer.contact, session: viewer.session } }
  const address = masked(viewer.contact.email_address ?? '')
  const button = html`<button class="second">${words.signOut}</button>`
  return html`<footer><p class="quiet">${filled(words.signedInAs, { address })}</p>${form(signedIn, SIGN_OUT, button)}</footer>`
}

/** Says to whom a link of a mail shows a page. */
const byLink = ({ viewer, words, ctx }: MemberRequest): Html | undefined => {
  if (!viewer || viewer.session) return undefined
  const text = filled(words.byLink, { address: masked(viewer.contact.email_address ?? '') })
  return html`<p class="notice">${text} <a href="${signInFor(ctx.path)}">${words.signIn.title}</a></p>`
}

const documentOf = (request: MemberRequest, page: MemberPage): Html => {
  const { language, words, business } = request
  const { title, body } = page
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} – ${business}</title><style>${styleSheet}</style></head>
<body><a class="skip" href="#content">${words.skip}</a>${top(request, page)}<main id="content" tabindex="-1">${byLink(request)}<h1>${title}</h1>${body}</main>${foot(request)}</body></html>`
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept-Language, Cookie',
}

/** Answers with a page. */
export const answerPage = (request: MemberRequest, page: MemberPage): void => {
  const { ctx, service } = request
  const policy = policyOf({ frames: page.frames ?? [], foreignImages: service.thirdParty.has('images') })
  ctx.status = page.status ?? 200
  ctx.set({ ...HEADERS, 'Content-Security-Policy': policy })
  ctx.body = documentOf(request, page).text
}

/** Sends the browser on. What it sent is not sent again when the next page is loaded once more. */
export const answerRedirect = (
  { ctx }: Pick<MemberRequest, 'ctx'>,
  to: string,
  cookies: readonly string[] = [],
): void => {
  ctx.status = 303
  ctx.set({ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer', Location: to })
  if (cookies.length > 0) ctx.set('Set-Cookie', [...cookies])
  ctx.body = ''
}

/** Returns a page that says one thing. */
export const saying = (title: string, text: string, more?: Html, status?: number): MemberPage => ({
  ...(status !== undefined && { status }),
  title,
  body: html`<p>${text}</p>${more}`,
})
