import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { regionsTable } from './regions-table.ts'

const { countries, regions } = regionsTable()

/** Writes the regions of the SDK's address form from ISO 3166; run from the root of the package. */
writeFileSync(
  path.resolve('sdk/checkout/addresses/regions.ts'),
  `/** Codes of all countries. Written by infra/docs/write-regions.ts. */
export const COUNTRIES = ${JSON.stringify(countries)}

/** Regions of the countries whose addresses need one, as \`code name|code name\`. */
export const REGIONS: Readonly<Record<string, string>> = ${JSON.stringify(regions, null, 2)}
`,
)
