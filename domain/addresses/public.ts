import { Type } from 'typebox'
import { type Field, type FieldValue, field, type Options, problem } from '../kernel/model/field.ts'
import { countryCodeOf } from './country-names.ts'
import { regionIn } from './region-names.ts'
import { countryBy } from './tables.ts'

export { countryCodeOf } from './country-names.ts'
export { regionIn } from './region-names.ts'

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
 * Returns the region of an address as its code. A region that is not known stays as it was typed: lists are never
 * complete, and nobody should fail to buy by the name of their county.
 *
 * @param country two-letter code
 */
export const addressRegion = (country: string, region: string): string => regionIn(country, region)?.code ?? region

/** Field for a region code (ISO 3166-2, such as `US-AK`), stored in upper case. */
export const regionId = (): Field<string> =>
  field(Type.String({ pattern: '^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$' }), { about: 'ISO 3166-2 code' }, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    const country = value.slice(0, 2).toUpperCase()
    const found = value[2] === '-' ? regionIn(country, value) : undefined
    return found ? { value: `${country}-${found.code}` } : problem('is not a known region', 'inclusion')
  })
