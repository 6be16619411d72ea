import { atOnce, type Steps } from '../../kernel/values/turns.ts'

/** Attribute of a tag, in lower case. One that is only named has no value. */
export interface Attribute {
  readonly name: string
  readonly value?: string
}

/** Tag of a markup text. */
export interface Tag {
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  readonly attributes: readonly Attribute[]
  readonly line: number
  /** Position of its first character in the text. */
  readonly begin: number
  /** Position behind its last character. */
  readonly end: number
}

export interface Scanned {
  readonly tags: readonly Tag[]
  /** Description of the cut when the text ends inside a tag, an attribute value, a comment or a body of custom HTML. */
  readonly cutAt?: string
  /** The scan stopped because the text has more than `MAX_PARTS` parts. */
  readonly isTooLong?: true
}

/** Highest number of tags, attributes, comments and loose `<` of a text: several times what the longest pages have. */
export const MAX_PARTS = 10_000

// Sticky: each is matched at a position of the whole text. None can match the same characters in two ways.
const NAME = /<(\/?)([A-Za-z][\w-]*)/y
const TAG_END = /\s*(\/?)>/y
const ATTRIBUTE = /\s*([A-Za-z_:][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`/]+))?/y
const RAW_END = /<\/customhtml\s*>/gi

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Returns the position after the comment that begins at `at`, or `undefined` when it is not closed. */
export const endOfComment = (text: string, at: number): number | undefined => {
  const end = text.indexOf('-->', at + 2)
  return end < 0 ? undefined : end + 3
}

/** Removes the quotes of a value that has some. */
const unquoted = (value: string): string => (/^["']/.test(value) ? value.slice(1, -1) : value)

/** Reads the tag whose name was matched. Returns `undefined` when the tag has no proper end. */
const readTag = (text: string, opening: RegExpExecArray): Omit<Tag, 'line'> | undefined => {
  const { 0: whole, 1: slash, 2: name, index: begin } = opening
  const attributes: Attribute[] = []
  let at = begin + whole.length
  while (attributes.length <= MAX_PARTS) {
    const end = matchAt(TAG_END, text, at)
    if (end) {
      const kind = slash === '/' ? 'close' : end[1] === '/' ? 'empty' : 'open'
      return { name: name!.toLowerCase(), kind, attributes, begin, end: at + end[0].length }
    }
    const attribute = matchAt(ATTRIBUTE, text, at)
    if (!attribute) return undefined
    const [, attributeName, value] = attribute
    attributes.push({ name: attributeName!.toLowerCase(), ...(value !== undefined && { value: unquoted(value) }) })
    at += attribute[0].length
  }
  return { name: name!.toLowerCase(), kind: 'open', attributes, begin, end: at }
}

/** Returns a function that gives the line of a position. Positions must ascend, so that each character is looked at once. */
const lineCounter = (text: string): ((at: number) => number) => {
  let line = 1
  let counted = 0
  return (at) => {
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 0x0a) line++
    return line
  }
}

/** Does what `scanMarkup` does, in steps. */
export const scanning = function* (text: string): Steps<Scanned> {
  const tags: Tag[] = []
  const lineAt = lineCounter(text)
  let parts = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (++parts > MAX_PARTS) return { tags, isTooLong: true }
    yield
    if (text.startsWith('<!--', at)) {
      const end = endOfComment(text, at)
      if (end === undefined) return { tags, cutAt: 'a comment is not closed' }
      at = end
      continue
    }
    const opening = matchAt(NAME, text, at)
    if (!opening) {
      if (text.length - at === 1 || (text.length - at === 2 && text.endsWith('/')))
        return { tags, cutAt: 'it ends inside a tag' }
      at++
      continue
    }
    const tag = readTag(text, opening)
    if (!tag) return { tags, cutAt: `<${opening[2]}> is not closed` }
    tags.push({ ...tag, line: lineAt(at) })
    parts += tag.attributes.length
    at = tag.end
    if (tag.name !== 'customhtml' || tag.kind !== 'open') continue
    const end = matchAt(RAW_END, text, at)
    if (!end) return { tags, cutAt: 'the body of <customhtml> is not closed' }
    at = end.index
  }
  return parts > MAX_PARTS ? { tags, isTooLong: true } : { tags }
}

/** Returns all tags of a text in order. Comments and bodies of custom HTML are skipped. */
export const scanMarkup = (text: string): Scanned => atOnce(scanning(text))
