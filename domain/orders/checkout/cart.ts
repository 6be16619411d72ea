import type { DecisionContext, Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { AMOUNT_LIMIT, fromMinor, isWithinLimit, minorOf } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { type CartLine, type PricedCart, priceCart } from '../../pricing/public.ts'
import { destinationOf, profilesOf, quote, type ShippingOption } from '../../shipping/public.ts'
import { collectionIdsOf, type discount, effectiveVariants, taxOf, taxRate, usabilityOf } from '../../store/public.ts'
import { agreedPrice } from '../agreed-price.ts'
import { type CatalogueLine, findLines, type LineRef, pricesAndVariants, sumOf } from '../lines.ts'
import { sellableAmong } from '../sellable.ts'
import type { checkout } from './model.ts'
import { firstAmount } from './recurring.ts'

/** Input of a checkout besides its attributes. */
interface Sent {
  readonly line_items_attributes: readonly LineRef[]
  /** Total that the buyer saw. Another one is refused. */
  readonly shown_total: string
}

export type Checkout = DecisionContext<typeof checkout, Sent>

/** Cart whose price is asked for. */
export interface CartToPrice {
  readonly lines: readonly LineRef[]
  readonly discount_codes: readonly string[]
  /** Absent while the buyer is unknown. */
  readonly contact_id?: number | undefined
  /** Of the shipping address; `null` while there is none. */
  readonly country: string | null
  readonly region: string | null
  readonly shipping_option_id: string | null
  readonly workspaceId: number
  readonly at: string
}

const LINES = 'checkout.line_items_attributes'

type Line = CatalogueLine<LineRef>
type Discount = RecordOf<typeof discount>
type Variants = Awaited<ReturnType<typeof pricesAndVariants>>['variants']

/** Refuses lines with a price of another variant, and those whose price, variant or product is archived. */
const whyUnsellable = async (lines: readonly Line[], read: Reader): Promise<Refusal | undefined> => {
  if (lines.some(({ price, variant_id }) => price.variant_id !== variant_id))
    return refuse.invalid('Line items products price must be one of the variant', LINES, 'invalid')
  const sellable = await sellableAmong(
    lines.map(({ price }) => price),
    read,
  )
  return lines.every(({ price }) => sellable.has(price.id))
    ? undefined
    : refuse.invalid('Line items products price is not sold any more', LINES, 'invalid')
}

/** Converts lines to cart lines for pricing. */
const asCart = async (lines: readonly Line[], variants: Variants, currency: string, read: Reader) => {
  const collections = await collectionIdsOf(
    lines.map(({ product_id }) => product_id),
    read,
  )
  const taxable = new Map(variants.map((one) => [one.id, one.taxable !== false]))
  return lines.map(
    ({ product_id, variant_id, quantity, price }, index): CartLine => ({
      key: String(index),
      ...{ product_id, variant_id, quantity },
      collection_ids: collections.get(product_id) ?? [],
      unit: minorOf(firstAmount(price, currency), currency),
      taxable: taxable.get(variant_id) ?? true,
    }),
  )
}

/** Discounts of the codes that were sent, each once, and why others cannot be used. */
const discountsOf = async (
  { discount_codes, contact_id, workspaceId, at }: CartToPrice,
  lines: readonly CartLine[],
  currency: string,
  read: Reader,
): Promise<{ readonly discounts: readonly Discount[]; readonly problems: readonly Refusal[] }> => {
  const codes = [...new Set(discount_codes.map((code) => code.trim().toUpperCase()))]
  const use = { workspaceId, ...(contact_id !== undefined && { contactId: contact_id }), lines, currency, at }
  const found = await Promise.all(codes.map((code) => usabilityOf(code, use, read)))
  return {
    discounts: found.flatMap((one) => ('why' in one ? [] : one.discount)),
    problems: found.flatMap((one, index) =>
      'why' in one ? refuse.invalid(`${one.says}: ${codes[index]}`, 'checkout.discount_codes', one.why) : [],
    ),
  }
}

/** How a cart is shipped. */
interface Shipping {
  /** Whether it has anything to ship. */
  readonly isNeeded: boolean
  /** Options for its address, cheapest first. */
  readonly options: readonly ShippingOption[]
  /** The option that was requested, otherwise the cheapest. */
  readonly chosen?: ShippingOption | undefined
  readonly problem?: Refusal
}

const COUNTRY = 'checkout.shipping_address_country'

/** Shipping of the physical lines. */
const shippingOf = async (asked: CartToPrice, variants: Variants, read: Reader): Promise<Shipping> => {
  const { country, region, shipping_option_id: wanted } = asked
  const physical = variants.filter(({ product_type }) => product_type === 'physical').map(({ id }) => id)
  const profiles = await profilesOf(physical, read)
  const isNeeded = physical.length > 0
  if (profiles.length === 0) {
    const options =
      country === null ? [] : quote(physical, profiles, destinationOf(country.trim().toUpperCase(), region))
    return { isNeeded, options, chosen: options[0] }
  }
  if (country === null)
    return {
      isNeeded,
      options: [],
      problem: refuse.invalid("Shipping address country can't be blank", COUNTRY, 'blank'),
    }
  const options = quote(physical, profiles, destinationOf(country.trim().toUpperCase(), region))
  const [cheapest] = options
  if (!cheapest)
    return { isNeeded, options, problem: refuse.invalid('Nothing is shipped to this address', COUNTRY, 'not_shipped') }
  const chosen = wanted === null ? cheapest : options.find(({ id }) => id === wanted)
  return chosen
    ? { isNeeded, options, chosen }
    : {
        ...{ isNeeded, options, chosen: cheapest },
        problem: refuse.invalid('Shipping option is not one for this cart', 'checkout.shipping_option_id', 'not_found'),
      }
}

/** Refuses a cart whose amounts, now or at a renewal, cannot be computed with. */
const whyTooLarge = (lines: readonly Line[], totals: PricedCart['totals'], currency: string): Refusal | undefined => {
  const renewal = sumOf(
    lines.map(({ price, quantity }) => ({ amount: price.amount, quantity })),
    currency,
  )
  const amounts = [totals.subtotal, totals.tax, totals.total, renewal]
  return amounts.every((amount) => isWithinLimit(amount, currency))
    ? undefined
    : refuse.invalid(`The amounts must stay below ${AMOUNT_LIMIT}`, LINES, 'too_large')
}

/** Lines and totals of a cart. Amounts are in the currency's scale. */
export type PricedCheckout = Exclude<Awaited<ReturnType<typeof priceLines>>, Refusal>

/**
 * Prices a cart from the catalogue, with discounts, shipping and taxes (spec 2.9, 4.5), as far as possible: `problems` says what a sale would be
 * refused for. Refuses lines that have no price.
 */
export const priceLines = async (asked: CartToPrice, currency: string, read: Reader) => {
  const { workspaceId, country, region } = asked
  const catalogue = await pricesAndVariants(asked.lines, read)
  const found = findLines(asked.lines, catalogue, LINES)
  if (found instanceof Refusal) return found
  const unsellable = await whyUnsellable(found, read)
  if (unsellable) return unsellable
  const variants = await effectiveVariants(catalogue.variants, read)
  const lines = await asCart(found, variants, currency, read)
  const { discounts, problems } = await discountsOf(asked, lines, currency, read)
  const { problem, ...shipping } = await shippingOf(asked, variants, read)
  const rates = country === null ? [] : await read.find(taxRate, { where: { workspace_id: workspaceId } })
  const tax = taxOf(rates, { country, region })
  const cart = priceCart({ lines, discounts, shipping: shipping.chosen?.amount ?? 0n, tax, currency })
  const tooLarge = whyTooLarge(found, cart.totals, currency)
  if (tooLarge) return tooLarge
  const unused = new Set(cart.unused.map(({ discount_id }) => discount_id))
  const money = (minor: bigint) => fromMinor(minor, currency)
  return {
    problems: problem ? [...problems, problem] : problems,
    shipping,
    prices: found.map(({ price }) => price),
    cart: {
      lines: found.map(({ price, product_id, variant_id, products_price_id, quantity }, index) => ({
        ...{ product_id, variant_id, products_price_id, quantity },
        payment_type: price.payment_type,
        amount: firstAmount(price, currency),
        agreed: agreedPrice(price),
        discount: money(cart.lines[index]?.discount ?? 0n),
      })),
      discount_ids: discounts.map(({ id }) => id).filter((id) => !unused.has(id)),
      unused_discount_codes: discounts.filter(({ id }) => unused.has(id)).map(({ code }) => code ?? ''),
      shipping_option: shipping.chosen?.name ?? null,
      reasons: cart.reasons.map(({ amount, ...reason }) => ({ ...reason, amount: money(amount) })),
      subtotal_amount: money(cart.totals.subtotal),
      shipping_amount: money(cart.shipping.subtotal),
      discount_amount: money(cart.totals.discount),
      tax_amount: money(cart.totals.tax),
      total_amount: money(cart.totals.total),
    },
  }
}

/** Prices a checkout. Refuses it for the first problem. */
export const priced = async ({ wanted, after, workspaceId, at }: Checkout, currency: string, read: Reader) => {
  const { discount_codes, contact_id, shipping_option_id } = after
  const { shipping_address_country: country, shipping_address_region: region } = after
  const lines = wanted.line_items_attributes ?? []
  const asked = { lines, discount_codes, contact_id, country, region, shipping_option_id, workspaceId, at }
  const result = await priceLines(asked, currency, read)
  if (result instanceof Refusal) return result
  const [problem] = result.problems
  return problem ?? { prices: result.prices, ...result.cart }
}
