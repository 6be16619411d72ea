import { Type } from 'typebox'
import { type Field, field, type Held, type Options, problem } from '../kernel/model/field.ts'
import { countryBy, type Region } from './tables.ts'

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/**
 * The region of a country that a value names, by its code (`AK`, `US-AK`) or its name. Subdivisions of regions are found as well, although they
 * are not listed: people know their address by either.
 *
 * @param country code of two letters
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

/** A country by its code of two letters (ISO 3166-1), kept in capitals; an empty text is none, where there need not be one. */
export const countryCode = <const O extends Options = Options>(options: O = {} as O): Field<Held<string, O>> => {
  const pattern = options.required ? '^[A-Za-z]{2}$' : '^([A-Za-z]{2})?$'
  return field(Type.String({ pattern }), { about: 'ISO 3166-1 alpha-2 code', ...options }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    if (value === '') return { value: null }
    const country = countryBy(value)
    return country ? { value: country.iso2 } : problem('is not a known country', 'inclusion')
  })
}

/** A region by its code (ISO 3166-2: `US-AK`), kept in capitals. */
export const regionId = (): Field<string> =>
  field(Type.String({ pattern: '^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$' }), { about: 'ISO 3166-2 code' }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    const country = value.slice(0, 2).toUpperCase()
    const found = value[2] === '-' ? regionIn(country, value) : undefined
    return found ? { value: `${country}-${found.code}` } : problem('is not a known region', 'inclusion')
  })
