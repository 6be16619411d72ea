import { plainName } from './spelling.ts'
import { countries, countryBy, namesIn } from './tables.ts'

/** Languages whose names of countries are understood. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt']

/** Names in common use that the tables do not have. */
const SYNONYMS: Readonly<Record<string, string>> = {
  UK: 'GB',
  'Great Britain': 'GB',
  England: 'GB',
  Scotland: 'GB',
  Wales: 'GB',
  'Northern Ireland': 'GB',
  'United States of America': 'US',
  America: 'US',
  Holland: 'NL',
  'Republic of Ireland': 'IE',
  Czechia: 'CZ',
  'Czech Republic': 'CZ',
  Turkey: 'TR',
  'Ivory Coast': 'CI',
  'Cape Verde': 'CV',
  Swaziland: 'SZ',
  Macedonia: 'MK',
  Burma: 'MM',
  'Republic of Korea': 'KR',
  'Russian Federation': 'RU',
  'Viet Nam': 'VN',
  UAE: 'AE',
}

/** Spelling without spaces, for abbreviations such as `U.S.A.`. */
const joined = (name: string): string => name.replaceAll(' ', '')

let byName: ReadonlyMap<string, string> | undefined

const names = (): ReadonlyMap<string, string> => {
  if (byName) return byName
  const found = new Map<string, string>()
  for (const language of LANGUAGES) {
    const nameOf = namesIn([language])
    for (const { iso2 } of countries.values()) found.set(plainName(nameOf(iso2)), iso2)
  }
  for (const { iso2, iso3, name } of countries.values()) {
    found.set(iso3.toLowerCase(), iso2)
    found.set(plainName(name), iso2)
  }
  for (const [name, iso2] of Object.entries(SYNONYMS)) found.set(plainName(name), iso2)
  byName = found
  return found
}

/**
 * Returns the two-letter code of a country that is given by a code of ISO 3166-1 or by a name; `undefined` if it is
 * none.
 */
export const countryCodeOf = (text: string): string | undefined => {
  const asked = plainName(text)
  const code = countryBy(joined(asked))?.iso2
  return code ?? names().get(asked) ?? names().get(joined(asked))
}
