import { managed, sequence } from '../../kernel/model/field.ts'
import { choice, flag, integer, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { lineAttributes } from '../line-attributes.ts'

/**
 * Quantity of an invoice's line item that a fulfilment sends, and the stock it is taken from, where that is counted.
 */
export const fulfillmentLineItem = model('fulfillments/line_item', {
  stream: 'fulfillment',
  owner: 'fulfillment_id',
  attributes: lineAttributes,
  events: { FulfillmentLineItemIncluded: { creates: true } },
})

/** Shipment to a contact from a location, of one or more orders. */
export const fulfillment = model('fulfillment', {
  attributes: {
    contact_id: reference('contact', { required: true }),
    status: managed(choice(['cancelled', 'fulfilled', 'restocked'], { initial: 'fulfilled' })),
    tracking_url: text({ nullable: true, max: 2000 }),
    shipping_provider: text({ nullable: true }),
    tracking_code: text({ nullable: true }),
    // Where it was sent from stays true, and its goods can be returned there.
    location_id: reference('fulfillments/location', { required: true, onTargetEnd: 'keep' }),
    fulfillment_number: sequence(integer({ required: true })),
    ignore_out_of_stock: flag({ initial: false, shown: 'never', about: 'Send it although stock says it is not there' }),
    notify_customer: flag({ nullable: true, about: 'Whether the buyer gets a mail about it' }),
  },
  events: {
    FulfillmentCreated: { creates: true, except: ['status'] },
    FulfillmentChanged: { changes: 'rest' },
    FulfillmentCancelled: { constants: { status: 'cancelled' } },
    FulfillmentRemoved: { ends: true },
  },
  children: { line_items: { model: fulfillmentLineItem, key: 'line_item_id', keys: 'line_item_ids' } },
})
