import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { amount, data, flag, integer, list, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { BankAction } from '../../payments/public.ts'
import { processModel } from '../../resources/process/model.ts'
import { nullableString } from '../../resources/schemas.ts'
import { addresses } from '../addresses.ts'
import type { Plan } from '../billing/schedule.ts'
import type { SoldLine } from '../sale.ts'
import { soldBy } from '../sold-by.ts'

/** Quantity to reserve of a stock. */
export type OfStock = { readonly stock_id: number; readonly quantity: number }

const REASONS = Type.Array(
  Type.Object({
    what: Type.Enum(['price', 'shipping', 'discount', 'tax']),
    line: nullableString,
    amount: Type.String(),
    discount_id: Type.Optional(Type.Integer()),
    tax_rate: Type.Optional(Type.String()),
  }),
)

const price = () => managed(amount({ nullable: true }))
const hidden = { shown: 'never' } as const

/** Checkout in progress: its lines, buyer, amounts and progress. */
export const checkout = processModel('orders/checkout', {
  person: 'contact_id',
  attributes: {
    contact_id: reference('contact', { required: true }),
    live_mode: flag({ required: true, about: 'false: a test order, which no money moves for' }),
    gateway_account_id: reference('payments/gateway_account', {
      nullable: true,
      onTargetEnd: 'keep',
      about:
        'Over which account it is charged, and all that its order owes later; absent: the simulator, for test orders',
    }),
    payment_method_token: text({
      nullable: true,
      personal: true,
      about: 'A payment method that the page has from the gateway. Never shown',
      ...hidden,
    }),
    payment_method_id: text({ nullable: true, about: 'Or one that the gateway keeps already, of an earlier order' }),
    discount_codes: list(text({ required: true }), { initial: [], max: 20 }),
    shipping_option_id: text({ nullable: true, about: 'Of the options for the cart; absent: the cheapest' }),
    notes: longText({ nullable: true }),
    ...addresses,
    lines: managed(data<readonly SoldLine[]>(Type.Array(Type.Object({})), { nullable: true }), hidden),
    /** Quantities to reserve of variants with counted stock. */
    stocks: managed(data<readonly OfStock[]>(Type.Array(Type.Object({})), { nullable: true }), hidden),
    unused_discount_codes: managed(
      list(text(), { initial: [], about: 'Codes that take nothing off this cart; they stay unused' }),
    ),
    discount_ids: managed(list(reference('discount'), { initial: [], onTargetEnd: 'keep' })),
    redemption_ids: managed(list(reference('discounts/redemption'), { initial: [] }), hidden),
    shipping_option: managed(text({ nullable: true })),
    /** The source of each amount. */
    reasons: managed(data<readonly JsonObject[]>(REASONS, { nullable: true })),
    currency: managed(text({ nullable: true })),
    subtotal_amount: price(),
    discount_amount: price(),
    shipping_amount: price(),
    tax_amount: price(),
    total_amount: price(),
    plan: managed(data<Plan | null>(Type.Unknown(), { nullable: true }), hidden),
    trial_end_at: managed(moment({ nullable: true })),
    payment_processor: managed(text({ nullable: true })),
    charge_id: managed(text({ nullable: true }), hidden),
    /** What its page needs while the bank asks the buyer, and what the buyer answered the simulator. */
    action: managed(data<BankAction | null>(Type.Unknown(), { nullable: true }), hidden),
    bank_answer: managed(text({ nullable: true }), hidden),
    /** Id reserved for the order. */
    ordering_id: managed(integer({ nullable: true }), hidden),
    order_id: managed(reference('order', { nullable: true })),
    /** Cart of a page that it pays for, and which attempt it is. */
    cart: managed(text({ nullable: true }), hidden),
    attempt: managed(integer({ nullable: true }), hidden),
    /** Names the visitor, what they buy, and what they last bought of it: of two tabs that pay at the same moment one knows of the other. */
    purchase: managed(text({ nullable: true }), hidden),
    /** Keyed digests of the visitor's address, session and page and of the ten minutes it began in, by which refused cards are counted. */
    tried_from: managed(list(text(), { initial: [] }), hidden),
    ...soldBy,
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
