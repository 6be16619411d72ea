export { available } from './stock/quantities.ts'
export { stocks } from './stock/rules.ts'
