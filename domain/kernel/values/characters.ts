const SEEN = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns the number of characters of Unicode in a text. Readers may see several of them as one. */
export const charactersIn = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Returns the places before and after a place where a text can be cut so that no character that readers see is halved: that place itself twice, if it can be cut there. */
export const placesAround = (text: string, at: number): readonly [before: number, after: number] => {
  const found = at < text.length ? SEEN.segment(text).containing(at) : undefined
  if (!found || found.index === at) return [Math.min(at, text.length), Math.min(at, text.length)]
  return [found.index, found.index + found.segment.length]
}

/** Returns the last place, up to a place, where a text can be cut so that no character that readers see is halved. */
export const lastPlace = (text: string, at: number): number => placesAround(text.slice(0, at + 2), at)[0]

/**
 * Returns the beginning of a text, without half a character at its end. Of a single character that is longer, it has what there is room for.
 *
 * @param most units of UTF-16
 */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, lastPlace(text, most) || most).toWellFormed()

/** Returns a text, or its beginning with an ellipsis where it is longer. @param most units of UTF-16, with the ellipsis */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${beginningOf(text, most - 1).trimEnd()}…`
