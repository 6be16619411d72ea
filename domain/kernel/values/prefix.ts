/** So many first letters of a value, without regard to case; `undefined` when it is shorter. */
export const prefixOf = (value: string, letters: number): string | undefined => {
  const all = [...value.trim().toLowerCase()]
  return all.length < letters ? undefined : all.slice(0, letters).join('')
}
