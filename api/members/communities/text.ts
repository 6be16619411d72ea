import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { plainTextInSlices } from '../../../domain/resources/plain-text.ts'

/** What is more than text in a line: an address, or a mention. */
const PIECE = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])|@\[(\d{1,15})\]/g

const lineHtml = (line: string): string => {
  if (!line.includes('http') && !line.includes('@[')) return escapeHtml(line)
  const parts: string[] = []
  let end = 0
  for (const { 0: whole, 1: address, 2: mention, index } of line.matchAll(PIECE)) {
    parts.push(escapeHtml(line.slice(end, index)))
    const shown = escapeHtml(address ?? '')
    parts.push(mention === undefined ? `<a href="${shown}">${shown}</a>` : `<span data-mention="${mention}"></span>`)
    end = index + whole.length
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
