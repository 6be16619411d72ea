import { iso31661, iso31662 } from 'iso-3166'

/** A country as it is listed (ISO 3166-1). */
export interface Country {
  readonly iso2: string
  readonly iso3: string
  readonly regions: readonly Region[]
}

/** A subdivision (ISO 3166-2), such as a state or a province. */
export interface Region {
  /** Without the code of the country: `AK`, not `US-AK`. */
  readonly code: string
  readonly name: string
  readonly isTop: boolean
}

const regions = new Map<string, Region[]>(iso31661.map(({ alpha2 }) => [alpha2, []]))
for (const { code, name, parent } of iso31662) {
  const country = code.slice(0, 2)
  regions.get(country)?.push({ code: code.slice(3), name, isTop: parent === country })
}

/** Every country, by its code of two letters and in the order of these. */
export const countries: ReadonlyMap<string, Country> = new Map(
  iso31661
    .map(({ alpha2, alpha3 }): Country => ({ iso2: alpha2, iso3: alpha3, regions: regions.get(alpha2) ?? [] }))
    .sort((a, b) => (a.iso2 < b.iso2 ? -1 : 1))
    .map((country) => [country.iso2, country]),
)

/** The country with a code of two letters, in whatever case. */
export const countryBy = (code: string): Country | undefined => countries.get(code.toUpperCase())

/** The names of countries in the first of these languages that is known; in English, where none is. */
export const namesIn = (locales: readonly string[]): ((iso2: string) => string) => {
  const names = new Intl.DisplayNames([...locales, 'en'], { type: 'region' })
  return (iso2) => names.of(iso2) ?? iso2
}
