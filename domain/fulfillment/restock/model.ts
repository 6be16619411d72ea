import { managed } from '../../kernel/model/field.ts'
import { choice, reference } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { lineAttributes } from '../line-attributes.ts'

/** Quantity of an invoice's line item that will not be sent, and the stock it returns to, where that is counted. */
export const restockLineItem = model('orders/invoices/restocks/line_item', {
  stream: 'orders/invoices/restock',
  owner: 'restock_id',
  attributes: lineAttributes,
  events: { RestockLineItemIncluded: { creates: true } },
})

/** Sold goods that will not be sent and are for sale again. */
export const restock = model('orders/invoices/restock', {
  attributes: {
    contact_id: reference('contact', { required: true }),
    status: managed(choice(['cancelled', 'restocked'], { initial: 'restocked' })),
  },
  events: {
    RestockCreated: { creates: true, except: ['status'] },
    RestockCancelled: { constants: { status: 'cancelled' } },
  },
  children: { line_items: { model: restockLineItem, key: 'line_item_id' } },
})
