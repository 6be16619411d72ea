import { integer, reference } from '../kernel/model/fields.ts'

/** Part of a line item of an invoice, and the stock that it is taken from or goes back to, where that is counted. */
export const lineAttributes = {
  invoices_line_item_id: reference('orders/invoices/line_item', { required: true }),
  quantity: integer({ required: true }),
  order_id: reference('order', { required: true, shown: 'never' }),
  stock_id: reference('fulfillments/stock', { nullable: true, shown: 'never' }),
}
