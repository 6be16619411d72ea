import { integer, reference } from '../kernel/model/fields.ts'

/** Quantity of an invoice's line item, and the stock that it is taken from or returned to, where that is counted. */
export const lineAttributes = {
  invoices_line_item_id: reference('orders/invoices/line_item', { required: true }),
  quantity: integer({ required: true }),
  order_id: reference('order', { required: true, shown: 'never' }),
  stock_id: reference('fulfillments/stock', { nullable: true, shown: 'never', onTargetEnd: 'keep' }),
}
