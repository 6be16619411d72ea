import type { Family } from '../resources/family.ts'
import { locationResource } from './location.ts'
import { stockResource } from './stock/index.ts'

/** What is there to be sold, and where it is kept. */
export const inventory: Family = { resources: [locationResource, stockResource] }
