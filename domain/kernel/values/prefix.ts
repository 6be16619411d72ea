/** Returns the first letters of a value, trimmed and in lower case; `undefined` when the value is shorter. */
export const prefixOf = (value: string, letters: number): string | undefined => {
  const characters = [...value.trim().toLowerCase()]
  return characters.length < letters ? undefined : characters.slice(0, letters).join('')
}
