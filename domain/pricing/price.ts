import type { Cart, CartLine, Charged, PricedCart, Reason, Tax } from './cart.ts'
import { discountCart } from './discounts.ts'
import { partOf, percentage } from './fraction.ts'
import { subtotalOf } from './scope.ts'

/** No tax. */
export const untaxed: Tax = () => []

const sumOf = (reasons: readonly Reason[]): bigint => reasons.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Charge for a line, or for shipping where `line` is `null`. Each tax is on the net amount and rounded by itself, half
 * a unit up.
 */
const charge = (
  line: CartLine | null,
  subtotal: bigint,
  discounts: readonly Reason[],
  tax: Tax,
): { readonly charged: Charged; readonly taxes: readonly Reason[] } => {
  const key = line?.key ?? null
  const discount = -sumOf(discounts.filter((reason) => reason.line === key))
  const net = subtotal - discount
  const rates = line?.taxable === false ? [] : tax(line ?? 'shipping')
  const taxes = rates.flatMap(({ key: tax_rate, percent }): Reason[] => {
    const amount = partOf(net, percentage(percent))
    return amount === 0n ? [] : [{ what: 'tax', line: key, tax_rate, amount }]
  })
  return { charged: { subtotal, discount, net, tax: sumOf(taxes) }, taxes }
}

const check = ({ lines, shipping }: Cart): void => {
  if (new Set(lines.map(({ key }) => key)).size < lines.length) throw new RangeError('two lines have one key')
  const isOdd = ({ quantity, unit }: CartLine) => !Number.isSafeInteger(quantity) || quantity < 1 || unit < 0n
  if (shipping < 0n || lines.some(isOdd)) throw new RangeError('a cart has whole pieces, and no negative amounts')
}

/**
 * Prices a cart, with a reason for every minor unit (spec 2.9, 4.5). Discounts follow `discountCart` and come before
 * taxes. Prices exclude tax, which is added to each line. The caller checks which discounts may be used, and by whom.
 *
 * @throws {RangeError} for two lines with one key, a quantity below 1 and negative amounts
 */
export const priceCart = (cart: Cart): PricedCart => {
  check(cart)
  const { lines, shipping, tax = untaxed } = cart
  const { reasons: discounts, unused } = discountCart(cart)
  const all = lines.map((line) => ({ line, ...charge(line, BigInt(line.quantity) * line.unit, discounts, tax) }))
  const shipped = charge(null, shipping, discounts, tax)
  const subtotal = subtotalOf(lines)
  const discount = -sumOf(discounts)
  const taxes = [...all, shipped].flatMap((one) => one.taxes)
  const prices = lines.map(
    (line): Reason => ({ what: 'price', line: line.key, amount: BigInt(line.quantity) * line.unit }),
  )
  const sent: readonly Reason[] = shipping === 0n ? [] : [{ what: 'shipping', line: null, amount: shipping }]
  return {
    lines: all.map(({ line: { key }, charged }) => ({ key, ...charged })),
    shipping: shipped.charged,
    totals: {
      subtotal,
      discount,
      shipping: shipped.charged.net,
      tax: sumOf(taxes),
      total: subtotal + shipping - discount + sumOf(taxes),
    },
    reasons: [...prices, ...sent, ...discounts, ...taxes],
    unused,
  }
}
