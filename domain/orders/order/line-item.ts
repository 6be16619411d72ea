import { kept } from '../../kernel/field.ts'
import { integer, reference, text } from '../../kernel/fields.ts'
import { model } from '../../kernel/model.ts'

/** What of a product is ordered, how often, and at which price. */
export const lineItem = model('orders/line_item', {
  owner: 'order_id',
  attributes: {
    product_id: reference('product', { required: true, shown: 'never' }),
    variant_id: reference('products/variant', { required: true, shown: 'never' }),
    products_price_id: reference('products/price', { required: true, shown: 'never' }),
    quantity: integer({ required: true }),
    prorated: kept(text()),
  },
  events: { OrderLineItemAdded: { born: true, except: ['prorated'] } },
})
