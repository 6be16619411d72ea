import type { Family } from '../kinds/family.ts'
import { locationResource } from './location.ts'
import { stockResource } from './stock/index.ts'

/** How what was sold reaches whoever bought it. */
export const fulfillment: Family = { resources: [locationResource, stockResource] }
