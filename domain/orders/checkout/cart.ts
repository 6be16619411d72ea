import type { DecisionContext, Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { AMOUNT_LIMIT, fromMinor, isWithinLimit, minorOf } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { type CartLine, type PricedCart, priceCart } from '../../pricing/public.ts'
import { destinationOf, profilesOf, quote } from '../../shipping/public.ts'
import { collectionIdsOf, type discount, effectiveVariants, taxOf, taxRate, usabilityOf } from '../../store/public.ts'
import { agreedPrice } from '../agreed-price.ts'
import { type CatalogueLine, findLines, type LineRef, pricesAndVariants, sumOf } from '../lines.ts'
import { sellableAmong } from '../sellable.ts'
import type { checkout } from './model.ts'
import { firstAmount } from './recurring.ts'

export type Checkout = DecisionContext<typeof checkout, { readonly line_items_attributes: readonly LineRef[] }>

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

/** Discounts of the codes that were sent, each once. */
const discountsOf = async (
  { after, workspaceId, at }: Checkout,
  lines: readonly CartLine[],
  currency: string,
  read: Reader,
): Promise<readonly Discount[] | Refusal> => {
  const codes = [...new Set(after.discount_codes.map((code) => code.trim().toUpperCase()))]
  const use = { workspaceId, contactId: after.contact_id, lines, currency, at }
  const found = await Promise.all(codes.map((code) => usabilityOf(code, use, read)))
  const discounts: Discount[] = []
  for (const [index, one] of found.entries()) {
    if ('why' in one) return refuse.invalid(`${one.says}: ${codes[index]}`, 'checkout.discount_codes', one.why)
    discounts.push(one.discount)
  }
  return discounts
}

/** Shipping option of the physical lines: the one that was requested, otherwise the cheapest. */
const shippingOf = async (
  { after, workspaceId }: Checkout,
  variants: Variants,
  read: Reader,
): Promise<{ readonly id: string; readonly name: string | null; readonly amount: bigint } | undefined | Refusal> => {
  const physical = variants.filter(({ product_type }) => product_type === 'physical').map(({ id }) => id)
  const profiles = await profilesOf(physical, workspaceId, read)
  if (profiles.length === 0) return undefined
  const { shipping_address_country: country, shipping_address_region: region, shipping_option_id: wanted } = after
  if (country === null)
    return refuse.invalid("Shipping address country can't be blank", 'checkout.shipping_address_country', 'blank')
  const options = quote(physical, profiles, destinationOf(country.trim().toUpperCase(), region))
  const [cheapest] = options
  if (!cheapest)
    return refuse.invalid('Nothing is shipped to this address', 'checkout.shipping_address_country', 'not_shipped')
  return wanted === null
    ? cheapest
    : (options.find(({ id }) => id === wanted) ??
        refuse.invalid('Shipping option is not one for this cart', 'checkout.shipping_option_id', 'not_found'))
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

/** Lines and totals of a checkout. Amounts are in the currency's scale. */
export type Priced = Exclude<Awaited<ReturnType<typeof priced>>, Refusal>

/** Prices a checkout from the catalogue, with discounts, shipping and taxes (spec 2.9, 4.5). */
export const priced = async (asked: Checkout, currency: string, read: Reader) => {
  const { wanted, after, workspaceId } = asked
  const catalogue = await pricesAndVariants(wanted.line_items_attributes ?? [], read)
  const found = findLines(wanted.line_items_attributes ?? [], catalogue, workspaceId, LINES)
  if (found instanceof Refusal) return found
  const unsellable = await whyUnsellable(found, read)
  if (unsellable) return unsellable
  const variants = await effectiveVariants(catalogue.variants, read)
  const lines = await asCart(found, variants, currency, read)
  const discounts = await discountsOf(asked, lines, currency, read)
  if (discounts instanceof Refusal) return discounts
  const shipping = await shippingOf(asked, variants, read)
  if (shipping instanceof Refusal) return shipping
  const { shipping_address_country: country, shipping_address_region: region } = after
  const rates = country === null ? [] : await read.find(taxRate, { where: { workspace_id: workspaceId } })
  const tax = taxOf(rates, { country, region })
  const cart = priceCart({ lines, discounts, shipping: shipping?.amount ?? 0n, tax, currency })
  const tooLarge = whyTooLarge(found, cart.totals, currency)
  if (tooLarge) return tooLarge
  const unused = new Set(cart.unused.map(({ discount_id }) => discount_id))
  const money = (minor: bigint) => fromMinor(minor, currency)
  return {
    prices: found.map(({ price }) => price),
    lines: found.map(({ price, product_id, variant_id, products_price_id, quantity }, index) => ({
      ...{ product_id, variant_id, products_price_id, quantity },
      payment_type: price.payment_type,
      amount: firstAmount(price, currency),
      agreed: agreedPrice(price),
      discount: money(cart.lines[index]?.discount ?? 0n),
    })),
    discount_ids: discounts.map(({ id }) => id).filter((id) => !unused.has(id)),
    unused_discount_codes: discounts.filter(({ id }) => unused.has(id)).map(({ code }) => code ?? ''),
    shipping_option: shipping?.name ?? null,
    reasons: cart.reasons.map(({ amount, ...reason }) => ({ ...reason, amount: money(amount) })),
    subtotal_amount: money(cart.totals.subtotal),
    shipping_amount: money(cart.shipping.subtotal),
    discount_amount: money(cart.totals.discount),
    tax_amount: money(cart.totals.tax),
    total_amount: money(cart.totals.total),
  }
}
