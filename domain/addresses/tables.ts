import { iso31661, iso31662 } from 'iso-3166'

/** Country of ISO 3166-1. */
export interface Country {
  readonly iso2: string
  readonly iso3: string
  /** English short name of ISO 3166-1. */
  readonly name: string
  readonly regions: readonly Region[]
}

/** Subdivision of ISO 3166-2, such as a state or province. */
export interface Region {
  /** Without the country code: `AK`, not `US-AK`. */
  readonly code: string
  readonly name: string
  readonly isTop: boolean
}

/** Regions of addresses that ISO 3166-2 does not have: mail of the armed forces of the United States. */
const MILITARY: readonly Region[] = [
  { code: 'AA', name: 'Armed Forces Americas', isTop: true },
  { code: 'AE', name: 'Armed Forces Europe', isTop: true },
  { code: 'AP', name: 'Armed Forces Pacific', isTop: true },
]

const regions = new Map<string, Region[]>(iso31661.map(({ alpha2 }) => [alpha2, []]))
for (const { code, name, parent } of iso31662) {
  const country = code.slice(0, 2)
  regions.get(country)?.push({ code: code.slice(3), name, isTop: parent === country })
}
regions.get('US')?.push(...MILITARY)

/** Every country by its two-letter code, sorted by code. */
export const countries: ReadonlyMap<string, Country> = new Map(
  iso31661
    .map(
      ({ alpha2, alpha3, name }): Country => ({
        iso2: alpha2,
        iso3: alpha3,
        name,
        regions: regions.get(alpha2) ?? [],
      }),
    )
    .sort((a, b) => (a.iso2 < b.iso2 ? -1 : 1))
    .map((country) => [country.iso2, country]),
)

/** Finds a country by its two-letter code, in either case. */
export const countryBy = (code: string): Country | undefined => countries.get(code.toUpperCase())

/** Returns the country names in the first of these languages that is known, otherwise in English. */
export const namesIn = (locales: readonly string[]): ((iso2: string) => string) => {
  const names = new Intl.DisplayNames([...locales, 'en'], { type: 'region' })
  return (iso2) => names.of(iso2) ?? iso2
}
