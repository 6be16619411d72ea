import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { atOnce, inSlices, type Steps } from '../../kernel/values/turns.ts'
import { ELEMENTS, INLINE, NEEDS_CONNECTION, ruleOf } from './elements.ts'
import { isUnsafeAddress } from './safe-url.ts'
import { endOfComment, MAX_PARTS, scanning, type Tag } from './scan.ts'

/** Highest nesting depth: deeper than pages are nested by hand. */
const MAX_DEPTH = 50

const malformed = (text: string): Refusal => refuse.malformed(text, 'markup', 'invalid')
const notPml = (text: string): Refusal => malformed(`Markup is not valid PML: ${text}`)

const HTML = new Set(
  'html head body title meta style script div p a ul ol li table thead tbody tr td th h1 h2 h3 h4 h5 h6 img form nav main header footer article em strong iframe pre code'.split(
    ' ',
  ),
)

const KNOWN = [...ELEMENTS.keys()].filter((name) => name !== 'item').join(', ')

const unknown = (tags: readonly Tag[]): Refusal => {
  const names = [...new Set(tags.map(({ name }) => `<${name}>`))].join(', ')
  return notPml(`unknown top-level element(s) ${names}. Known elements: ${KNOWN}. (line ${tags[0]!.line})`)
}

/** Returns where an element belongs when its parent must not hold it, or `undefined` when it may. */
const misplaced = (name: string, parent: string | undefined): string | undefined => {
  if (name === 'column') return parent === 'row' ? undefined : 'inside a <row>'
  if (name === 'row') return parent === undefined || parent === 'section' ? undefined : 'inside a <section>'
  if (name === 'section' || name === 'saved-section') return parent === undefined ? undefined : 'at the top level'
  if (name === 'item')
    return parent === 'list' || parent === 'accordion' ? undefined : 'inside a <list> or an <accordion>'
  const content = parent === undefined ? 'blocks' : ruleOf(parent)?.content
  if (INLINE.has(name)) return content === 'text' ? undefined : 'inside text'
  return content === 'blocks' ? undefined : 'inside a <column>'
}

const tagProblem = (tag: Tag, open: readonly Tag[]): Refusal | undefined => {
  const { name, attributes, line } = tag
  const parent = open.at(-1)?.name
  if (name === NEEDS_CONNECTION)
    return malformed(
      `<${NEEDS_CONNECTION}> needs the provider's app, which is not connected to this workspace. (line ${line})`,
    )
  const rule = ruleOf(name)
  if (!rule) return notPml(`unknown element <${name}> inside <${parent}>. (line ${line})`)
  const place = misplaced(name, parent)
  if (place) return malformed(`<${name}> element must be ${place}. (line ${line})`)
  const invalid = attributes.map((attribute) => attribute.name).filter((one) => !rule.attributes.has(one))
  if (invalid.length > 0) return malformed(`Invalid attribute(s) '${invalid.join("', '")}' on <${name}> (line ${line})`)
  const unsafe = attributes.find((one) => isUnsafeAddress(name, one.name, one.value))
  if (unsafe) return malformed(`${unsafe.name} on <${name}> must be a web address or a path. (line ${line})`)
  return open.length >= MAX_DEPTH
    ? malformed(`Markup is nested deeper than ${MAX_DEPTH} elements. (line ${line})`)
    : undefined
}

/** Returns the tags at the top level, found by counting opening and closing tags. */
const topLevel = (tags: readonly Tag[]): readonly Tag[] => {
  const found: Tag[] = []
  let depth = 0
  for (const tag of tags) {
    if (tag.kind === 'close') depth = Math.max(0, depth - 1)
    else {
      if (depth === 0) found.push(tag)
      if (tag.kind === 'open' && ruleOf(tag.name)?.content !== 'none') depth++
    }
  }
  return found
}

const truncated = (what: string): Refusal => malformed(`Markup appears to be truncated: ${what}.`)

const nestingProblem = function* (tags: readonly Tag[]): Steps<Refusal | undefined> {
  const open: Tag[] = []
  for (const tag of tags) {
    yield
    if (tag.kind === 'close') {
      const last = open.at(-1)
      if (last?.name === tag.name) open.pop()
      else if (ruleOf(tag.name)?.content !== 'none') return notPml(`</${tag.name}> closes nothing. (line ${tag.line})`)
      continue
    }
    const problem = tagProblem(tag, open)
    if (problem) return problem
    if (tag.kind === 'open' && ruleOf(tag.name)?.content !== 'none') open.push(tag)
  }
  const last = open.at(-1)
  return last && truncated(`<${last.name}> of line ${last.line} is still open`)
}

/** Whether a text has nothing but white space and closed comments. Says no to one with too many comments, which the scan refuses. */
const isEmptyPage = (text: string): boolean => {
  let at = 0
  for (let comments = 0; comments <= MAX_PARTS; comments++) {
    const begin = text.indexOf('<', at)
    if (text.slice(at, begin < 0 ? text.length : begin).trim() !== '') return false
    if (begin < 0) return true
    const end = text.startsWith('<!--', begin) ? endOfComment(text, begin) : undefined
    if (end === undefined) return false
    at = end
  }
  return false
}

const checking = function* (text: string): Steps<Refusal | undefined> {
  if (isEmptyPage(text)) return undefined
  const { tags, cutAt, isTooLong } = yield* scanning(text)
  if (isTooLong) return malformed(`Markup has more than ${MAX_PARTS} tags and attributes.`)
  const unknownTags = topLevel(tags).filter(({ name }) => !ruleOf(name) && name !== NEEDS_CONNECTION)
  if (unknownTags.some(({ name }) => !HTML.has(name))) return unknown(unknownTags)
  if (cutAt !== undefined) return truncated(cutAt)
  if (!tags.some(({ name }) => ELEMENTS.has(name) || name === NEEDS_CONNECTION)) {
    return notPml(`no PML elements found. Known elements: ${KNOWN}.`)
  }
  if (unknownTags.length > 0) return unknown(unknownTags)
  return yield* nestingProblem(tags)
}

/** Returns the refusal of a text that is no page markup, or `undefined` when it is. An empty text, or one of comments alone, is an empty page. */
export const markupProblem = (text: string): Refusal | undefined => atOnce(checking(text))

/** Returns the same. Others get their turn meanwhile. */
export const markupProblemInSlices = (text: string): Promise<Refusal | undefined> => inSlices(checking(text))
