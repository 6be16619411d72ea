export type { Fulfilling } from './fulfilled.ts'
export { invoiceLineItem } from './invoice/model.ts'
export { orders } from './order/rules.ts'
