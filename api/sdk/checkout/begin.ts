import { ask } from '../../../domain/kernel/decide/ask.ts'
import { withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { checkout, checkouts, TOTALS_CHANGED } from '../../../domain/orders/public.ts'
import { retryAfterCatchUp } from '../../read-your-writes.ts'
import type { Selling } from '../catalogue.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import type { Sender, Visitors } from '../visitor.ts'
import { shown } from './checkout.ts'
import type { AddressOnPage, CartOnPage, StateError } from './read-cart.ts'
import { errorsOf, type PricedState } from './state.ts'

/** Checkout that a page begins. */
export interface ToBegin {
  /** Cart that it pays for, and which attempt it is. */
  readonly cart: string
  readonly attempt: number
  /** What it follows, where the same visitor may be paying for the same in another tab. */
  readonly purchase?: string
  readonly sessionId: number
  /** What the limit of refused cards counts it by. */
  readonly triedFrom: readonly string[]
  readonly contactId: number
  readonly selling: Pick<Selling, 'gateway'>
  readonly token: string | null
  /** A method that the gateway keeps, of the visitor's own checkout before. */
  readonly methodId?: string | null
  readonly codes: readonly string[]
  readonly addresses: Readonly<Record<string, string | null>>
  readonly priced: PricedState
}

/** Returns the attributes of a checkout for the addresses of a cart. */
export const addressesOf = ({
  shipping_address: shipping,
  billing_address: billing,
}: Pick<CartOnPage, 'shipping_address' | 'billing_address'>): Readonly<Record<string, string | null>> => {
  const places = (kind: 'shipping' | 'billing', of: AddressOnPage | null) =>
    of && {
      [`${kind}_address_street_one`]: of.street,
      [`${kind}_address_street_two`]: of.street_two,
      [`${kind}_address_city`]: of.city,
      [`${kind}_address_region`]: of.region,
      [`${kind}_address_country`]: of.country,
      [`${kind}_address_postal_code`]: of.postal_code,
    }
  const [first = null, ...rest] = shipping?.name?.split(/\s+/) ?? []
  return {
    ...places('shipping', shipping),
    ...(shipping && {
      shipping_address_first_name: first,
      shipping_address_last_name: rest.join(' ') || null,
      shipping_address_organization_name: shipping.organization,
    }),
    ...places('billing', billing),
  }
}

/** Refusal of a payment whose cart is not what was shown, or cannot be sold: the answer has its state. */
export const refuseSale = (priced: PricedState, errors: readonly StateError[]): SdkRefusal => {
  const code = errors.some((one) => one.code === TOTALS_CHANGED) ? 'totals_changed' : 'cart_invalid'
  const state = { ...priced.state, errors }
  return new SdkRefusal(code, errors.map(({ message }) => message).join(', '), undefined, shown({ ...priced, state }))
}

const attributesOf = ({ found }: Sender, of: ToBegin) => ({
  contact_id: of.contactId,
  live_mode: found.step?.funnel.live_mode ?? false,
  gateway_account_id: of.selling.gateway.accountId,
  payment_method_token: of.priced.paymentRequired ? of.token : null,
  payment_method_id: of.priced.paymentRequired ? (of.methodId ?? null) : null,
  discount_codes: of.codes.filter((code) => code !== ''),
  shipping_option_id: of.priced.shippingOptionId,
  ...of.addresses,
  line_items_attributes: of.priced.lines.map(({ variant_id, products_price_id, quantity }) => ({
    ...{ variant_id, products_price_id, quantity },
  })),
  shown_total: of.priced.totalAmount,
  ...{ cart: of.cart, attempt: of.attempt, purchase: of.purchase ?? null },
  ...{ session_id: of.sessionId, tried_from: of.triedFrom },
  sold_page_id: found.page.id,
  sold_step_id: found.step?.id ?? null,
  sold_funnel_id: found.step?.funnel.id ?? null,
})

/** The visitor has begun to buy the same meanwhile. */
export class Overtaken extends Error {}

/**
 * Begins a checkout for a cart of a page. It is not begun again where the attempt was made before, or another one has not surely failed.
 *
 * @returns its id; `undefined` where it was not begun
 * @throws {SdkRefusal} with the state, where the cart cannot be sold, or not for what was shown
 * @throws {Overtaken} where the visitor's purchase follows another one
 */
export const begin = (
  service: SdkService,
  visitors: Visitors,
  sender: Sender,
  toBegin: ToBegin,
): Promise<number | undefined> =>
  withIds(service.ids, () =>
    retryAfterCatchUp(service, async () => {
      const id = service.ids.next(checkout.name)
      const asked = ask(checkouts.decider, id, 'create', attributesOf(sender, toBegin), {
        ids: [service.ids.next('order')],
        isNew: true,
      })
      const result = await visitors.send(asked, sender)
      if (!(result instanceof Refusal)) return id
      const taken = result.details.filter(({ code }) => code === 'taken').map(({ field }) => field)
      if (taken.includes('cart') || taken.includes('attempt')) return undefined
      if (taken.includes('purchase')) throw new Overtaken()
      throw result
    }),
  ).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    throw refuseSale(toBegin.priced, errorsOf(error))
  })
