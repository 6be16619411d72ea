import { convert } from 'html-to-text'
import { escapeHtml } from '../liquid/html-text.ts'
import { linksIn } from './links-in-html.ts'

const BODY_BEGINS = /<body\b[^>]*>/i
const BODY_ENDS = /<\/body\s*>(?![\s\S]*<\/body\s*>)/i

const atBegin = (html: string, part: string): string =>
  BODY_BEGINS.test(html) ? html.replace(BODY_BEGINS, (tag) => tag + part) : part + html

const atEnd = (html: string, part: string): string =>
  BODY_ENDS.test(html) ? html.replace(BODY_ENDS, (tag) => part + tag) : html + part

const HIDDEN = 'display:none;max-height:0;overflow:hidden'

/** Puts a preheadline before everything else: mailboxes list it behind the subject. */
export const withPreheadline = (html: string, preheadline: string): string =>
  preheadline === '' ? html : atBegin(html, `<div style="${HIDDEN}">${escapeHtml(preheadline)}</div>`)

/** Puts an image at the end whose request says that the mail was opened. */
export const withPixel = (html: string, url: string): string =>
  atEnd(html, `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:block">`)

/** What marketing mail ends with. */
export interface Footer {
  readonly postalAddress: string
  readonly unsubscribeUrl: string
}

/** Adds the postal address, and the link to unsubscribe unless the rendered HTML has it. */
export const withFooter = (html: string, { postalAddress, unsubscribeUrl }: Footer): string => {
  const isLinked = linksIn(html).some(({ href }) => href.trim() === unsubscribeUrl)
  const lines = [...postalAddress.split(/\r?\n/).filter((line) => line.trim() !== '')].map(escapeHtml)
  if (!isLinked) lines.push(`<a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a>`)
  return lines.length === 0 ? html : atEnd(html, `<p style="font-size:12px;color:#666">${lines.join('<br>')}</p>`)
}

/** Adds to a text what marketing mail ends with, unless it is there. */
export const withTextFooter = (text: string, { postalAddress, unsubscribeUrl }: Footer): string => {
  const missing = [
    ...(postalAddress === '' || text.includes(postalAddress) ? [] : [postalAddress]),
    ...(text.includes(unsubscribeUrl) ? [] : [`Unsubscribe: ${unsubscribeUrl}`]),
  ]
  return missing.length === 0 ? text : `${text.trimEnd()}\n\n-- \n${missing.join('\n')}\n`
}

/** Returns the text part of HTML. It keeps the destination of every link. */
export const textOf = (html: string): string =>
  convert(html, {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  })
