import { isElement, type MarkupElement, textIn } from '../../../domain/pages/markup/tree.ts'
import { placesIn } from '../../../domain/resources/html/places.ts'

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

/** Returns the document of a page that consists of a single `customhtml` with a whole one; `undefined` for every other page. */
export const wholeDocument = (elements: readonly MarkupElement[]): OwnDocument | undefined => {
  const only = onlyContent(elements)
  if (only?.name !== 'customhtml') return undefined
  const html = textIn(only).trim()
  const beginning = beginningOf(html)
  if (beginning === undefined) return undefined
  return {
    with({ head, foot }) {
      const { headEnd: closed, bodyEnd, ends, whole } = placesIn(html)
      const headEnd = Math.max(closed, doctypeEnd(html, beginning))
      // What is put at the end of an open element would be in it: the code of an author may hide it, but must not lose it.
      return `${html.slice(0, headEnd)}${head}${html.slice(headEnd, bodyEnd)}${foot === '' ? '' : ends + foot}${html.slice(bodyEnd, whole)}`
    },
  }
}
