import { managed } from '../../kernel/model/field.ts'
import { amount, choice, flag, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const TYPES = ['code', 'automatic', 'sale'] as const
const METHODS = ['percentage', 'fixed', 'shipping', 'bogo'] as const
const SCOPES = ['all_products', 'specific_products', 'specific_variants', 'specific_collections'] as const

/** Choice field with the contract's own error message, of `null` too. */
const oneOf = <const W extends string, const I extends W>(name: string, words: readonly W[], initial: I) =>
  choice(words, { initial, wordsNull: true, label: `\`${name}\``, says: `must be one of: ${words.join(', ')}.` })

/** How buyers get a discount; `type` in spec 2.3, `discount_type` in the contract. */
export const discountType = (name: string) => oneOf(name, TYPES, 'code')

const ids = (resource: string) => list(reference(resource), { initial: [] })

/** Price reduction, with its scope and period (spec 2.3, 3). */
export const discount = model('discount', {
  attributes: {
    name: text({ required: true }),
    code: text({
      initial: '',
      label: 'Coupon Code',
      form: { test: /^[a-zA-Z0-9-]+$/, says: 'only allows letters, numbers, and hyphens' },
    }),
    discount_type: discountType('discount_type'),
    discount_method: oneOf('discount_method', METHODS, 'percentage'),
    percent: amount({ nullable: true, about: '0.01 to 100, with at most 2 decimals' }),
    amount: amount({ nullable: true }),
    currency: text({ required: true }),
    applies_to: oneOf('applies_to', SCOPES, 'all_products'),
    apply_from: moment({ required: true }),
    apply_until: moment({ nullable: true, dateAlone: 'ends' }),
    limit_1_per_customer: flag({ initial: false }),
    require_minimum_spend: flag({ initial: false }),
    require_minimum_spend_amount: integer({ nullable: true, min: 0, max: 1_000_000_000_000, about: 'In whole units' }),
    discounts_per_redemption: integer({ nullable: true, min: 1, max: 1_000_000 }),
    product_ids: ids('product'),
    variant_ids: ids('products/variant'),
    products_collection_ids: ids('products/collection'),
    /** Whether a checkout ever reserved it, even without success. */
    applied: managed(flag({ initial: false }), { shown: 'never' }),
  },
  events: {
    DiscountCreated: { creates: true, except: ['applied'] },
    DiscountScheduled: { sets: ['apply_from', 'apply_until'] },
    DiscountChanged: { changes: 'rest' },
    DiscountApplied: { constants: { applied: true } },
    // A discount that expires before its start never starts.
    DiscountExpired: {
      evolve: (before: { readonly apply_from: string } | undefined, _: object, { at }) => ({
        apply_until: at,
        ...(before && before.apply_from > at && { apply_from: at }),
      }),
    },
    DiscountRemoved: { ends: true },
  },
  unique: [{ attributes: ['code'], says: 'Coupon Code is already being used in another Discount or Coupon' }],
})

/** Period of a discount: from its first moment, inclusive, until its end, exclusive. */
export type Period = { readonly apply_from: string; readonly apply_until: string | null }

/** State of a discount at a time. All times are ISO 8601. */
export const stateAt = ({ apply_from, apply_until }: Period, at: string): 'scheduled' | 'active' | 'expired' => {
  if (apply_until !== null && apply_until <= at) return 'expired'
  return apply_from > at ? 'scheduled' : 'active'
}
