import { FORM_TOKEN } from '../html/forms.ts'
import { type Html, html } from '../html/html.ts'
import { answerDocument, documentWith, type PageHeaders } from '../html/page.ts'
import { policyOf } from '../html/style.ts'
import type { ApiContext } from '../http/context.ts'
import type { ShownPage } from './route.ts'

/** Returns a form of somebody who is signed in. Its fields and its button are given; the token is added. */
export const form = (
  { formToken }: { readonly formToken: string },
  action: string,
  fields: Html,
  { isInline = false }: { readonly isInline?: boolean } = {},
): Html =>
  html`<form method="post" action="${action}"${isInline && html` class="inline"`}><input type="hidden" name="${FORM_TOKEN}" value="${formToken}">${fields}</form>`

/** What stands around a page for somebody who is signed in. */
interface Session {
  readonly formToken: string
  /** Pages that every page leads to. */
  readonly navigation: readonly { readonly path: string; readonly word: string }[]
  /** Name of the navigation. */
  readonly menu: string
  /** Says who is signed in. */
  readonly signedInAs: string
  readonly signOut: { readonly path: string; readonly word: string }
}

/** What stands around all pages of an app, and the policies of their headers. */
export interface Frame {
  readonly language: string
  readonly site: string
  /** Words of the link that leads past the navigation. */
  readonly skip: string
  readonly session?: Session | undefined
  /** Stands before the title. */
  readonly notice?: Html | undefined
  readonly foreignImages?: boolean
  readonly referrer: PageHeaders['Referrer-Policy']
  readonly vary: string
}

const top = ({ site, session }: Frame, within: string | undefined): Html => {
  const entries = session?.navigation.map(
    ({ path, word }) => html`<li><a href="${path}"${path === within && html` aria-current="page"`}>${word}</a></li>`,
  )
  const navigation = session && html`<nav aria-label="${session.menu}"><ul>${entries}</ul></nav>`
  return html`<header><strong>${site}</strong>${navigation}</header>`
}

const foot = ({ signedInAs, signOut: { path, word }, ...session }: Session): Html =>
  html`<footer><p class="quiet">${signedInAs}</p>${form(session, path, html`<button class="second">${word}</button>`)}</footer>`

/** Answers with a page in its frame. */
export const answerFramed = (ctx: ApiContext, page: ShownPage, frame: Frame): void => {
  const { title, body, status = 200, within, cookies = [], frames = [], media, scripts, forms } = page
  const { language, site, skip, session, notice, foreignImages = false } = frame
  const document = documentWith({
    ...{ language, title, site, skip, header: top(frame, within), footer: session && foot(session) },
    main: html`${notice}<h1>${title}</h1>${body}`,
  })
  if (cookies.length > 0) ctx.set('Set-Cookie', [...cookies])
  answerDocument(ctx, status, document, {
    'Content-Security-Policy': policyOf({
      ...{ frames, foreignImages },
      ...(media && { media }),
      ...(scripts && { scripts }),
      ...(forms && { forms }),
    }),
    'Referrer-Policy': frame.referrer,
    Vary: frame.vary,
  })
}
