/** Letters that Unicode does not take apart, as they are written without their marks. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Reduces a name to what is compared: letters and digits, without accents, case and the article. */
export const plainName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    // D.C. is DC.
    .replace(/(?<!\p{L}\p{L})\.(?=\p{L}(?!\p{L}))/gu, '')
    // An apostrophe belongs to its word: Hawai'i, Côte d'Ivoire.
    .replace(/['’‘ʻʼ`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Spells umlauts by two letters, as who has no key for them does. */
export const withoutUmlauts = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)
