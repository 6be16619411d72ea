/** Value as it is stored in a column. SQLite orders these as the port orders the values. None of them is NULL. */
export type Encoded = number | string | Uint8Array

/** Encodes null and a missing value. Sorts before every number. */
export const NOTHING = Number.NEGATIVE_INFINITY
export const FALSE = Uint8Array.of(1)
export const TRUE = Uint8Array.of(2)

const utf8 = new TextEncoder()

/** Encodes a field's value for its column. @throws {TypeError} for a value that is not JSON */
export const encode = (value: unknown): Encoded => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : NOTHING // JSON writes such numbers as null.
  if (typeof value === 'string') return encodeText(value)
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return utf8.encode(`\0${JSON.stringify(value)}`)
}

/** Returns the distinct elements of an array, each encoded as a value of its own. `undefined` when the column holds no array. */
export const elementsOf = (column: Encoded): readonly Encoded[] | undefined => {
  if (!isArray(column)) return undefined
  const values: unknown[] = JSON.parse(Buffer.from(column).toString('utf8', 1))
  return values.map(encode).filter((value, n, all) => all.findIndex((other) => compare(value, other) === 0) === n)
}

/** Whether a column holds an array. */
export const isArray = (column: Encoded): column is Uint8Array =>
  typeof column === 'object' && column[0] === 0 && column[1] === ARRAY_BEGINS

const ARRAY_BEGINS = '['.charCodeAt(0)

/** Compares in the order of SQLite's BINARY collation. */
export const compare = (a: Encoded, b: Encoded): number => {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (typeof a === 'object' && typeof b === 'object') return Buffer.compare(a, b)
  return rank(a) - rank(b)
}

const rank = (value: Encoded): number => ['number', 'string', 'object'].indexOf(typeof value)

/**
 * Encodes a text. SQLite ends a bound text at a NUL and loses lone surrogates. NUL is escaped so that the order stays the same, and
 * the JSON of a text that is not well-formed is appended.
 */
const encodeText = (text: string): string => {
  const whole = text.isWellFormed() ? text : `${text}\u0001\u0003${JSON.stringify(text)}`
  if (!whole.includes('\0') && !text.includes('\u0001')) return whole
  const escaped = text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
  return whole === text ? escaped : `${escaped}\u0001\u0003${JSON.stringify(text)}`
}
