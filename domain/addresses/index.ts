import type { Family } from '../resources/family.ts'
import { country, region } from './country.ts'

/** What addresses are made of. */
export const addresses: Family = { resources: [country, region] }
