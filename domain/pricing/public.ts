export type {
  Cart,
  CartLine,
  Charged,
  DiscountTerms,
  PricedCart,
  PricedLine,
  Reason,
  Tax,
  TaxRate,
  Unused,
} from './cart.ts'
export { priceCart, untaxed } from './price.ts'
export { whyNotFor } from './scope.ts'
