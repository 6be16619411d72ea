import { createHash } from 'node:crypto'

/** Keys longer than this are kept by their digest. */
const LONGEST = 400

const needsSpelling = (key: string): boolean => !key.isWellFormed() || key.includes('\0')

/** Whether a key has been spelled out already, as those of an archive have. */
const isSpelled = (key: string): boolean => {
  if (!key.startsWith('"')) return false
  try {
    const plain: unknown = JSON.parse(key)
    return typeof plain === 'string' && (needsSpelling(plain) || plain.startsWith('"'))
  } catch {
    return false
  }
}

/**
 * A claim's key as every log keeps it, so that an archive means the same to each; what is in this form already stays as it is. SQLite would cut
 * a text at NUL and take any two lone surrogates for the same, so that a key with either is kept as JSON, where both are spelled out; and what
 * looks like JSON, too.
 */
export const storedKey = (key: string): string => {
  const spelled = isSpelled(key) || (!needsSpelling(key) && !key.startsWith('"')) ? key : JSON.stringify(key)
  if (spelled.length <= LONGEST) return spelled
  return `${spelled.slice(0, 40)}#${createHash('sha256').update(spelled).digest('base64url')}`
}
