/** Characters that a reader does not see: zero widths, soft hyphens, byte order marks, marks of direction and the like. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu

const SEEN = /[^\s\p{Default_Ignorable_Code_Point}]/u
const PLAIN = /^[\x20-\x7e]*$/

/** Returns a text without the characters that a reader does not see. */
export const visible = (text: string): string => (PLAIN.test(text) ? text : text.replace(INVISIBLE, ''))

/** Tells whether a reader sees nothing of a text. */
export const isBlankText = (text: string): boolean => !SEEN.test(text)

/**
 * Returns the form in which texts are compared, wherever they are looked up, filtered or unique. Two texts that a reader takes for the same have
 * the same form: it ignores case, outer white space, invisible characters, and the encoding of characters (NFC, NFD, NFKC).
 */
export const comparable = (text: string): string =>
  PLAIN.test(text) ? text.trim().toLowerCase() : visible(text).normalize('NFKC').trim().toLowerCase()
