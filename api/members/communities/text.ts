import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { plainTextInSlices } from '../../../domain/resources/plain-text.ts'

/** What is more than text in a line: an address, or a mention. */
const PIECE = /(https?:\/\/[^\s<>"'。、，．！？；：「」『』【】《》〈〉（）]+)|@\[(\d{1,15})\]/gi
/** Sign behind an address that is part of the sentence. */
const STOPS = '.,;:!?'
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

const countIn = (text: string, sign: string): number => text.split(sign).length - 1

/** Returns an address without what closes the sentence around it. A bracket that was opened within the address is part of it. */
const withoutStops = (text: string): string => {
  const left = new Map(
    Object.entries(OPENING).map(([close, open]) => [close, countIn(text, close) - countIn(text, open)]),
  )
  let end = text.length
  for (; end > 0; end--) {
    const last = text[end - 1] ?? ''
    const unopened = left.get(last) ?? 0
    if (unopened > 0) left.set(last, unopened - 1)
    else if (!STOPS.includes(last)) break
  }
  return text.slice(0, end)
}

const lineHtml = (line: string): string => {
  if (!/http|@\[/i.test(line)) return escapeHtml(line)
  const parts: string[] = []
  let end = 0
  for (const { 0: whole, 1: found, 2: mention, index } of line.matchAll(PIECE)) {
    const address = found === undefined ? undefined : withoutStops(found)
    if (address?.endsWith('//')) continue
    parts.push(escapeHtml(line.slice(end, index)))
    const shown = escapeHtml(address ?? '')
    parts.push(mention === undefined ? `<a href="${shown}">${shown}</a>` : `<span data-mention="${mention}"></span>`)
    end = index + (address ?? whole).length
  }
  return parts.join('') + escapeHtml(line.slice(end))
}

/** Returns the HTML of what somebody typed: each line is a paragraph. @param mentioned contacts who are mentioned at the end */
export const htmlOf = (typed: string, mentioned: readonly number[] = []): string => {
  const lines = typed.split(/\r\n|\r|\n/).flatMap((line) => (line.trim() === '' ? [] : [lineHtml(line.trim())]))
  const added = mentioned.filter((id) => !typed.includes(`@[${id}]`)).map((id) => `<span data-mention="${id}"></span>`)
  return [...lines, ...(added.length > 0 ? [added.join(' ')] : [])].map((line) => `<p>${line}</p>`).join('\n')
}

/** Returns HTML as its author can edit it. */
export const typedOf = async (html: string | null): Promise<string> =>
  html === null ? '' : plainTextInSlices(html, { mention: (id) => `[${id}]` })

/** Characters of a text that a member writes. With all that HTML needs beside them, they are less than what one record may have. */
export const LONGEST_TEXT = 100_000

/** Whether HTML has more in it than its text as `typedOf` returns it, which editing as text takes away. */
export const isFormatted = (html: string | null, typed: string): boolean => {
  const bare = (text: string) => text.replace(/\s+/g, '')
  return html?.includes('<') === true && (typed.length > LONGEST_TEXT || bare(htmlOf(typed)) !== bare(html))
}
