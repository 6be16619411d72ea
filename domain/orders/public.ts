export type { Fulfilling } from './fulfilled.ts'
export { invoice, invoiceLineItem } from './invoice/model.ts'
export { lineItem } from './order/line-item.ts'
export { orders } from './order/rules.ts'
