export { COMPENSATED, COMPENSATING, COMPLETED, RUNNING } from '../resources/process/status.ts'
export { type CartToPrice, type PricedCheckout, priceLines } from './checkout/cart.ts'
export { hasFreedCart } from './checkout/left-open.ts'
export { DIGITS_ON_PAGES, unitsOnPages } from './checkout/minor-units.ts'
export { checkout } from './checkout/model.ts'
export { BANK, checkouts } from './checkout/process.ts'
export { startOf } from './checkout/recurring.ts'
export { CART, PURCHASE, TOTALS_CHANGED } from './checkout/rules.ts'
export { lineTerms, priceText } from './checkout/terms.ts'
export {
  BOUGHT,
  ENTITLING,
  type Entitlement,
  entitlementsByLines,
  entitlementsOf,
  firstPaid,
  isOpenAt,
  mayEntitle,
} from './entitlements.ts'
export { filesOf } from './files.ts'
export type { Fulfilling } from './fulfilled.ts'
export { invoice, invoiceLineItem } from './invoice/model.ts'
export { placeOf } from './invoice/number.ts'
export { lineItem } from './order/line-item.ts'
export { orders } from './order/rules.ts'
export { orderFilePath, orderPath } from './paths.ts'
export { isPayable } from './statuses.ts'
export { transaction } from './transaction/model.ts'
