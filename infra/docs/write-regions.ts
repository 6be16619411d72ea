import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { englishRegions } from './english-regions.ts'
import { regionsTable } from './regions-table.ts'

const { countries, regions } = regionsTable()

/** Writes the regions of the SDK's address form from ISO 3166. Run from the root of the package, then `npm run format`. */
writeFileSync(
  path.resolve('sdk/checkout/addresses/regions.ts'),
  `/** Codes of all countries. Written by infra/docs/write-regions.ts. */
export const COUNTRIES = ${JSON.stringify(countries)}

/** Regions of the countries whose addresses need one, as \`code name|code name\`. */
export const REGIONS: Readonly<Record<string, string>> = ${JSON.stringify(regions, null, 2)}
`,
)

/** Writes the English names of regions, which addresses use beside those of ISO 3166-2. */
writeFileSync(
  path.resolve('domain/addresses/english-names.ts'),
  `/**
 * English names of regions where they differ from those of ISO 3166-2, as \`code name|code name\`, by country. From Unicode CLDR, © Unicode,
 * Inc., under the Unicode License v3. Written by infra/docs/write-regions.ts.
 */
export const ENGLISH_NAMES: Readonly<Record<string, string>> = ${JSON.stringify(englishRegions(), null, 2)}
`,
)
