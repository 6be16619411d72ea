import { createRequire } from 'node:module'
import { plainName } from '../../domain/addresses/spelling.ts'
import { countries } from '../../domain/addresses/tables.ts'

interface Subdivisions {
  readonly subdivisions: { readonly localeDisplayNames: { readonly subdivisions: Readonly<Record<string, string>> } }
}

/**
 * Returns the English names of regions in CLDR that ISO 3166-2 spells otherwise, as `code name|code name`. Codes that
 * ISO has replaced are among them where a region of today has their name, since addresses go on using them.
 */
export const englishRegions = (): Readonly<Record<string, string>> => {
  const cldr = createRequire(import.meta.url)('cldr-subdivisions-full/subdivisions/en/en.json') as Subdivisions
  const all = Object.entries(cldr.subdivisions.localeDisplayNames.subdivisions)
  const rows = [...countries.values()].map(({ iso2, regions }): readonly [string, string] => {
    const own = all
      .filter(([key]) => key.startsWith(iso2.toLowerCase()))
      .map(([key, name]) => [key.slice(2), name] as const)
    const nameOf = new Map(regions.map(({ code, name }) => [code.toLowerCase(), plainName(name)]))
    const current = new Set([
      ...nameOf.values(),
      ...own.filter(([key]) => nameOf.has(key)).map(([, name]) => plainName(name)),
    ])
    return [
      iso2,
      own
        .filter(([key, name]) => (nameOf.has(key) ? nameOf.get(key) !== plainName(name) : current.has(plainName(name))))
        .map(([key, name]) => `${key.toUpperCase()} ${name}`)
        .join('|'),
    ]
  })
  return Object.fromEntries(rows.filter(([, names]) => names !== ''))
}
