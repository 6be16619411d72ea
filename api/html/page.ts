import { Readable } from 'node:stream'
import type { RefusalKind } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from '../http/context.ts'
import { locationWithin } from '../http/location.ts'
import { inTurns } from '../http/send-text.ts'
import { encodedPieces } from '../http/spelled.ts'
import { Html, html } from './html.ts'
import { STYLE } from './style.ts'

/** Page that is shown. */
export interface Page {
  readonly status?: number
  readonly title: string
  readonly body: Html
}

/** Where the browser goes next. */
export interface Redirect {
  readonly to: string
  readonly cookies?: readonly string[]
}

/** What stands around the body of a page. */
export interface Shell {
  readonly language: string
  readonly title: string
  /** Name of the site, behind the title. */
  readonly site: string
  /** Words of the link that leads past the navigation. */
  readonly skip: string
  readonly header: Html
  readonly main: Html
  readonly footer?: Html | undefined
}

/** Style as it stands in pages: CSS knows no entities. */
const styleSheet = new Html(STYLE)

/** Returns a whole document with the style of all pages. */
export const documentWith = ({ language, title, site, skip, header, main, footer }: Shell): Html =>
  html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} – ${site}</title><style>${styleSheet}</style></head>
<body><a class="skip" href="#content">${skip}</a>${header}<main id="content" tabindex="-1">${main}</main>${footer}</body></html>`

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Policies of the headers of a page. */
export interface PageHeaders {
  readonly 'Content-Security-Policy': string
  readonly 'Referrer-Policy': 'no-referrer' | 'same-origin'
  readonly Vary: string
}

/** Code units from which on a document is encoded and sent piece by piece, between which others get their turn. */
const LONG = 1024 * 1024

/** Answers with a document that stays in no cache. */
export const answerDocument = (ctx: ApiContext, status: number, document: Html, headers: PageHeaders): void => {
  ctx.status = status
  ctx.set({ ...HEADERS, ...headers })
  const { text } = document
  ctx.body = text.length < LONG ? text : Readable.from(inTurns(encodedPieces(text)))
}

/** Sends the browser on. What it sent is not sent again when the next page is loaded once more. */
export const answerRedirect = (ctx: ApiContext, { to, cookies = [] }: Redirect): void => {
  ctx.status = 303
  ctx.set({ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer', Location: locationWithin(to) })
  if (cookies.length > 0) ctx.set('Set-Cookie', [...cookies])
  ctx.body = ''
}

/** Returns a page that says one thing. */
export const saying = (title: string, text: string, more?: Html, status?: number): Page => ({
  ...(status !== undefined && { status }),
  title,
  body: html`<p>${text}</p>${more}`,
})

const STATUSES: Partial<Record<RefusalKind, number>> = { malformed: 400, tooLarge: 413, unsupported: 415 }

/** Returns the status of a page that says that a form was refused. */
export const statusOfRefused = (kind: RefusalKind): number => STATUSES[kind] ?? 409
