import { Type } from 'typebox'
import { type Field, type FieldValue, field, type Options, problem } from '../kernel/model/field.ts'
import { countryCodeOf } from './country-names.ts'
import { type Country, countryBy, type Region } from './tables.ts'

export { countryCodeOf } from './country-names.ts'

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Longest text that may name a region. */
const LONGEST = 255

interface RegionIndex {
  readonly codes: ReadonlyMap<string, Region>
  readonly names: ReadonlyMap<string, Region>
}

/** Regions by code and by name, for each country that was asked for. The first of several with one name counts. */
const indexes = new Map<string, RegionIndex>()

const indexOf = ({ iso2, regions }: Country): RegionIndex => {
  const known = indexes.get(iso2)
  if (known) return known
  const by = (text: (region: Region) => string) =>
    new Map(regions.toReversed().map((region) => [plain(text(region)), region]))
  const index = { codes: by(({ code }) => code), names: by(({ name }) => name) }
  indexes.set(iso2, index)
  return index
}

/**
 * Finds a region of a country by its code (`AK`, `US-AK`) or name. Also finds subdivisions of regions, which are not
 * listed, since addresses use either.
 *
 * @param country two-letter code
 */
export const regionIn = (country: string, value: string): Region | undefined => {
  const found = value.length > LONGEST ? undefined : countryBy(country)
  if (!found) return undefined
  const { codes, names } = indexOf(found)
  const asked = plain(value)
  const code = asked.startsWith(`${country.toLowerCase()}-`) ? asked.slice(3) : asked
  return codes.get(code) ?? names.get(asked)
}

/**
 * Field for a two-letter country code (ISO 3166-1), stored in upper case. An empty text is null where the field is not
 * required.
 */
export const countryCode = <const O extends Options = Options>(options: O = {} as O): Field<FieldValue<string, O>> => {
  const pattern = options.required ? '^[A-Za-z]{2}$' : '^([A-Za-z]{2})?$'
  return field(Type.String({ pattern }), { about: 'ISO 3166-1 alpha-2 code', ...options }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    if (value === '') return { value: null }
    const country = countryBy(value)
    return country ? { value: country.iso2 } : problem('is not a known country', 'inclusion')
  })
}

const LONGEST_NAME = 100
const COUNTRY = 'ISO 3166-1 alpha-2 code. A name or an alpha-3 code is replaced by it'

/** Field for the country of an address, stored as its two-letter code. An empty text is null. */
export const addressCountry = <const O extends Options = Options>(options: O = {} as O): Field<FieldValue<string, O>> =>
  field(
    Type.String(),
    { about: COUNTRY, ...options },
    (value) => {
      if (typeof value !== 'string') return problem('must be a string', 'type')
      if (value.trim() === '') return { value: null }
      const code = value.length > LONGEST_NAME ? undefined : countryCodeOf(value)
      return code === undefined ? problem('is not a known country', 'inclusion') : { value: code }
    },
    { sends: Type.String({ pattern: '^([A-Za-z]{2})?$' }) },
  )

/**
 * Returns the region of an address as its code, where its country has a list of regions; `undefined` where it is not in
 * that list.
 *
 * @param country two-letter code
 */
export const addressRegion = (country: string, region: string): string | undefined => {
  const hasRegions = (countryBy(country)?.regions.length ?? 0) > 0
  return hasRegions ? regionIn(country, region)?.code : region
}

/** Field for a region code (ISO 3166-2, such as `US-AK`), stored in upper case. */
export const regionId = (): Field<string> =>
  field(Type.String({ pattern: '^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$' }), { about: 'ISO 3166-2 code' }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    const country = value.slice(0, 2).toUpperCase()
    const found = value[2] === '-' ? regionIn(country, value) : undefined
    return found ? { value: `${country}-${found.code}` } : problem('is not a known region', 'inclusion')
  })
