import { comparable } from './comparable.ts'

/** Returns the first letters of a value in the form in which texts are compared; `undefined` when the value is shorter. */
export const prefixOf = (value: string, letters: number): string | undefined => {
  const characters = [...comparable(value)]
  return characters.length < letters ? undefined : characters.slice(0, letters).join('')
}
