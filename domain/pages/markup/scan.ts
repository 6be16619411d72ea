/** Tag of a markup text. */
export interface Tag {
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  readonly attributes: readonly string[]
  readonly line: number
}

export interface Scanned {
  readonly tags: readonly Tag[]
  /** Description of the cut when the text ends inside a tag, an attribute value, a comment or a body of custom HTML. */
  readonly cutAt?: string
}

const NAME = /^<(\/?)([A-Za-z][\w-]*)/
const ATTRIBUTE = /^\s*([A-Za-z_:][\w:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`/]+))?/

interface ReadTag {
  readonly tag: Omit<Tag, 'line'>
  readonly length: number
}

/** Reads the tag that a text begins with; `undefined` when the tag has no proper end. */
const readTag = (text: string, [opening, slash, name]: readonly string[]): ReadTag | undefined => {
  const attributes: string[] = []
  let at = opening!.length
  for (;;) {
    const rest = text.slice(at)
    const end = /^\s*(\/?)>/.exec(rest)
    if (end) {
      const kind = slash === '/' ? 'close' : end[1] === '/' ? 'empty' : 'open'
      return { tag: { name: name!.toLowerCase(), kind, attributes }, length: at + end[0].length }
    }
    const attribute = ATTRIBUTE.exec(rest)
    if (!attribute || attribute[0].length === 0) return undefined
    attributes.push(attribute[1]!.toLowerCase())
    at += attribute[0].length
  }
}

const RAW_END = /<\/customhtml\s*>/i

/** Returns all tags of a text in order. Comments and bodies of custom HTML are skipped. */
export const scanMarkup = (text: string): Scanned => {
  const tags: Tag[] = []
  let line = 1
  let at = 0
  const advance = (length: number): void => {
    for (let i = text.indexOf('\n', at); i >= 0 && i < at + length; i = text.indexOf('\n', i + 1)) line++
    at += length
  }
  for (;;) {
    const next = text.indexOf('<', at)
    if (next < 0) return { tags }
    advance(next - at)
    const rest = text.slice(at)
    if (rest.startsWith('<!--')) {
      const end = rest.indexOf('-->')
      if (end < 0) return { tags, cutAt: 'a comment is not closed' }
      advance(end + 3)
      continue
    }
    const opening = NAME.exec(rest)
    if (!opening) {
      if (rest.length === 1 || rest === '</') return { tags, cutAt: 'it ends inside a tag' }
      advance(1)
      continue
    }
    const read = readTag(rest, opening)
    if (!read) return { tags, cutAt: `<${opening[2]}> is not closed` }
    tags.push({ ...read.tag, line })
    advance(read.length)
    if (read.tag.name !== 'customhtml' || read.tag.kind !== 'open') continue
    const end = RAW_END.exec(text.slice(at))
    if (!end) return { tags, cutAt: 'the body of <customhtml> is not closed' }
    advance(end.index)
  }
}
