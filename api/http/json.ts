import { refuse } from '../../domain/kernel/values/refusal.ts'

/** Highest nesting depth of JSON that a client sends. */
export const MAX_DEPTH = 32

/**
 * Highest number of values in JSON that a client sends, objects and arrays included: twice the longest list that an operation takes. The parser
 * alone can hold the event loop for a tenth of a second with one MiB of small objects.
 */
export const MAX_VALUES = 20_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const ARRAY = 0x5b
const ARRAY_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Returns the index of the quotation mark that ends a JSON string, or the length of the text. */
const endOfString = (text: string, begin: number): number => {
  for (let at = text.indexOf('"', begin + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return text.length
}

/** Checks depth and number of values in one pass over the text, before anything is parsed. @throws {Refusal} malformed, naming the limit */
const checkShape = (text: string): void => {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) values++
    else if (code === ARRAY || code === OBJECT) {
      values++
      depth++
    } else if (code === ARRAY_END || code === OBJECT_END) depth--
    if (depth > MAX_DEPTH) throw refuse.malformed(`HTTP body is nested more than ${MAX_DEPTH} levels deep`)
    if (values > MAX_VALUES) throw refuse.malformed(`HTTP body has more than ${MAX_VALUES} values`)
  }
}

/**
 * Parses JSON that a client sends.
 *
 * @throws {Refusal} malformed, for a text that is not JSON, is nested too deeply or has too many values
 */
export const parseJson = (text: string): unknown => {
  checkShape(text)
  try {
    return JSON.parse(text)
  } catch {
    throw refuse.malformed('HTTP body must be valid JSON')
  }
}
