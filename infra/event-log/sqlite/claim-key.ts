import { createHash } from 'node:crypto'

/** Keys longer than this are kept by their digest. */
const LONGEST = 400

/**
 * A claim's key as it is kept. SQLite would cut a text at NUL and take any two lone surrogates for the same, so that a key with
 * either is kept as JSON, where both are spelled out; and what looks like such JSON, too.
 */
export const storedKey = (key: string): string => {
  const plain = key.isWellFormed() && !key.includes('\0') && !key.startsWith('"') ? key : JSON.stringify(key)
  if (plain.length <= LONGEST) return plain
  return `${plain.slice(0, 40)}#${createHash('sha256').update(plain).digest('base64url')}`
}
