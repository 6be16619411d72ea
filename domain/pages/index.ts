import type { Family } from '../resources/family.ts'
import { pageResource } from './page/index.ts'
import { deletedPagesLeave } from './policies.ts'

/** Pages, hosted here or by the customer. */
export const pages: Family = { resources: [pageResource], policies: [deletedPagesLeave] }
