import { BEHIND, TAG } from './key-buffer.ts'

const double = new DataView(new ArrayBuffer(8))

/** Where the value that begins at `at` ends. */
export function endOfValue(key: Uint8Array, at: number): number {
  const tag = key[at]
  if (tag === TAG.number) return at + 9
  if (tag === TAG.string || tag === TAG.structured) return endOfText(key, at + 1) + 1
  return at + 1
}

/** The document id that begins at `at`. */
export function readId(key: Uint8Array, at: number): number | string {
  if (key[at] === TAG.number) return readNumber(key, at + 1)
  return readText(key, at + 1, endOfText(key, at + 1))
}

function readNumber(key: Uint8Array, at: number): number {
  const high = get32(key, at)
  const low = get32(key, at + 4)
  const negative = high <= 0x7fffffff
  double.setUint32(0, negative ? ~high : high ^ 0x80000000)
  double.setUint32(4, negative ? ~low : low)
  return double.getFloat64(0)
}

/** Ids hold no zero (see `checkId`), so that nothing needs to be unmarked. */
function readText(key: Uint8Array, start: number, end: number): string {
  return Buffer.from(key.buffer, key.byteOffset + start, end - start).toString('utf8')
}

function endOfText(key: Uint8Array, start: number): number {
  let end = key.indexOf(0, start)
  while (key[end + 1] === BEHIND) end = key.indexOf(0, end + 1)
  return end
}

function get32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
}
