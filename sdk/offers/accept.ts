import type { Addresses } from '../checkout/addresses/addresses.ts'
import { call } from '../checkout/calls.ts'
import { type FollowDeps, follow, isInDoubt, type Outcome, refused } from '../checkout/follow.ts'
import { type Charge, type Priced, type Shown, sdkError, validationError } from '../checkout/model.ts'
import type { PayRequest } from '../checkout/pay.ts'
import type { Pricer } from '../checkout/pricer.ts'
import type { Store } from '../checkout/store.ts'
import type { Answer, Core } from '../checkout-port.ts'
import { type Accepted, NOT_BEGUN, pricedOf, shippingOf, UNAVAILABLE } from './answers.ts'
import { isPriced, offeredBy, priceOf } from './offered-price.ts'

export interface DealDeps {
  readonly core: Core
  readonly store: Store
  readonly pricer: Pricer
  readonly addresses: Pick<Addresses, 'flush' | 'report'>
  readonly following: FollowDeps
  /** Called just before a charge may begin. */
  beginning(): void
  isAvailable(): boolean
  /** Tells the page that there is no offer. */
  tellUnavailable(message?: string): void
}

const NO_ADDRESS = validationError('shipping_address_required', 'Please fill in the shipping address.')
const CHANGED = validationError('totals_changed', 'The price has changed. Please look at it and accept again.')
const NO_PRICE = sdkError('no_price', 'The button names no price.')
const STAYED: Outcome = { end: 'abandoned' }

/** Buys the offer of a page, by its button or with another method than the saved one. */
export const createDeal = (deps: DealDeps) => {
  const { core, store, pricer, addresses } = deps

  const stay = (): Outcome => {
    deps.tellUnavailable()
    return STAYED
  }
  const followed = async (answer: Answer<Accepted>): Promise<Outcome> => {
    if (answer.ok && answer.status === 'unavailable') return stay()
    if (!answer.ok && !isInDoubt(answer.error.code)) {
      const { error, state, version } = answer
      if (state && version !== undefined) store.commit(pricedOf({ state, version }))
      return refused([validationError(error.code, error.message)])
    }
    const outcome = await follow(answer as Answer<Charge>, deps.following)
    if (outcome.end === 'unknown') return refused([NOT_BEGUN])
    return outcome.end === 'paid' ? { end: 'left', redirect: outcome.redirect } : outcome
  }
  const accept = async (element: Element, seen: Shown | undefined): Promise<Outcome> => {
    if (!deps.isAvailable()) return stay()
    const offered = offeredBy(element)
    if (!offered) return refused([NO_PRICE])
    addresses.flush()
    if (!addresses.report()) return refused([NO_ADDRESS])
    if (pricer.isStale() || !isPriced(offered, store.state().line_items))
      void pricer.change((cart) => ({ ...cart, lines: [{ ...offered, quantity: 1 }] }))
    await pricer.idle()
    if (!deps.isAvailable()) return STAYED
    const shown = store.shown()
    if (pricer.isStale() || !shown) return refused(store.state().errors)
    if (seen && seen.total !== shown.total) return refused([CHANGED])
    deps.beginning()
    return followed(await call<Accepted>(core, '/offer/accept', { ...shippingOf(pricer.cart()), ...offered, shown }))
  }
  const pay = async ({
    cart,
    shown,
    payment,
    contact,
    attempt,
  }: PayRequest): Promise<Answer<Charge & Partial<Priced>>> => {
    const named = priceOf(cart.lines.at(-1) ?? store.state().line_items[0])
    const body = { ...shippingOf(cart), ...named, shown, payment, contact, attempt }
    const answer = await call<Accepted>(core, '/offer/accept', body)
    if (!answer.ok || answer.status !== 'unavailable') return answer as Answer<Charge & Partial<Priced>>
    deps.tellUnavailable()
    return { ok: false, error: { code: 'offer_unavailable', message: UNAVAILABLE } }
  }
  return {
    /** Accepts the offer whose button was pressed, at the price that was seen then: once by the server, however often it is asked. */
    accept,
    /** Pays for the offer with another method than the saved one. */
    pay,
  }
}
