import { scaleOf, toMinor } from '../kernel/values/money.ts'
import type { CartLine, DiscountTerms, Unused } from './cart.ts'

/** Whether a line is in the scope of a discount. */
export const isFor = (
  { applies_to, product_ids, variant_ids, products_collection_ids }: DiscountTerms,
  { product_id, variant_id, collection_ids }: CartLine,
): boolean => {
  if (applies_to === 'specific_products') return product_ids.includes(product_id)
  if (applies_to === 'specific_variants') return variant_ids.includes(variant_id)
  if (applies_to === 'specific_collections') return products_collection_ids.some((id) => collection_ids.includes(id))
  return true
}

/** Price of lines before discounts, in minor units. */
export const subtotalOf = (lines: readonly Pick<CartLine, 'quantity' | 'unit'>[]): bigint =>
  lines.reduce((sum, { quantity, unit }) => sum + BigInt(quantity) * unit, 0n)

/** Minimum spend of a discount, in minor units of its currency; `undefined` when it has none. */
const minimumOf = (discount: DiscountTerms): bigint | undefined =>
  discount.require_minimum_spend && discount.require_minimum_spend_amount !== null
    ? BigInt(discount.require_minimum_spend_amount) * 10n ** BigInt(scaleOf(discount.currency.toUpperCase()))
    : undefined

/**
 * Fixed amount of a discount, in minor units of its currency; `undefined` when it takes a percentage.
 *
 * @throws {RangeError} for an amount that is negative or not one of the currency
 */
export const amountOf = ({ discount_method, amount, currency }: DiscountTerms): bigint | undefined => {
  if (discount_method === 'percentage' || (amount === null && discount_method !== 'fixed')) return undefined
  const minor = toMinor(amount ?? '0', currency.toUpperCase())
  if (minor === undefined || minor < 0n) throw new RangeError(`${amount} is no discount in ${currency}`)
  return minor
}

/** Whether a discount depends on its currency. */
const speaksOfMoney = (discount: DiscountTerms): boolean =>
  amountOf(discount) !== undefined || minimumOf(discount) !== undefined

/**
 * Reason for which a discount does not apply to a cart, regardless of other discounts. An amount or minimum counts in
 * its own currency only. The minimum is compared with the whole cart before discounts and shipping. At least one line
 * must be in scope.
 */
export const whyNotFor = (
  discount: DiscountTerms,
  lines: readonly CartLine[],
  currency: string,
): Exclude<Unused, 'nothing_left'> | undefined => {
  if (speaksOfMoney(discount) && discount.currency.toUpperCase() !== currency.toUpperCase()) return 'currency'
  const minimum = minimumOf(discount)
  if (minimum !== undefined && subtotalOf(lines) < minimum) return 'minimum_spend'
  return lines.some((line) => isFor(discount, line)) ? undefined : 'scope'
}
