import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, integer, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { AgreedPrice } from '../agreed-price.ts'

/** Price of the running period and the start of that period, where the line item has moved to another price since. */
export type Running = {
  readonly price_id: number
  /** Absent in records that are older than agreed prices. */
  readonly price?: AgreedPrice
  readonly periods: number
  readonly since: string
}

/** Ordered product: its variant, price and quantity. */
export const lineItem = model('orders/line_item', {
  stream: 'order',
  owner: 'order_id',
  attributes: {
    product_id: reference('product', { required: true, shown: 'never' }),
    variant_id: reference('products/variant', { required: true, shown: 'never' }),
    products_price_id: reference('products/price', { required: true, shown: 'never' }),
    quantity: integer({ required: true }),
    agreed: managed(data<AgreedPrice | null>(Type.Unknown(), { nullable: true }), { shown: 'never' }),
    prorated: managed(text()),
    running: managed(data<Running | null>(Type.Unknown(), { nullable: true }), { shown: 'never' }),
  },
  events: {
    OrderLineItemAdded: { creates: true, except: ['prorated', 'running'] },
    OrderLineItemChanged: { sets: ['product_id', 'variant_id', 'products_price_id', 'prorated', 'running', 'agreed'] },
  },
})
