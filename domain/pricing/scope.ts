import { scaleOf, toMinor } from '../kernel/values/money.ts'
import type { CartLine, DiscountTerms, Unused } from './cart.ts'

/** Whether a discount is for a line. */
export const isFor = (
  { applies_to, product_ids, variant_ids, products_collection_ids }: DiscountTerms,
  { product_id, variant_id, collection_ids }: CartLine,
): boolean => {
  if (applies_to === 'specific_products') return product_ids.includes(product_id)
  if (applies_to === 'specific_variants') return variant_ids.includes(variant_id)
  if (applies_to === 'specific_collections') return products_collection_ids.some((id) => collection_ids.includes(id))
  return true
}

/** What lines cost before discounts, in minor units. */
export const subtotalOf = (lines: readonly Pick<CartLine, 'quantity' | 'unit'>[]): bigint =>
  lines.reduce((sum, { quantity, unit }) => sum + BigInt(quantity) * unit, 0n)

/** What must be spent for a discount, in minor units of its currency; `undefined` when it does not matter. */
const minimumOf = (discount: DiscountTerms): bigint | undefined =>
  discount.require_minimum_spend && discount.require_minimum_spend_amount !== null
    ? BigInt(discount.require_minimum_spend_amount) * 10n ** BigInt(scaleOf(discount.currency.toUpperCase()))
    : undefined

/**
 * What a discount takes at most, in minor units of its currency; `undefined` when it takes a part of whatever there is.
 *
 * @throws {RangeError} for what is no amount of the currency
 */
export const amountOf = ({ discount_method, amount, currency }: DiscountTerms): bigint | undefined => {
  if (discount_method === 'percentage' || (amount === null && discount_method !== 'fixed')) return undefined
  const minor = toMinor(amount ?? '0', currency.toUpperCase())
  if (minor === undefined || minor < 0n) throw new RangeError(`${amount} is no discount in ${currency}`)
  return minor
}

/** Whether it speaks of money, and not of parts of it alone. */
const speaksOfMoney = (discount: DiscountTerms): boolean =>
  amountOf(discount) !== undefined || minimumOf(discount) !== undefined

/**
 * Why a discount is not for a cart, whatever else is taken from it: an amount or a minimum holds in its own currency alone, the minimum goes by
 * the whole cart before discounts and shipping, and one line at least must be within its scope.
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
