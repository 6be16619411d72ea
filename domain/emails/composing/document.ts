import { escapeHtml } from '../../kernel/values/html.ts'
import type { Places } from '../../resources/html/places.ts'

const HIDDEN = 'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden'

const HEAD =
  '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n<body>\n'
const FOOT = '\n</body>\n</html>\n'

/** Returns the words behind the subject, which are shown by mail programs and not in the mail. */
export const hiddenWords = (words: string): string => `<div style="${HIDDEN}">${escapeHtml(words)}</div>`

export const pixel = (url: string): string =>
  `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0">`

/** Something in the place of a stretch of HTML. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Returns HTML with stretches replaced, which are in their order. */
const replaced = (html: string, replacements: readonly Replacement[], until: number): string => {
  const parts: string[] = []
  let at = 0
  for (const { from, to, by } of replacements) {
    if (to > until) break
    parts.push(html.slice(at, from), by)
    at = to
  }
  return parts.join('') + html.slice(at, until)
}

const inOrder = (all: readonly Replacement[]): readonly Replacement[] => [...all].sort((a, b) => a.from - b.from)

/** What is put where the body of a mail begins and ends. */
interface Added {
  readonly first: string
  readonly last: string
}

/** Returns a document that shows plain text. */
export const documentOfText = (text: string, { first, last }: Added): string =>
  `${HEAD}${first}<pre style="white-space:pre-wrap">${escapeHtml(text)}</pre>${last}${FOOT}`

/** Returns a whole document with parts where its body begins and ends, outside of all that is open there. */
export const documentWith = (
  html: string,
  {
    places,
    replacements,
    first,
    last,
  }: Added & { readonly places: Places; readonly replacements: readonly Replacement[] },
): string => {
  const { isDocument, bodyStart, bodyEnd, ends, whole } = places
  const added = [
    { from: bodyStart, to: bodyStart, by: isDocument ? first : '' },
    { from: bodyEnd, to: bodyEnd, by: ends + last },
  ]
  const body = replaced(html, inOrder([...replacements, ...added]), whole)
  return isDocument ? body : `${HEAD}${first}${body}${FOOT}`
}
