import type { Family } from '../resources/family.ts'
import { contactFilter } from './contact-filter.ts'
import { refineFilterResource } from './refine-filter/index.ts'

/** Contact filters, stored or made from a description in plain words. */
export const filters: Family = { resources: [refineFilterResource, contactFilter] }
