import { createHash } from 'node:crypto'
import { contactByEmail } from '../../../domain/contacts/public.ts'
import { boundTo } from '../../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { isAddress } from '../../../domain/kernel/values/mailbox.ts'
import { fromMinor } from '../../../domain/kernel/values/money.ts'
import { type Detail, Refusal } from '../../../domain/kernel/values/refusal.ts'
import { lineTerms, type PricedCheckout, priceLines, startOf, unitsOnPages } from '../../../domain/orders/public.ts'
import { zoneOf } from '../../../domain/resources/attributes/time-zone.ts'
import { price, variant } from '../../../domain/store/public.ts'
import type { Selling, SoldProduct } from '../catalogue.ts'
import type { FoundPage } from '../page-of.ts'
import type { SdkService } from '../service.ts'
import { type CartOnPage, invalid, type LineOnPage, type StateError } from './read-cart.ts'

/** Line of a cart that the page sells. */
interface Line {
  readonly variant_id: number
  readonly products_price_id: number
  readonly quantity: number
  readonly name: string
  readonly bump: boolean
}

/** Cart with its prices, and what its page is told of them. */
export interface PricedState {
  /** The state of spec 2.9. */
  readonly state: JsonObject
  /** Changes whenever the buyer would be charged for something else. */
  readonly version: string
  readonly total: number
  /** The total in the scale of the currency. */
  readonly totalAmount: string
  readonly paymentRequired: boolean
  /** Whether something is shipped. */
  readonly addressRequired: boolean
  readonly shippingOptionId: string | null
  readonly lines: readonly Line[]
  readonly errors: readonly StateError[]
}

const MOST_PIECES = 1_000_000

/** Names of the fields of a checkout on pages. */
const FIELDS: Readonly<Record<string, string>> = {
  'checkout.discount_codes': 'coupon_codes',
  'checkout.shipping_address_country': 'shipping_address.country',
  'checkout.shipping_address_region': 'shipping_address.region',
  'checkout.billing_address_region': 'billing_address.region',
  'checkout.shipping_option_id': 'shipping_option_id',
  'checkout.line_items_attributes': 'line_items',
  'checkout.total_amount': 'total',
  'checkout.payment_method_token': 'payment',
  'checkout.payment_method_id': 'payment',
}

/** Returns what pages are told of a refusal. */
export const errorsOf = ({ details, message }: Refusal): readonly StateError[] =>
  details.length === 0
    ? [{ code: 'invalid', message, source: 'validation' }]
    : details.map(({ code, field, message: says }) => invalid(says, FIELDS[field] ?? field, code))

const isPieces = (quantity: unknown): quantity is number =>
  typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 0 && quantity <= MOST_PIECES

const soldAs = (products: readonly SoldProduct[], variantId: number | undefined, priceId: number | undefined) => {
  for (const { product, bump, variants } of products) {
    const found = variants.find((one) => one.variant.id === variantId)
    if (found?.prices.some(({ id }) => id === priceId)) return { bump, name: found.variant.name ?? product.name }
  }
  return undefined
}

const LINES = 'line_items'

/** Returns the lines that a page sells, and why it does not sell the others. */
const linesOf = (
  { publicIds }: Pick<SdkService, 'publicIds'>,
  products: readonly SoldProduct[],
  sent: readonly LineOnPage[],
): { readonly lines: readonly Line[]; readonly errors: readonly StateError[] } => {
  const lines: Line[] = []
  const errors: StateError[] = []
  for (const { variant_id, price_id, quantity } of sent) {
    const [variantId, priceId] = [
      publicIds.of(variant.name).parse(variant_id),
      publicIds.of(price.name).parse(price_id),
    ]
    const found = soldAs(products, variantId, priceId)
    if (!found) errors.push(invalid('The price is not one that this page sells', LINES, 'not_sold'))
    else if (!isPieces(quantity))
      errors.push(invalid(`Quantity must be a whole number from 0 to ${MOST_PIECES}`, LINES, 'invalid_quantity'))
    else if (quantity > 0)
      lines.push({ variant_id: Number(variantId), products_price_id: Number(priceId), quantity, ...found })
  }
  return { lines, errors }
}

/** Problems of a sale that are none of a state: an address may still come, and an option that is gone is replaced by the cheapest. */
const isOfState = ({ field, code }: Detail): boolean =>
  !(field === 'checkout.shipping_address_country' && code === 'blank') && field !== 'checkout.shipping_option_id'

const totalsOf = (cart: PricedCheckout['cart'] | undefined, currency: string) => {
  const units = (amount = '0') => unitsOnPages(amount, currency)
  return {
    subtotal: units(cart?.subtotal_amount),
    discount: units(cart?.discount_amount),
    tax: units(cart?.tax_amount),
    shipping: units(cart?.shipping_amount),
    total: units(cart?.total_amount),
    currency: cart ? currency : null,
  }
}

