import type { Family } from '../resources/family.ts'
import { country, region } from './country.ts'

/** Countries and regions. */
export const addresses: Family = { resources: [country, region] }
