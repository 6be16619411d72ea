import type { Locale, OwedKind, OwedText, TableWords } from './kinds.ts'
import { TABLE_EN, TEXTS_EN } from './texts-en.ts'
import { TABLE_JA, TEXTS_JA } from './texts-ja.ts'
import { TABLE_PT, TEXTS_PT } from './texts-pt.ts'

const TEXTS: Readonly<Record<Locale, Readonly<Record<OwedKind, OwedText>>>> = {
  en: TEXTS_EN,
  ja: TEXTS_JA,
  pt: TEXTS_PT,
}
/** Words of the table of what was ordered. */
export const TABLES: Readonly<Record<Locale, TableWords>> = { en: TABLE_EN, ja: TABLE_JA, pt: TABLE_PT }

/** A mail as a template has it: Liquid in all its parts. */
export interface OwedTemplate {
  readonly subject: string
  readonly preheadline: string
  readonly html_body: string
}

const FONT = "font-family:Helvetica,Arial,'Hiragino Sans',sans-serif"
const CELL = 'padding:8px 0;border-bottom:1px solid #e5e5e5'

const orderTable = ({ item, quantity, amount, total }: TableWords): string =>
  [
    '<table role="presentation" width="100%" style="border-collapse:collapse;margin:16px 0">',
    `<tr><th align="left" style="${CELL}">${item}</th><th align="right" style="${CELL}">${quantity}</th><th align="right" style="${CELL}">${amount}</th></tr>`,
    '{% for line in order.lines %}',
    `<tr><td style="${CELL}">{{ line.name }}</td><td align="right" style="${CELL}">{{ line.quantity }}</td><td align="right" style="${CELL}">{{ line.amount }}</td></tr>`,
    '{% endfor %}',
    `<tr><td style="padding:8px 0" colspan="2"><strong>${total}</strong></td><td align="right" style="padding:8px 0"><strong>{{ order.total }}</strong></td></tr>`,
    '</table>',
  ].join('\n')

const DOWNLOADS =
  '<ul>\n{% for download in downloads %}<li><a href="{{ download.url }}">{{ download.name }}</a></li>\n{% endfor %}</ul>'

/** What stands between the paragraphs and the button, by kind. */
const PARTS: { readonly [kind in OwedKind]?: (words: TableWords) => string } = {
  order_confirmation: orderTable,
  download_ready: () => DOWNLOADS,
}

const button = (words: string): string =>
  `{% if url %}<p style="margin:24px 0"><a href="{{ url }}" style="background:#1a1a1a;border-radius:6px;color:#ffffff;display:inline-block;padding:12px 24px;text-decoration:none">${words}</a></p>{% endif %}`

/** Returns the mail of a kind that a workspace has not written itself. */
export const standardTemplate = (kind: OwedKind, locale: Locale): OwedTemplate => {
  const { subject, preheadline, heading, paragraphs, button: words, note } = TEXTS[locale][kind]
  const part = PARTS[kind]?.(TABLES[locale])
  const html_body = [
    `<div style="${FONT};color:#1a1a1a;font-size:16px;line-height:1.5;margin:0 auto;max-width:560px">`,
    `<h1 style="font-size:22px">${heading}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    ...(part === undefined ? [] : [part]),
    ...(words === undefined ? [] : [button(words)]),
    ...(note === undefined ? [] : [`<p style="color:#6b6b6b;font-size:14px">${note}</p>`]),
    '<p>{{ business_name }}</p>',
    '</div>',
  ].join('\n')
  return { subject, preheadline, html_body }
}
