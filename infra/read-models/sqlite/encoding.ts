/** A value as it stands in a column: SQLite's order of these is the port's order of the values, and none of them is NULL. */
export type Encoded = number | string | Uint8Array

/** Of null and of what is missing: before every number. */
export const NOTHING = Number.NEGATIVE_INFINITY
export const FALSE = Uint8Array.of(1)
export const TRUE = Uint8Array.of(2)

const utf8 = new TextEncoder()

/** A field's value as it stands in its column. @throws {TypeError} for what is no JSON */
export const encode = (value: unknown): Encoded => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : NOTHING // as JSON has it
  if (typeof value === 'string') return encodeText(value)
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'boolean') return value ? TRUE : FALSE
  return utf8.encode(`\0${JSON.stringify(value)}`)
}

/** The elements of an array, each once, as their columns would hold them, when that is what a column holds. */
export const elementsOf = (column: Encoded): readonly Encoded[] | undefined => {
  if (!isArray(column)) return undefined
  const values: unknown[] = JSON.parse(Buffer.from(column).toString('utf8', 1))
  return values.map(encode).filter((value, n, all) => all.findIndex((other) => compare(value, other) === 0) === n)
}

/** Whether a column holds an array. */
export const isArray = (column: Encoded): column is Uint8Array =>
  typeof column === 'object' && column[0] === 0 && column[1] === ARRAY_BEGINS

const ARRAY_BEGINS = '['.charCodeAt(0)

/** The order of SQLite's BINARY collation. */
export const compare = (a: Encoded, b: Encoded): number => {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (typeof a === 'object' && typeof b === 'object') return Buffer.compare(a, b)
  return rank(a) - rank(b)
}

const rank = (value: Encoded): number => ['number', 'string', 'object'].indexOf(typeof value)

/** A bound text ends at a NUL and loses lone surrogates, so that NUL is escaped in order, and what is not well-formed is spelled out. */
const encodeText = (text: string): string => {
  const whole = text.isWellFormed() ? text : `${text}\u0001\u0003${JSON.stringify(text)}`
  if (!whole.includes('\0') && !text.includes('\u0001')) return whole
  const escaped = text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
  return whole === text ? escaped : `${escaped}\u0001\u0003${JSON.stringify(text)}`
}
