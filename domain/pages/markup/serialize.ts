import { atOnce, type Steps } from '../../kernel/values/turns.ts'
import { type ElementRule, ruleOf } from './elements.ts'
import { type Attribute, endOfComment, scanning } from './scan.ts'

const serializedAttribute = ({ name, value }: Attribute): string => {
  if (value === undefined) return ` ${name}`
  return value.includes('"') ? ` ${name}='${value}'` : ` ${name}="${value}"`
}

/** Serializes attributes. Of several with one name the first counts, as in HTML. */
const serializedAttributes = (attributes: readonly Attribute[]): string => {
  const first = new Map<string, Attribute>()
  for (const attribute of attributes) if (!first.has(attribute.name)) first.set(attribute.name, attribute)
  return [...first.values()].map(serializedAttribute).join('')
}

/** Splits text at its comments, which are left out. */
const withoutComments = (text: string): readonly string[] => {
  const parts: string[] = []
  let at = 0
  for (let begin = text.indexOf('<!--'); begin >= 0; begin = text.indexOf('<!--', at)) {
    parts.push(text.slice(at, begin))
    at = endOfComment(text, begin) ?? text.length
  }
  return [...parts, text.slice(at)]
}

/** Returns the white space before the next tag. Nothing else can stand between elements. */
const layout = (text: string): string => text.slice(text.trimEnd().length)

/** Text between two tags that are kept. */
class TextRun {
  #text = ''
  #hasLooseBracket = false

  /** Adds text behind something that was left out. A space keeps a loose `<` from beginning a tag or a comment with it. */
  add(text: string): void {
    this.#text += this.#hasLooseBracket ? ` ${text}` : text
    this.#hasLooseBracket ||= text.includes('<')
  }

  end(): string {
    const text = this.#text
    this.#text = ''
    this.#hasLooseBracket = false
    return text
  }
}

const addBetween = (run: TextRun, text: string, content: ElementRule['content']): void => {
  if (content === 'raw') run.add(text)
  else if (content === 'text') for (const part of withoutComments(text)) run.add(part)
  else run.add(layout(text))
}

/** Does what `serializeMarkup` does, in steps. */
export const serializing = function* (text: string): Steps<string> {
  const { tags, cutAt, isTooLong } = yield* scanning(text)
  if (cutAt !== undefined || isTooLong) return text
  const out: string[] = []
  const open: ElementRule['content'][] = []
  const run = new TextRun()
  let at = 0
  for (const { name, kind, attributes, begin, end } of tags) {
    yield
    addBetween(run, text.slice(at, begin), open.at(-1) ?? 'blocks')
    at = end
    const content = ruleOf(name)?.content ?? 'none'
    if (kind === 'close') {
      // An element that holds nothing is complete without it.
      if (content === 'none') continue
      open.pop()
      out.push(run.end(), `</${name}>`)
      continue
    }
    const isEmpty = kind === 'empty' || content === 'none'
    if (!isEmpty) open.push(content)
    out.push(run.end(), `<${name}${serializedAttributes(attributes)}${isEmpty ? '/' : ''}>`)
  }
  addBetween(run, text.slice(at), open.at(-1) ?? 'blocks')
  return [...out, run.end()].join('').trim()
}

/**
 * Returns valid page markup in the form in which it is stored and shown: elements and their text, with quoted attributes and the line breaks of
 * the author. Comments, and text where no text can be, are left out. Serializing the result changes nothing. A text that cannot be read to its
 * end, from a time of other limits, stays as it is.
 */
export const serializeMarkup = (text: string): string => atOnce(serializing(text))
