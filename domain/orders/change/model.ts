import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { Upcoming } from './upcoming.ts'

const hidden = { shown: 'never' } as const

/** Move of a subscription from one price to another. */
export const lineItemChange = model('orders/line_items/change', {
  stream: 'order',
  owner: 'order_id',
  attributes: {
    line_item_id: reference('orders/line_item', { required: true }),
    products_price_id: reference('products/price', { required: true, about: 'One of the change options' }),
    prorate: flag({ nullable: true, about: 'Default: true for upgrades. Physical line items are never prorated' }),
    effective_time: text({
      nullable: true,
      emptyIsNull: true,
      about: 'now or next_renewal. Default: now for upgrades, next_renewal for downgrades',
    }),
    direction: managed(choice(['upgrade', 'downgrade'], { required: true }), hidden),
    product_id: managed(reference('product', { required: true }), hidden),
    variant_id: managed(reference('products/variant', { required: true }), hidden),
    previous_product_id: managed(reference('product', { required: true }), hidden),
    previous_variant_id: managed(reference('products/variant', { required: true }), hidden),
    previous_price_id: managed(reference('products/price', { required: true }), hidden),
    previous_prorated: managed(text({ nullable: true }), hidden),
    /** The upcoming invoice as it was at the time of the change. */
    upcoming: managed(data<Upcoming>(Type.Unknown(), { required: true }), hidden),
  },
  events: {
    SubscriptionUpgraded: { creates: true },
    SubscriptionDowngraded: { creates: true },
  },
})
