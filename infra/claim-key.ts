import { createHash } from 'node:crypto'

/** A key with more characters than this is stored as its beginning and a digest. */
const LONGEST = 400

const needsEscaping = (key: string): boolean => !key.isWellFormed() || key.includes('\0')

/** Whether a key is already escaped, as the keys in an archive are. */
const isEscaped = (key: string): boolean => {
  if (!key.startsWith('"')) return false
  try {
    const plain: unknown = JSON.parse(key)
    return typeof plain === 'string' && (needsEscaping(plain) || plain.startsWith('"'))
  } catch {
    return false
  }
}

/**
 * Returns a claim's key in the form in which every log stores it, so that an archive means the same to each. A key that already has this form stays
 * as it is. SQLite would cut a text at NUL and treat any two lone surrogates as equal. A key with either is therefore stored as JSON, which escapes
 * both. So is a key that looks like JSON.
 */
export const storedKey = (key: string): string => {
  const escaped = isEscaped(key) || (!needsEscaping(key) && !key.startsWith('"')) ? key : JSON.stringify(key)
  if (escaped.length <= LONGEST) return escaped
  return `${escaped.slice(0, 40)}#${createHash('sha256').update(escaped).digest('base64url')}`
}
