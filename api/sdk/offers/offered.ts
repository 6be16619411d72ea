import type { Grant } from '../../../domain/offers/public.ts'
import { checkout, checkouts } from '../../../domain/orders/public.ts'
import { price, variant } from '../../../domain/store/public.ts'
import type { SdkCall } from '../calls.ts'
import type { Selling, SoldProduct } from '../catalogue.ts'
import { shippingOf } from '../checkout/address-of.ts'
import { type AddressOnPage, addressIn, type CartOnPage, optionalText } from '../checkout/read-cart.ts'
import { type PricedState, stateOf } from '../checkout/state.ts'
import type { CheckoutRecord } from '../checkout/status.ts'
import type { SdkService } from '../service.ts'

/** What a page offers a visitor, with its price. */
export interface Offered {
  readonly priced: PricedState
  readonly cart: CartOnPage
}

/** Returns the checkout that a grant follows, with its addresses in the clear. */
export const sourceOf = async ({ engine }: SdkService, { checkout_id }: Grant): Promise<CheckoutRecord | undefined> =>
  (await engine.records(checkouts.decider, checkout_id, -1)).root(checkout)

const isComplete = (of: AddressOnPage | null): boolean =>
  of !== null && of.street !== null && of.city !== null && of.country !== null

/** Returns the first price of a page's first product, which it offers unless it names another. */
const firstOf = (products: readonly SoldProduct[]) => {
  const all = products.toSorted((a, b) => Number(a.bump) - Number(b.bump)).flatMap(({ variants }) => variants)
  const found = all.find(({ prices }) => prices.length > 0)
  return found?.prices[0] && { variant: found.variant.id, price: found.prices[0].id }
}

/**
 * Prices what a page offers. It is shipped to the address of a completed form, or else to that of the visitor's own checkout before. No other address
 * that may be known of the contact is used.
 */
export const offeredBy = async (
  service: SdkService,
  { found, body }: SdkCall,
  selling: Selling,
  source: CheckoutRecord | undefined,
): Promise<Offered> => {
  const { address: sent, errors } = addressIn(body, 'shipping_address')
  const known = source ? shippingOf(source) : null
  const shipping_address = isComplete(sent) ? sent : (known ?? sent)
  const first = firstOf(selling.products)
  const encoded = (kind: string, id: number | undefined) =>
    id === undefined ? '' : service.publicIds.of(kind).encode(id)
  const line = {
    variant_id: optionalText(body, 'variant_id') ?? encoded(variant.name, first?.variant),
    price_id: optionalText(body, 'price_id') ?? encoded(price.name, first?.price),
    quantity: 1,
  }
  const cart: CartOnPage = {
    ...{ id: 'offer', lines: [line], coupon_codes: [], shipping_address, billing_address: null, email: null },
    shipping_option_id: optionalText(body, 'shipping_option_id'),
    errors: shipping_address === sent ? errors : [],
  }
  const of = { found, selling, contactId: source?.contact_id, isAddressKnown: known !== null }
  return { cart, priced: await stateOf(service, of, cart) }
}
