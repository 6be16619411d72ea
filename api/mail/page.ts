import { createHash } from 'node:crypto'
import { Html, html } from '../html/html.ts'
import type { ApiContext } from '../http/context.ts'
import type { Language } from './words.ts'

/** Something that a page can be used for. */
export type Control =
  | { readonly type: 'button'; readonly text: string; readonly value: string }
  | {
      readonly type: 'choice'
      readonly name: string
      readonly text: string
      readonly about?: string
      readonly isChosen: boolean
    }
  | { readonly type: 'link'; readonly text: string; readonly url: string }
  | { readonly type: 'heading'; readonly text: string }
  /** Value that comes back with the form. */
  | { readonly type: 'value'; readonly name: string; readonly value: string }

/** A page that a link of a mail leads to. What changes something is a form that is sent to the page itself. */
export interface MailPage {
  readonly language: Language
  readonly title: string
  readonly sentences: readonly string[]
  readonly controls?: readonly Control[]
}

const STYLE =
  'body{color:#1a1a1a;font:16px/1.5 system-ui,sans-serif;margin:0;padding:24px}main{margin:0 auto;max-width:32rem}h1{font-size:1.5rem}h2{font-size:1.125rem}small{color:#595959}' +
  'button{background:#1a1a1a;border:0;border-radius:6px;color:#fff;font:inherit;padding:12px 24px}label{display:block;margin:12px 0}' +
  'button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid #0b63ce;outline-offset:2px}'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

const controlOf = (control: Control): Html => {
  if (control.type === 'link') return html`<p><a href="${control.url}">${control.text}</a></p>`
  if (control.type === 'button')
    return html`<p><button name="act" value="${control.value}">${control.text}</button></p>`
  if (control.type === 'heading') return html`<h2>${control.text}</h2>`
  if (control.type === 'value') return html`<input type="hidden" name="${control.name}" value="${control.value}">`
  const { name, text, about, isChosen } = control
  return html`<label><input type="checkbox" name="${name}" value="1"${isChosen && html` checked`}> ${text}${about && html`<br><small>${about}</small>`}</label>`
}

const documentOf = ({ language, title, sentences, controls = [] }: MailPage): Html => {
  const links = controls.filter(({ type }) => type === 'link')
  const inputs = controls.filter(({ type }) => type !== 'link')
  const form = inputs.length > 0 && html`<form method="post">${inputs.map(controlOf)}</form>`
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${new Html(STYLE)}</style></head><body><main><h1>${title}</h1>${sentences.map((text) => html`<p>${text}</p>`)}${form}${links.map(controlOf)}</main></body></html>`
}

/** Answers a page. It has no script, stays in no cache, and names itself to no other page. */
export const answerMailPage = (ctx: ApiContext, status: number, page: MailPage): void => {
  ctx.status = status
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': POLICY,
    Vary: 'Accept-Language',
  })
  ctx.body = documentOf(page).text
}
