import { Type } from 'typebox'
import { kept } from '../../kernel/field.ts'
import { amount, data, flag, longText, moment, reference, text } from '../../kernel/fields.ts'
import { processModel } from '../../kinds/process/model.ts'
import { addresses } from '../addresses.ts'
import type { Plan } from '../billing/schedule.ts'
import type { SoldLine } from '../sale.ts'

const price = () => kept(amount({ nullable: true }))
const hidden = { shown: 'never' } as const

/** A sale on its way: what is bought, by whom, what it comes to, and how far it has got. */
export const checkout = processModel('orders/checkout', {
  person: 'contact_id',
  attributes: {
    contact_id: reference('contact', { required: true }),
    live_mode: flag({ required: true, about: 'false: a test order, which no money moves for' }),
    payment_method_token: text({
      nullable: true,
      personal: true,
      about: 'A payment method that the page has from the gateway. Never shown',
      ...hidden,
    }),
    payment_method_id: text({ nullable: true, about: 'Or one that the gateway keeps already, of an earlier order' }),
    notes: longText({ nullable: true }),
    ...addresses,
    lines: kept(data<readonly SoldLine[]>(Type.Array(Type.Object({})), { nullable: true }), hidden),
    currency: kept(text({ nullable: true })),
    subtotal_amount: price(),
    discount_amount: price(),
    shipping_amount: price(),
    tax_amount: price(),
    total_amount: price(),
    plan: kept(data<Plan | null>(Type.Unknown(), { nullable: true }), hidden),
    trial_end_at: kept(moment({ nullable: true })),
    payment_processor: kept(text({ nullable: true })),
    charge_id: kept(text({ nullable: true }), hidden),
    order_id: kept(reference('order', { nullable: true })),
  },
  events: {
    begun: 'CheckoutBegun',
    moved: 'CheckoutMoved',
    calledOff: 'CheckoutCalledOff',
    stuck: 'CheckoutStuck',
    resumed: 'CheckoutResumed',
    completed: 'CheckoutCompleted',
    undone: 'CheckoutUndone',
  },
})
