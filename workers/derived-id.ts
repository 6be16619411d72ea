import { hash } from 'node:crypto'

/** A UUID that is the same for the same cause, so that a repeat appends nothing (design 4). */
export const derivedId = (...cause: readonly (string | number)[]): string => {
  const hex = hash('sha256', cause.join('\n'))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
