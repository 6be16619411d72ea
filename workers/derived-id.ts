import { hash } from 'node:crypto'

/** Returns a UUID that derives from its cause. A repeat gives the same id, and so appends nothing. */
export const derivedId = (...cause: readonly (string | number)[]): string => {
  const hex = hash('sha256', cause.join('\n'))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
