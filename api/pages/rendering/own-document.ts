import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isElement, type MarkupElement, textIn } from '../../../domain/pages/markup/tree.ts'
import { type Places, placesInSlices } from '../../../domain/resources/html/places.ts'

/** Characters that the places of documents may take in memory. */
const CACHED = 4_000_000
/** Characters that those of one take besides the ends of what is open. */
const CACHED_EACH = 500

/** A document that its author wrote as a whole. */
export interface OwnDocument {
  /** Returns the document with what is put before the ends of its head and its body, whatever its comments and scripts hold. */
  with(added: { readonly head: string; readonly foot: string }): string
}

const CONTAINERS: ReadonlySet<string> = new Set(['section', 'row', 'column', 'flex'])

/** Returns the only element with content; `undefined` when there are several. */
const onlyContent = (elements: readonly MarkupElement[]): MarkupElement | undefined => {
  const [element] = elements
  if (!element || elements.length > 1) return undefined
  return CONTAINERS.has(element.name) ? onlyContent(element.children.filter(isElement)) : element
}

const DOCTYPE = /^<!doctype\s+html[^>]*>/i

/** Returns where a whole document begins behind the comments and spaces before it; `undefined` for HTML that is none. */
const beginningOf = (html: string): number | undefined => {
  let at = 0
  for (;;) {
    while (/\s/.test(html[at] ?? '')) at++
    if (!html.startsWith('<!--', at)) break
    const end = html.indexOf('-->', at + 4)
    if (end < 0) return undefined
    at = end + 3
  }
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(html.slice(at, at + 40)) ? at : undefined
}

/** Returns the end of the doctype: with anything before it, a browser would go by the rules of pages that have none. */
const doctypeEnd = (html: string, beginning: number): number =>
  beginning + (DOCTYPE.exec(html.slice(beginning))?.[0].length ?? 0)

const known = new LRUCache<string, Places>({
  maxSize: CACHED,
  sizeCalculation: ({ ends }) => ends.length + CACHED_EACH,
})

/** Returns the places of a document. They are found once for each of its versions, however often its page is made anew. */
const placesOf = async (html: string): Promise<Places> => {
  const version = createHash('sha256').update(html).digest('base64')
  const found = known.get(version)
  if (found) return found
  const places = await placesInSlices(html)
  known.set(version, places)
  return places
}

/** Returns the document of a page that consists of a single `customhtml` with a whole one; `undefined` for every other page. */
export const wholeDocument = async (elements: readonly MarkupElement[]): Promise<OwnDocument | undefined> => {
  const only = onlyContent(elements)
  if (only?.name !== 'customhtml') return undefined
  const html = textIn(only).trim()
  const beginning = beginningOf(html)
  if (beginning === undefined) return undefined
  const { headEnd: closed, bodyEnd, ends, whole } = await placesOf(html)
  const headEnd = Math.max(closed, doctypeEnd(html, beginning))
  return {
    with: ({ head, foot }) =>
      // What is put at the end of an open element would be in it: the code of an author may hide it, but must not lose it.
      `${html.slice(0, headEnd)}${head}${html.slice(headEnd, bodyEnd)}${foot === '' ? '' : ends + foot}${html.slice(bodyEnd, whole)}`,
  }
}
