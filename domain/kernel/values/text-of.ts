/** Returns a client's value as text. Objects become JSON, since `String` would throw for one with its own `toString`. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
