import type { Family } from '../resources/family.ts'
import { grantResource } from './grant.ts'

/** Offers that visitors take with one click after a checkout. */
export const offers: Family = { resources: [grantResource] }
