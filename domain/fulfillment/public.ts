export { type ForOrder, stockFor, type Wanted } from './stock/for-order.ts'
export { available } from './stock/quantities.ts'
