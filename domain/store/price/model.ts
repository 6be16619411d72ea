import { managed } from '../../kernel/model/field.ts'
import { amount, choice, flag, integer, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const count = () => integer({ nullable: true, min: 0, max: 100_000 })
const optional = () => amount({ nullable: true })

/** Price of a variant, one-time or recurring. */
export const price = model('products/price', {
  attributes: {
    variant_id: managed(reference('products/variant', { required: true })),
    product_id: managed(reference('product', { required: true }), { shown: 'never' }),
    name: text({ nullable: true }),
    amount: amount({ required: true }),
    cost: amount({ nullable: true, initial: '0' }),
    currency: managed(text({ required: true })),
    duration: count(),
    interval: text({ nullable: true, emptyIsNull: true, about: 'days, weeks, months, quarters or years' }),
    trial_interval: text({ nullable: true, emptyIsNull: true }),
    trial_duration: count(),
    trial_amount: amount({ nullable: true, initial: '0' }),
    setup_amount: optional(),
    self_cancel: flag({ nullable: true, initial: false }),
    self_upgrade: flag({ nullable: true, initial: false }),
    self_downgrade: flag({ nullable: true, initial: false }),
    self_reactivate: flag({ nullable: true, initial: false }),
    interval_count: count(),
    payment_type: choice(['one_time', 'subscription', 'payment_plan'], { nullable: true }),
    visible: flag({ nullable: true, initial: true }),
    compare_at_amount: optional(),
    key: text({ nullable: true }),
    archived: flag({ nullable: true, initial: false }),
  },
  events: {
    PriceSet: { creates: true },
    PriceChanged: { changes: 'rest' },
    PriceArchived: { constants: { archived: true } },
    PriceUnarchived: { constants: { archived: false } },
  },
})
