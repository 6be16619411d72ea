import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'

/** Path of a value in a JSON text: keys of objects and positions in arrays. */
export type JsonPath = readonly (string | number)[]

const NONE: readonly JsonPath[] = []

/** Highest number of numbers that are reported. */
const MOST = 20
/** No number that can be read exactly is written with more characters. */
const LONGEST = 400

/** Texts without a match hold no number that could lose digits. */
const SUSPICIOUS = /[\d.]{16}|\d[eE]/

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Returns the significant digits of a number and their place, which are the same for every way to write it. */
const digitsOf = (text: string): string => {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return significant === ''
    ? '0'
    : `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/**
 * Tells whether a number that is written like this has another value when it is read: an integer beyond 2^53, or more digits than a number has.
 * Seventeen digits are accepted where they are the exact spelling of a number, since some writers of JSON always give them.
 */
export const losesDigits = (written: string): boolean => {
  if (written.length > LONGEST) return true
  const value = Number(written)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return true
  const digits = digitsOf(written)
  return digits !== digitsOf(String(value)) && digits !== digitsOf(value.toPrecision(17))
}

/** Returns the paths of the numbers in a valid JSON text that lose digits when they are read, at most 20 of them. */
export const lossyNumbersIn = (text: string): MaybePromise<readonly JsonPath[]> =>
  SUSPICIOUS.test(text) ? pathsOfLossy(text) : NONE

const pathsOfLossy = async (text: string): Promise<readonly JsonPath[]> => {
  const { visit } = await import('jsonc-parser')
  const paths: JsonPath[] = []
  visit(text, {
    onLiteralValue(value, offset, length, _line, _character, pathOf) {
      if (typeof value !== 'number' || paths.length >= MOST) return
      if (losesDigits(text.slice(offset, offset + length))) paths.push(pathOf())
    },
  })
  return paths
}
