import type { Steps } from '../../kernel/values/turns.ts'
import { ruleOf } from './elements.ts'
import { isUnsafeAddress } from './safe-url.ts'
import { type Attribute, scanning, type Tag } from './scan.ts'
import { serializing } from './serialize.ts'

/** Element of a page with what it holds. */
export interface MarkupElement {
  readonly name: string
  /** Values of its attributes; an empty text for one that is only named. Unsafe addresses are left out. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly MarkupNode[]
}

/** Element, or text between elements. */
export type MarkupNode = MarkupElement | string

export const isElement = (node: MarkupNode): node is MarkupElement => typeof node !== 'string'

/** Element that is still open. */
interface OpenElement extends MarkupElement {
  readonly children: MarkupNode[]
}

const valuesOf = (element: string, attributes: readonly Attribute[]): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  for (const { name, value = '' } of attributes)
    if (!values.has(name) && !isUnsafeAddress(element, name, value)) values.set(name, value)
  return values
}

const elementOf = ({ name, attributes }: Tag): OpenElement => ({
  name,
  attributes: valuesOf(name, attributes),
  children: [],
})

/** Reads the elements of a page, with their text, in steps. A text that cannot be read to its end has none. */
export const parseMarkup = function* (markup: string): Steps<readonly MarkupElement[]> {
  const text = yield* serializing(markup)
  const { tags, cutAt, isTooLong } = yield* scanning(text)
  if (cutAt !== undefined || isTooLong) return []
  const root: OpenElement = { name: '', attributes: new Map(), children: [] }
  const open = [root]
  let at = 0
  for (const tag of tags) {
    yield
    const parent = open.at(-1)!
    if (tag.begin > at) parent.children.push(text.slice(at, tag.begin))
    at = tag.end
    if (tag.kind === 'close') {
      if (open.length > 1 && parent.name === tag.name) open.pop()
      continue
    }
    const element = elementOf(tag)
    parent.children.push(element)
    if (tag.kind === 'open' && ruleOf(tag.name)?.content !== 'none') open.push(element)
  }
  return root.children.filter(isElement)
}

/** Returns whether an element or one inside it passes a test. */
export const someElement = (element: MarkupElement, test: (element: MarkupElement) => boolean): boolean =>
  test(element) || element.children.some((child) => isElement(child) && someElement(child, test))

/** Returns the text of an element, without the elements in it. */
export const textIn = ({ children }: MarkupElement): string =>
  children.map((child) => (isElement(child) ? textIn(child) : child)).join('')