const digest = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)

const termsOf = (of: PricedCheckout['prices'][number] | undefined, quantity: number, at: string, zone: string) => {
  const terms = of && lineTerms(of, quantity, at, zone)
  return terms === undefined ? {} : { terms }
}

const ownLines = (
  service: Pick<SdkService, 'publicIds'>,
  lines: readonly Line[],
  currency: string,
  priced: PricedCheckout | undefined,
  at: string,
  zone: string,
) =>
  (priced?.cart.lines ?? []).map(({ variant_id, products_price_id, quantity, amount }, index) => ({
    variant_id: service.publicIds.of(variant.name).encode(variant_id),
    price_id: service.publicIds.of(price.name).encode(products_price_id),
    quantity,
    name: lines[index]?.name ?? '',
    unit_amount: unitsOnPages(amount, currency),
    line_amount: unitsOnPages(amount, currency) * quantity,
    ...termsOf(priced?.prices[index], quantity, at, zone),
  }))

const NO_PRODUCTS = { code: 'no_products', message: 'The cart is empty', source: 'validation' } as const

/** What is priced besides the cart. */
export interface PricedFor {
  readonly found: FoundPage
  readonly selling: Selling
  /** The buyer, where known. */
  readonly contactId?: number | undefined
  /** Whether an address is known that the page need not ask for. */
  readonly isAddressKnown?: boolean
}

const priceAll = async (
  service: SdkService,
  { found, contactId }: PricedFor,
  cart: CartOnPage,
  lines: readonly Line[],
) => {
  const { workspaceId } = found
  const read = readerOver(boundTo(service.everywhere, found))
  const workspace = await service.everywhere.get('workspace', workspaceId)
  const currency = String(workspace?.currency ?? 'USD')
  const zone = zoneOf(typeof workspace?.time_zone === 'string' ? workspace.time_zone : null)
  const at = new Date(service.now(workspaceId)).toISOString()
  const asked = {
    lines: lines.map(({ variant_id, products_price_id, quantity }) => ({ variant_id, products_price_id, quantity })),
    discount_codes: cart.coupon_codes,
    contact_id: contactId,
    country: cart.shipping_address?.country ?? null,
    region: cart.shipping_address?.region ?? null,
    shipping_option_id: cart.shipping_option_id,
    ...{ workspaceId, at },
  }
  const result = lines.length === 0 ? undefined : await priceLines(asked, currency, read)
  const priced = result instanceof Refusal ? undefined : result
  const start = priced && startOf(priced.prices, at, zone, 'checkout.line_items_attributes')
  const refusals = [result, ...(priced?.problems ?? []), start].filter((one) => one instanceof Refusal)
  const recurs = start !== undefined && !(start instanceof Refusal) && start.plan !== null
  return { currency, priced, recurs, refusals, at, zone }
}

/** Prices the cart of a page as far as possible. Nothing is stored. */
export const stateOf = async (service: SdkService, of: PricedFor, cart: CartOnPage): Promise<PricedState> => {
  const { lines, errors: unsold } = linesOf(service, of.selling.products, cart.lines)
  const { currency, priced, recurs, refusals, at, zone } = await priceAll(service, of, cart, lines)
  const details = refusals.filter((one) => one.details.every(isOfState)).flatMap(errorsOf)
  const empty = lines.length === 0 && unsold.length === 0 ? [NO_PRODUCTS] : []
  const errors = [...empty, ...unsold, ...cart.errors, ...details]
  const totals = totalsOf(priced?.cart, currency)
  const isNeeded = priced?.shipping.isNeeded ?? false
  const shipping = {
    address_required: isNeeded && of.isAddressKnown !== true,
    options: (priced?.shipping.options ?? []).map(({ id, name, amount }) => ({
      ...{ id, name },
      amount: unitsOnPages(fromMinor(amount, currency), currency),
    })),
    selected_option_id: priced?.shipping.chosen?.id ?? null,
  }
  const line_items = ownLines(service, lines, currency, priced, at, zone)
  const { lines: sold, total_amount = '0', discount_ids } = priced?.cart ?? {}
  return {
    state: { line_items, totals, shipping, errors },
    version: digest([currency, sold, total_amount, discount_ids, shipping.selected_option_id, totals]),
    total: totals.total,
    totalAmount: total_amount,
    paymentRequired: recurs || totals.total !== 0,
    addressRequired: isNeeded,
    shippingOptionId: shipping.selected_option_id,
    ...{ lines, errors },
  }
}

/** Returns the contact with the e-mail address of a cart, if there is one. */
export const buyerOf = async (service: SdkService, found: FoundPage, email: string | null) =>
  email === null || !isAddress(email)
    ? undefined
    : contactByEmail(email, {
        owner: { id: found.workspaceId },
        read: boundTo(service.everywhere, found),
        vault: service.vault,
      })
