import { Parser } from 'htmlparser2'

/** A link in HTML: where its opening tag stands, and where it leads. */
export interface HtmlLink {
  readonly start: number
  readonly end: number
  /** Destination, with its entities resolved. */
  readonly href: string
}

const LINKING = new Set(['a', 'area'])

/** Returns the links of a page in their order. */
export const linksIn = (html: string): readonly HtmlLink[] => {
  const links: HtmlLink[] = []
  const parser = new Parser({
    onopentag(name, { href }) {
      if (href === undefined || !LINKING.has(name)) return
      links.push({ start: parser.startIndex, end: parser.endIndex + 1, href })
    },
  })
  parser.end(html)
  return links
}

const LIQUID = /\{\{|\{%/

/** Whether a destination is an address of the web, so that clicks on it can be counted. */
export const isWebAddress = (href: string): boolean => /^https?:\/\//i.test(href) && URL.canParse(href)

/** Returns the destinations that are the same for every recipient, each once. */
export const destinationsOf = (html: string): readonly string[] => [
  ...new Set(
    linksIn(html)
      .map(({ href }) => href.trim())
      .filter((href) => isWebAddress(href) && !LIQUID.test(href)),
  ),
]

const HREF = /(\shref\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)/i

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Returns HTML whose links lead to what the function says; `undefined` leaves a link as it is. All else stays as it was written. */
export const withLinks = (html: string, to: (href: string) => string | undefined): string => {
  const parts: string[] = []
  let done = 0
  for (const { start, end, href } of linksIn(html)) {
    const target = to(href.trim())
    if (target === undefined || start < done) continue
    const tag = html.slice(start, end).replace(HREF, (_, name: string) => `${name}"${escapeAttribute(target)}"`)
    parts.push(html.slice(done, start), tag)
    done = end
  }
  return parts.join('') + html.slice(done)
}
