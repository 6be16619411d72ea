/** A value that somebody sent as a text. Never throws, as `String` does for an object that brings a `toString` of its own. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
