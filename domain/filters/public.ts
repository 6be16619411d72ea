export { contactFilters, filterCopy } from './audience.ts'
export { refineFilterResource } from './refine-filter/index.ts'
export { contactSelector } from './select.ts'
