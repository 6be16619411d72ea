import { allocate, byAmount, byKey, type Share } from './allocate.ts'
import type { Cart, CartLine, DiscountTerms, PricedCart, Reason } from './cart.ts'
import { partOf, percentage } from './fraction.ts'
import { amountOf, isFor, whyNotFor } from './scope.ts'

/**
 * Order of methods: free items first and amounts last, so that no percentage is taken of what an amount has paid for.
 */
const ORDER: readonly DiscountTerms['discount_method'][] = ['bogo', 'percentage', 'fixed', 'shipping']

const inOrder = (a: DiscountTerms, b: DiscountTerms): number =>
  ORDER.indexOf(a.discount_method) - ORDER.indexOf(b.discount_method) || a.id - b.id

/** Undiscounted remainder of lines and shipping. */
interface Left {
  readonly lines: Map<string, bigint>
  shipping: bigint
}

const atMost = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Limits the lines to the discount's maximum, those with the largest weight first. */
const capped = (shares: readonly Share[], { discounts_per_redemption: cap }: DiscountTerms): readonly Share[] =>
  [...shares].sort((a, b) => byAmount(a.weight, b.weight) || byKey(a, b)).slice(0, cap ?? shares.length)

/** Undiscounted remainder of each line in scope. */
const remaindersOf = (discount: DiscountTerms, lines: readonly CartLine[], left: Left): readonly Share[] =>
  capped(
    lines.flatMap((line) => (isFor(discount, line) ? { key: line.key, weight: left.lines.get(line.key) ?? 0n } : [])),
    discount,
  )

/** Every other piece in scope, cheapest first, weighted by the part that is still to be paid. */
const everyOther = (discount: DiscountTerms, lines: readonly CartLine[], left: Left): readonly Share[] => {
  const within = lines.filter((line) => isFor(discount, line))
  const cheapest = [...within].sort((a, b) => byAmount(b.unit, a.unit) || byKey(a, b))
  let free = within.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n) / 2n
  const shares: Share[] = []
  for (const { key, quantity, unit } of cheapest) {
    const pieces = atMost(BigInt(quantity), free)
    free -= pieces
    if (pieces > 0n) shares.push({ key, weight: atMost(pieces * unit, left.lines.get(key) ?? 0n) })
  }
  return capped(shares, discount)
}

/** Amount that a discount takes: its own amount, at most what there is, or its percentage. */
const taken = (discount: DiscountTerms, from: bigint): bigint => {
  const amount = amountOf(discount)
  return amount === undefined ? partOf(from, percentage(discount.percent ?? '100')) : atMost(amount, from)
}

const fromLines = (discount: DiscountTerms, lines: readonly CartLine[], left: Left): readonly Reason[] => {
  const shares =
    discount.discount_method === 'bogo' ? everyOther(discount, lines, left) : remaindersOf(discount, lines, left)
  const from = shares.reduce((sum, { weight }) => sum + weight, 0n)
  const parts = allocate(taken(discount, from), shares)
  return [...parts].flatMap(([line, part]): Reason[] => {
    if (part === 0n) return []
    left.lines.set(line, (left.lines.get(line) ?? 0n) - part)
    return [{ what: 'discount', line, discount_id: discount.id, amount: -part }]
  })
}

const fromShipping = (discount: DiscountTerms, left: Left): readonly Reason[] => {
  const part = taken(discount, left.shipping)
  left.shipping -= part
  return part === 0n ? [] : [{ what: 'discount', line: null, discount_id: discount.id, amount: -part }]
}

/**
 * Discounts of a cart. Each applies to what the ones before it have left, in the order `bogo`, `percentage`, `fixed`,
 * `shipping`, and by id within a method. `fixed` is taken once and shared out over the remainders of the lines in
 * scope. `bogo` makes every other piece in scope free, the cheapest ones, or takes its percent or amount off them.
 * `shipping` takes its percent or amount off shipping, or all of it, when a line is in scope. Half a minor unit rounds
 * up, once per discount.
 */
export const discountCart = ({
  lines,
  discounts,
  shipping,
  currency,
}: Cart): { readonly reasons: readonly Reason[]; readonly unused: PricedCart['unused'] } => {
  const left: Left = { lines: new Map(lines.map((line) => [line.key, BigInt(line.quantity) * line.unit])), shipping }
  const reasons: Reason[] = []
  const unused: PricedCart['unused'][number][] = []
  for (const discount of [...discounts].sort(inOrder)) {
    const why = whyNotFor(discount, lines, currency)
    const found = why
      ? []
      : discount.discount_method === 'shipping'
        ? fromShipping(discount, left)
        : fromLines(discount, lines, left)
    if (found.length === 0) unused.push({ discount_id: discount.id, why: why ?? 'nothing_left' })
    reasons.push(...found)
  }
  return { reasons, unused }
}
