import type { Family } from '../resources/family.ts'
import { contactFilter } from './contact-filter.ts'
import { refineFilterResource } from './refine-filter/index.ts'

/** Who is meant: filters of contacts, stored or made of plain words. */
export const filters: Family = { resources: [refineFilterResource, contactFilter] }
