import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import { filled } from '../html/filled.ts'
import { FORM_TOKEN } from '../html/forms.ts'
import { type Html, html } from '../html/html.ts'
import { answerDocument, documentWith } from '../html/page.ts'
import { policyOf } from '../html/style.ts'
import { masked } from '../mail/words.ts'
import type { MemberPage, MemberRequest, SignedInRequest } from './request.ts'

/** Start page of those who are signed in. */
export const HOME = '/members'
export const SIGN_IN = '/members/sign-in'
export const SIGN_OUT = '/members/sign-out'

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
  return documentWith({
    ...{ language, title, site: business, skip: words.skip, header: top(request, page), footer: foot(request) },
    main: html`${byLink(request)}<h1>${title}</h1>${body}`,
  })
}

/** Answers with a page. */
export const answerPage = (request: MemberRequest, page: MemberPage): void => {
  const { ctx, service } = request
  answerDocument(ctx, page.status ?? 200, documentOf(request, page), {
    'Content-Security-Policy': policyOf({
      frames: page.frames ?? [],
      media: page.media ?? [],
      foreignImages: service.thirdParty.has('images'),
    }),
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept-Language, Cookie',
  })
}
