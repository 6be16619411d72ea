import type { Reader } from '../kernel/decide/rules.ts'
import { AMOUNT_LIMIT, isWithinLimit, minorOf, normalizeAmount, scaleOf } from '../kernel/values/money.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { price, variant } from '../store/public.ts'

/** Line of an order: a variant, one of the prices of its product, and a quantity. */
export type LineRef = {
  readonly variant_id: number
  readonly products_price_id: number
  readonly quantity: number
}

type Price = Awaited<ReturnType<typeof pricesAndVariants>>['prices'][number]

/** Line with its product and price from the catalogue. */
export type CatalogueLine<N extends LineRef> = N & { readonly product_id: number; readonly price: Price }

/** Reads the variants and prices that lines name. */
export const pricesAndVariants = async (named: readonly Partial<LineRef>[], read: Reader) => {
  const ids = (name: 'variant_id' | 'products_price_id') => [...new Set(named.flatMap((one) => one[name] ?? []))]
  const [variants, prices] = await Promise.all([
    read.many(variant, ids('variant_id')),
    read.many(price, ids('products_price_id')),
  ])
  return { variants, prices }
}

export type Catalogue = Awaited<ReturnType<typeof pricesAndVariants>>

/**
 * Returns the lines with their products and prices. Refuses a price of another product. That they are there
 * was checked before.
 *
 * @param field the field that a refusal names
 */
export const findLines = <N extends LineRef>(
  named: readonly N[],
  { variants, prices }: Catalogue,
  field: string,
): readonly CatalogueLine<N>[] | Refusal => {
  const found: CatalogueLine<N>[] = []
  for (const one of named) {
    const foundVariant = variants.find(({ id }) => id === one.variant_id)
    const foundPrice = prices.find(({ id }) => id === one.products_price_id)
    if (!foundVariant || !foundPrice)
      throw new Error(`a line has variant ${one.variant_id} and price ${one.products_price_id}, which are not there`)
    if (foundPrice.product_id !== foundVariant.product_id)
      return refuse.invalid("Line items products price must be one of the variant's product", field, 'invalid')
    found.push({ ...one, product_id: foundVariant.product_id, price: foundPrice })
  }
  return found
}

/** Sum of the lines in minor units: each amount times its quantity. Amounts are in the currency. */
export const sumOf = (
  lines: readonly { readonly amount: string; readonly quantity: number }[],
  currency: string,
): bigint => lines.reduce((sum, { amount, quantity }) => sum + minorOf(amount, currency) * BigInt(quantity), 0n)

/** Sum of the lines in minor units; refuses one that cannot be computed with. @param field the field that a refusal names */
export const boundedSum = (
  lines: readonly { readonly amount: string; readonly quantity: number }[],
  currency: string,
  field: string,
): bigint | Refusal => {
  const sum = sumOf(lines, currency)
  return isWithinLimit(sum, currency)
    ? sum
    : refuse.invalid(`The total amount must stay below ${AMOUNT_LIMIT}`, field, 'too_large')
}

/** Returns an amount in the currency's scale. Refuses other texts and negative amounts. */
export const normalizeCharge = (value: string, currency: string, field: string, name: string): string | Refusal => {
  const normal = normalizeAmount(value, currency)
  if (normal === undefined)
    return refuse.invalid(`${name} must be an amount with at most ${scaleOf(currency)} decimals`, field, 'invalid')
  return normal.startsWith('-')
    ? refuse.invalid(`${name} must be greater than or equal to 0`, field, 'too_small')
    : normal
}
