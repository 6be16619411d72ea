import type { Locale, OwedText, StandardKind, TableWords } from './kinds.ts'
import { NOTICES_EN } from './notice-texts-en.ts'
import { NOTICES_JA } from './notice-texts-ja.ts'
import { NOTICES_PT } from './notice-texts-pt.ts'
import { TABLE_EN, TEXTS_EN } from './texts-en.ts'
import { TABLE_JA, TEXTS_JA } from './texts-ja.ts'
import { TABLE_PT, TEXTS_PT } from './texts-pt.ts'

const TEXTS: Readonly<Record<Locale, Readonly<Record<StandardKind, OwedText>>>> = {
  en: { ...TEXTS_EN, ...NOTICES_EN },
  ja: { ...TEXTS_JA, ...NOTICES_JA },
  pt: { ...TEXTS_PT, ...NOTICES_PT },
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

/** What is new, a line each, with where it is. */
const listOf = (items: string, item: string, also: string): string =>
  `<ul>\n{% for ${item} in ${items} %}<li>{% if ${item}.url %}<a href="{{ ${item}.url }}">{{ ${item}.title }}</a>{% else %}{{ ${item}.title }}{% endif %}${also}</li>\n{% endfor %}</ul>`

/** What somebody wrote, as text. */
const QUOTE =
  '{% if excerpt %}<blockquote style="border-left:3px solid #e5e5e5;margin:16px 0;padding:0 12px;white-space:pre-line">{{ excerpt }}</blockquote>{% endif %}'

/** What stands between the paragraphs and the button, by kind. */
const PARTS: { readonly [kind in StandardKind]?: (words: TableWords) => string } = {
  order_confirmation: orderTable,
  download_ready: () => DOWNLOADS,
  section_published: () => listOf('sections', 'section', ''),
  community_mention: () => QUOTE,
  community_reply: () => QUOTE,
  community_post: () => QUOTE,
  community_digest: () => listOf('posts', 'post', ' – {{ post.author }}, {{ post.space }}'),
}

const button = (words: string): string =>
  `{% if url %}<p style="margin:24px 0"><a href="{{ url }}" style="background:#1a1a1a;border-radius:6px;color:#ffffff;display:inline-block;padding:12px 24px;text-decoration:none">${words}</a></p>{% endif %}`

/** Returns the mail of a kind that a workspace has not written itself. */
export const standardTemplate = (kind: StandardKind, locale: Locale): OwedTemplate => {
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
