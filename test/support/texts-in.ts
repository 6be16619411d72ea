const LEAST = 6
const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Returns the texts of a record, at any depth, that are long enough to be known again. */
export const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.length >= LEAST && !INSTANT.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
