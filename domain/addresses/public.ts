import { Type } from 'typebox'
import { type Field, type FieldValue, field, type Options, problem } from '../kernel/model/field.ts'
import { countryBy, type Region } from './tables.ts'

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/**
 * Finds a region of a country by its code (`AK`, `US-AK`) or name. Also finds subdivisions of regions, which are not
 * listed, since addresses use either.
 *
 * @param country two-letter code
 */
export const regionIn = (country: string, value: string): Region | undefined => {
  const found = countryBy(country)
  const asked = plain(value)
  const code = asked.startsWith(`${country.toLowerCase()}-`) ? asked.slice(3) : asked
  return (
    found?.regions.find((region) => plain(region.code) === code) ??
    found?.regions.find(({ name }) => plain(name) === asked)
  )
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

/** Field for a region code (ISO 3166-2, such as `US-AK`), stored in upper case. */
export const regionId = (): Field<string> =>
  field(Type.String({ pattern: '^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$' }), { about: 'ISO 3166-2 code' }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    const country = value.slice(0, 2).toUpperCase()
    const found = value[2] === '-' ? regionIn(country, value) : undefined
    return found ? { value: `${country}-${found.code}` } : problem('is not a known region', 'inclusion')
  })
