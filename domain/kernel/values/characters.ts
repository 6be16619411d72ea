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

/** Returns the place behind so many characters of Unicode. */
export const placeBehind = (text: string, from: number, count: number): number => {
  let at = from
  for (let left = count; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1
  return at
}

/**
 * Returns the beginning of a text, without half of what readers see as one character at its end. Of a single one that is longer, it has what there is room for.
 *
 * @param most characters of Unicode
 */
export const beginningOf = (text: string, most: number): string => {
  const end = placeBehind(text, 0, most)
  return end === text.length ? text : text.slice(0, lastPlace(text, end) || end)
}

/** Returns a text, or its beginning with an ellipsis where it is longer. @param most characters of Unicode, with the ellipsis */
export const shortened = (text: string, most: number): string =>
  placeBehind(text, 0, most) === text.length ? text : `${beginningOf(text, most - 1).trimEnd()}…`
