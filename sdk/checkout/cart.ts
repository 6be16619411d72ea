import type { Cart, CartLine } from './model.ts'

export const emptyCart = (id: string): Cart => ({
  id,
  lines: [],
  coupon_codes: [],
  shipping_address: null,
  billing_address: null,
  shipping_option_id: null,
})

/** Highest quantity of a line. */
const MOST = 100_000

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 100

/** Says what is wrong with the arguments of `setQuantity`, which come from the page and may be anything. */
export const lineProblem = (variantId: unknown, priceId: unknown, quantity: unknown): string | undefined => {
  if (!isId(variantId) || !isId(priceId)) return 'Variant and price are given by their ids.'
  const isQuantity = typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 0 && quantity <= MOST
  return isQuantity ? undefined : `The quantity must be a whole number from 0 to ${MOST}.`
}

type LineName = Pick<CartLine, 'variant_id' | 'price_id'>

const isOf = (variantId: string, priceId: string) => (line: LineName) =>
  line.variant_id === variantId && line.price_id === priceId

/** Sets the quantity of a price. A line keeps its place; 0 removes it. */
export const withQuantity =
  (variantId: string, priceId: string, quantity: number) =>
  (cart: Cart): Cart => {
    const isSame = isOf(variantId, priceId)
    if (quantity === 0) return { ...cart, lines: cart.lines.filter((line) => !isSame(line)) }
    const line = { variant_id: variantId, price_id: priceId, quantity }
    const lines = cart.lines.some(isSame)
      ? cart.lines.map((other) => (isSame(other) ? line : other))
      : [...cart.lines, line]
    return { ...cart, lines }
  }

/** Removes lines that the server did not price. */
export const withoutUnpriced =
  (priced: readonly LineName[]) =>
  (cart: Cart): Cart => {
    const lines = cart.lines.filter((line) => priced.some(isOf(line.variant_id, line.price_id)))
    return lines.length === cart.lines.length ? cart : { ...cart, lines }
  }
