import { isElement, type MarkupElement, textIn } from '../../../domain/pages/markup/tree.ts'

/** A document that its author wrote as a whole. */
export interface OwnDocument {
  /** Returns the document with what is put before the ends of its head and its body. */
  with(added: { readonly head: string; readonly foot: string }): string
}

const CONTAINERS: ReadonlySet<string> = new Set(['section', 'row', 'column', 'flex'])

/** Returns the only element with content; `undefined` when there are several. */
const onlyContent = (elements: readonly MarkupElement[]): MarkupElement | undefined => {
  const [element] = elements
  if (!element || elements.length > 1) return undefined
  return CONTAINERS.has(element.name) ? onlyContent(element.children.filter(isElement)) : element
}

const insertBefore = (html: string, tag: RegExp, added: string): string | undefined => {
  const at = html.search(tag)
  return at < 0 ? undefined : html.slice(0, at) + added + html.slice(at)
}

/** Inserts what belongs into the head, and where there is none, at the first place where HTML takes it for the head. */
const withHead = (html: string, added: string): string =>
  insertBefore(html, /<\/head\s*>/i, added) ??
  insertBefore(html, /<body[\s>]/i, added) ??
  html.replace(/^(\s*(?:<!doctype[^>]*>)?\s*(?:<html[^>]*>)?)/i, (begin) => begin + added)

/** Returns the document of a page that consists of a single `customhtml` with a whole one; `undefined` for every other page. */
export const wholeDocument = (elements: readonly MarkupElement[]): OwnDocument | undefined => {
  const only = onlyContent(elements)
  if (only?.name !== 'customhtml') return undefined
  const html = textIn(only).trim()
  if (!/^<(?:!doctype\s+html|html)[\s>]/i.test(html)) return undefined
  return {
    with({ head, foot }) {
      const begun = withHead(html, head)
      const end = begun.toLowerCase().lastIndexOf('</body')
      return end < 0 ? begun + foot : begun.slice(0, end) + foot + begun.slice(end)
    },
  }
}
