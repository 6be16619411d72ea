import { countries, type Region } from '../../domain/addresses/tables.ts'

/** Countries in whose addresses a region of the first level of ISO 3166-2 stands. */
const FIRST_LEVEL = 'AE AU BR CA CN CO IN JP KR MX MY TH UA US VE'.split(' ')
/** Countries in whose addresses a province, of the second level, stands, with those of the first that have none below them. */
const SECOND_LEVEL: Readonly<Record<string, readonly string[]>> = { ES: ['CE', 'ML'], IT: ['23'] }

const regionsOf = (country: string): readonly Region[] => {
  const all = countries.get(country)?.regions ?? []
  const alone = SECOND_LEVEL[country]
  return all.filter(({ isTop, code }) => (alone ? !isTop || alone.includes(code) : isTop))
}

const listed = (country: string): string =>
  regionsOf(country)
    .map(({ code, name }) => `${code} ${name}`)
    .join('|')

/**
 * Codes of all countries, and the regions of those whose addresses need one, as `code name|code name`: what the address form of the SDK
 * offers for choice.
 */
export const regionsTable = () => ({
  countries: [...countries.keys()].join(' '),
  regions: Object.fromEntries([...FIRST_LEVEL, ...Object.keys(SECOND_LEVEL)].sort().map((one) => [one, listed(one)])),
})
