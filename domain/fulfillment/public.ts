export { stock } from './stock/model.ts'
export { available } from './stock/quantities.ts'
export { stocks } from './stock/rules.ts'
