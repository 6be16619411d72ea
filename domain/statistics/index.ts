import type { Family } from '../resources/family.ts'
import { statisticsTally } from './tally.ts'

/** Statistics of funnels and pages. They are sums over the events of other families, and shown by their resources. */
export const statistics: Family = { resources: [], tallies: [statisticsTally] }
