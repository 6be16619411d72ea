import { type Static, Type } from 'typebox'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { read, workspace } from '../resources/operations.ts'
import { readOnly } from '../resources/read-only.ts'
import type { ReadInput } from '../resources/read-operation.ts'
import { nullableString } from '../resources/schemas.ts'
import { type Country, countries, countryBy, namesIn } from './tables.ts'

const CODE = 'ISO 3166-1 alpha-2 code of a country'

const schema = Type.Object({
  iso2: Type.String({ description: 'ISO 3166-1 alpha-2 code, for an address' }),
  iso3: Type.String({ description: 'ISO 3166-1 alpha-3 code' }),
  name: Type.String({ description: 'In English' }),
  localized_name: Type.String({ description: 'In the language of the request (`Accept-Language`)' }),
  has_regions: Type.Boolean({ description: 'Whether there are regions to choose from' }),
})

const regionSchema = Type.Object({
  code: nullableString,
  name: Type.String(),
  localized_name: Type.String(),
  country_code: Type.String({ description: CODE }),
})

const inEnglish = namesIn(['en'])

const shownIn = ({ locales }: Pick<ReadInput, 'locales'>): ((country: Country) => Static<typeof schema>) => {
  const localized = namesIn(locales)
  return ({ iso2, iso3, regions }) => ({
    iso2,
    iso3,
    name: inEnglish(iso2),
    localized_name: localized(iso2),
    has_regions: regions.length > 0,
  })
}

const named = (code = ''): Country | Refusal =>
  countryBy(code) ?? refuse.notFound(`Not found: No such country: ${code}`)

/** Addresses::Country: every country of ISO 3166-1, from tables rather than records. */
export const country = readOnly({
  name: 'addresses/country',
  title: 'Addresses::Country',
  root: 'addresses_country',
  category: 'reference',
  under: workspace,
  view: { schema, present: () => ({}) },
  operations: {
    listAddressesCountries: read('/addresses/countries', {
      schema: Type.Array(schema),
      read: async (input) => [...countries.values()].map(shownIn(input)),
    }),
    getAddressesCountries: read('/addresses/countries/{id}', {
      schema,
      byCode: CODE,
      async read(input) {
        const found = named(input.params.id)
        return 'iso2' in found ? shownIn(input)(found) : found
      },
    }),
  },
})

/** Addresses::Region: the top-level subdivisions of a country. Their names are in one language only. */
export const region = readOnly({
  name: 'addresses/region',
  title: 'Addresses::Region',
  root: 'addresses_region',
  category: 'reference',
  under: { param: 'country_id', resource: country.name, field: 'country_code' },
  view: { schema: regionSchema, present: () => ({}) },
  operations: {
    listAddressesCountriesRegions: read('/addresses/countries/{country_id}/regions', {
      schema: Type.Array(regionSchema),
      byCode: CODE,
      async read({ params }) {
        const found = named(params.country_id)
        if (!('iso2' in found)) return found
        return found.regions
          .filter(({ isTop }) => isTop)
          .map(({ code, name }) => ({ code, name, localized_name: name, country_code: found.iso2 }))
      },
    }),
  },
})
