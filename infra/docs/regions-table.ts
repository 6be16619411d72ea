import { ENGLISH_NAMES } from '../../domain/addresses/english-names.ts'
import { countries, type Region } from '../../domain/addresses/tables.ts'

/** Countries in whose addresses a region of the first level of ISO 3166-2 stands. */
const FIRST_LEVEL = 'AE AU BR CA CN CO IN JP KR MX MY TH UA US VE'.split(' ')
/** Countries in whose addresses a province, of the second level, stands, with those of the first that have none below them. */
const SECOND_LEVEL: Readonly<Record<string, readonly string[]>> = { ES: ['CE', 'ML'], IT: ['23'] }

/** Countries whose names ISO 3166-2 transcribes from other letters. People and browsers use the English ones. */
const IN_ENGLISH = new Set('AE CN JP KR TH'.split(' '))

const withoutMarks = (name: string): string => name.normalize('NFD').replace(/[\p{M}‘]/gu, '')

const englishOf = (country: string): ReadonlyMap<string, string> =>
  new Map(
    (IN_ENGLISH.has(country) ? (ENGLISH_NAMES[country] ?? '') : '')
      .split('|')
      .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  )

const regionsOf = (country: string): readonly Region[] => {
  const all = countries.get(country)?.regions ?? []
  const alone = SECOND_LEVEL[country]
  return all.filter(({ isTop, code }) => (alone ? !isTop || alone.includes(code) : isTop))
}

const listed = (country: string): string => {
  const english = englishOf(country)
  return regionsOf(country)
    .map(({ code, name }) => `${code} ${english.get(code) ?? (IN_ENGLISH.has(country) ? withoutMarks(name) : name)}`)
    .join('|')
}

/**
 * Codes of all countries, and the regions of those whose addresses need one, as `code name|code name`: what the address form of the SDK
 * offers for choice.
 */
export const regionsTable = () => ({
  countries: [...countries.keys()].join(' '),
  regions: Object.fromEntries([...FIRST_LEVEL, ...Object.keys(SECOND_LEVEL)].sort().map((one) => [one, listed(one)])),
})
