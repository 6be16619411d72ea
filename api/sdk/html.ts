import { escapeHtml } from '../../domain/kernel/values/html.ts'
import type { ApiContext } from '../http/context.ts'

/** A page of the SDK's host that a browser passes through. It has no script, no style and no storage. */
export interface Between {
  readonly title: string
  readonly sentences: readonly string[]
  readonly links?: readonly { readonly text: string; readonly url: string }[]
  /** Address to which the browser goes at once. */
  readonly refresh?: string
}

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const documentOf = ({ title, sentences, links = [] }: Between): string => {
  const paragraphs = [
    ...sentences.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...links.map(({ text, url }) => `<p><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(text)}</a></p>`),
  ]
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title></head><body><main><h1>${escapeHtml(title)}</h1>${paragraphs.join('')}</main></body></html>`,
  ].join('')
}

/** Returns a text as a header can have it. */
const inHeader = (url: string): string => encodeURI(url).replaceAll('%25', '%')

/** Answers a page. */
export const answerPage = (ctx: ApiContext, status: number, page: Between): void => {
  ctx.status = status
  ctx.set('Content-Type', 'text/html; charset=utf-8')
  ctx.set('Cache-Control', 'no-store')
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('Content-Security-Policy', POLICY)
  if (page.refresh !== undefined) ctx.set('Refresh', `0; url=${inHeader(page.refresh)}`)
  ctx.body = documentOf(page)
}
