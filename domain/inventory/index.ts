import type { Family } from '../resources/family.ts'
import { locationResource } from './location.ts'
import { stockResource } from './stock/index.ts'

/** Stock and its locations. */
export const inventory: Family = { resources: [locationResource, stockResource] }
