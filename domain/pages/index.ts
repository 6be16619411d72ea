import type { Family } from '../resources/family.ts'
import { pageResource } from './page/index.ts'

/** Pages, hosted here or by the customer. */
export const pages: Family = { resources: [pageResource] }
