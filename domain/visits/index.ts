import type { Family } from '../resources/family.ts'
import { placementResource } from './placement/index.ts'

/** What visitors of pages do. */
export const visits: Family = {
  resources: [placementResource],
}
