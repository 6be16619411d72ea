import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { pieceByPiece } from '../../../domain/kernel/values/piece-by-piece.ts'
import type { Steps } from '../../../domain/kernel/values/turns.ts'
import { isElement, type MarkupElement, type MarkupNode } from '../../../domain/pages/markup/tree.ts'
import { attributes } from '../rendering/escape.ts'

/** Elements of HTML that elements of a post become in a feed. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['headline', 'h2'],
  ['subheadline', 'h3'],
  ['paragraph', 'p'],
  ['b', 'b'],
  ['i', 'i'],
  ['list', 'ul'],
  ['item', 'li'],
])

/** Elements whose content alone is shown. */
const PLAIN: ReadonlySet<string> = new Set(['section', 'row', 'column', 'flex', 'span', 'accordion'])
const HOLDS_ELEMENTS: ReadonlySet<string> = new Set(['section', 'row', 'column', 'flex', 'list', 'accordion'])

/** Returns an address as readers elsewhere need it; `undefined` for one that they cannot follow. */
const absolute = (address: string | undefined, base: URL): string | undefined => {
  if (!address || !URL.canParse(address, base.href)) return undefined
  const url = new URL(address, base)
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:' ? url.href : undefined
}

/** Where a post is, and where the copies of pictures of other hosts in it are. */
interface Surroundings {
  readonly base: URL
  readonly pictures: ReadonlyMap<string, string>
}

const elementHtml = function* (element: MarkupElement, at: Surroundings): Steps<string> {
  const { name, attributes: values } = element
  const inside = () => contentHtml(element.children, at, HOLDS_ELEMENTS.has(name))
  const tag = TAGS.get(name)
  if (tag) return `<${tag}>${yield* inside()}</${tag}>`
  if (PLAIN.has(name)) return yield* inside()
  if (name === 'br') return '<br>'
  if (name === 'link') return `<a${attributes({ href: absolute(values.get('href'), at.base) })}>${yield* inside()}</a>`
  if (name !== 'image') return ''
  const source = values.get('src') ?? ''
  const src = absolute(at.pictures.get(source) ?? source, at.base)
  return src === undefined ? '' : `<img${attributes({ src, alt: values.get('alt') ?? '' })}>`
}

/**
 * Returns the text of a post as HTML for readers of its feed: without style, scripts and forms, and with absolute addresses. HTML that its author wrote
 * as it is, is left out. Each node is a step.
 */
export const contentHtml = function* (nodes: readonly MarkupNode[], at: Surroundings, isLayout = true): Steps<string> {
  const out: string[] = []
  for (const node of nodes) {
    yield
    if (isElement(node)) out.push(yield* elementHtml(node, at))
    else if (!isLayout) out.push(yield* pieceByPiece(node, escapeHtml))
  }
  return out.join('')
}
