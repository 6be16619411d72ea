export { contactFilters } from './audience.ts'
export { filterTest } from './meets.ts'
export { refineFilterResource } from './refine-filter/index.ts'
export { contactSelector } from './select.ts'
