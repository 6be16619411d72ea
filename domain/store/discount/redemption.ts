import { ask } from '../../kernel/decide/ask.ts'
import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { managed } from '../../kernel/model/field.ts'
import { choice, flag, integer, reference } from '../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../kernel/model/model.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import type { Loader } from '../../resources/view-types.ts'
import { discount, stateAt } from './model.ts'
import { MESSAGES } from './unusable-reason.ts'

/** Use of a discount by an order: reserved during payment, redeemed with the sale, released without one. */
export const redemption = model('discounts/redemption', {
  attributes: {
    discount_id: reference('discount', { required: true, onTargetEnd: 'keep' }),
    contact_id: reference('contact', { required: true }),
    /** Given at the start, or with `redeem`. */
    order_id: integer({ nullable: true }),
    /** Whether the contact may hold no other redemption of the discount. */
    once: managed(flag({ initial: false })),
    state: managed(choice(['applied', 'redeemed', 'released'], { initial: 'applied' })),
  },
  events: {
    DiscountReserved: { creates: true, except: ['state'] },
    DiscountRedeemed: { sets: ['order_id'], constants: { state: 'redeemed' } },
    DiscountReleased: { constants: { state: 'released' } },
  },
  derives: {
    version: 1,
    of: ({ state, discount_id }) => ({ redeemed_discount_id: state === 'redeemed' ? discount_id : null }),
  },
})

const { event } = redemption
type Redemption = DecisionContext<typeof redemption>
type RedemptionOf = ActContext<typeof redemption>

const loadFacts = ({ before, wanted }: Redemption, read: Reader) =>
  before ? undefined : read.one(discount, wanted.discount_id)
type Facts = Awaited<ReturnType<typeof loadFacts>>

const reserve = ({ before, at }: Redemption, found: Facts) => {
  if (before) return undefined
  if (!found) return refuse.invalid(MESSAGES.unknown, 'discount_id', 'unknown')
  const state = stateAt(found, at)
  return state === 'active'
    ? { once: found.limit_1_per_customer }
    : refuse.invalid(MESSAGES[state], 'discount_id', state)
}

const redeem = ({ before, wanted: { order_id = before.order_id } }: RedemptionOf) => {
  if (before.state === 'redeemed') return []
  return before.state === 'released'
    ? refuse.conflict('The discount has been released')
    : [event.DiscountRedeemed({ order_id })]
}

const release = ({ before }: RedemptionOf) => (before.state === 'released' ? [] : [event.DiscountReleased()])

/** Claim of a contact on a discount with one use per customer, held until the redemption is released. */
const heldBy = ({ once, state, discount_id, contact_id }: RecordOf<typeof redemption>) =>
  once && state !== 'released'
    ? [
        {
          scope: `discounts/redemption.contact:${discount_id}`,
          value: String(contact_id),
          field: 'discount_id',
          says: MESSAGES.used,
        },
      ]
    : []

/** Rules of a redemption (spec 3). Every act may be repeated. */
export const redemptions = decider(redemption, {
  rules: rules(redemption, { loadFacts, save: [reserve], acts: { redeem, release } }),
  claims: heldBy,
})

/** Discounts::Redemption: has no endpoints; discounts count the redeemed ones. */
export const redemptionResource = serve(redemption, redemptions, {
  title: 'Discounts::Redemption',
  root: 'discounts_redemption',
  category: 'store',
  under: workspace,
  indexes: [
    { fields: ['discount_id'] },
    { fields: ['order_id'] },
    { fields: ['redeemed_discount_id'] },
    { fields: ['discount_id', 'contact_id'] },
  ],
  operations: {},
})

/** Ids of the discounts of an order. */
export const discountsOn = async (orderId: number, load: Loader): Promise<number[]> =>
  (await load.where('discounts/redemption', 'order_id', orderId))
    .filter(({ state }) => state !== 'released')
    .map(({ discount_id }) => Number(discount_id))

type Reserved = { readonly discount_id: number; readonly contact_id: number; readonly order_id?: number | null }

/**
 * Command that reserves a discount for an order about to be paid. The result is the id of the redemption. Refused when
 * the discount is missing, inactive, or used up for the contact.
 */
export const reserveDiscount = (wanted: Reserved, workspaceId: number) =>
  ask(redemptions, 'new', 'create', wanted, { workspaceId })

/** Command that redeems a discount when the sale is complete. Refused when the redemption was released. */
export const redeemDiscount = (id: number, order_id: number) => ask(redemptions, id, 'redeem', { order_id })

/** Command that releases a discount, before it was redeemed or when the sale is compensated. */
export const releaseDiscount = (id: number) => ask(redemptions, id, 'release', {})
