import type { Addresses } from '../checkout/addresses/addresses.ts'
import { call } from '../checkout/calls.ts'
import { type FollowDeps, type Outcome, refused } from '../checkout/follow.ts'
import { type Cart, type Charge, type Priced, sdkError } from '../checkout/model.ts'
import type { PayRequest } from '../checkout/pay.ts'
import type { Pricer } from '../checkout/pricer.ts'
import type { Store } from '../checkout/store.ts'
import type { Answer, Core } from '../checkout-port.ts'
import type { CheckoutError } from '../index.d.ts'
import { NOT_BEGUN, type Offered, pricedOf, shippingOf, UNAVAILABLE } from './answers.ts'
import { offeredBy, priceOf } from './offered-price.ts'

export interface OffersDeps {
  readonly core: Core
  readonly store: Store
  readonly pricer: Pricer
  readonly addresses: Pick<Addresses, 'flush' | 'report'>
  readonly following: FollowDeps
  /** Called just before a charge may begin. */
  beginning(): void
}

/**
 * The one-click offer of a page that has an `oto-accept` or an `oto-decline` element. The server prices what is offered; accepting it charges
 * the method of the visitor's own checkout before. Where that fails, the page may show a form with a `payment-method`, which pays for the
 * same offer.
 */
export const createOffers = (deps: OffersDeps) => {
  const { core, store, pricer } = deps
  let isPage = false
  let isAvailable = true
  let isResuming = false

  const tellUnavailable = (message = UNAVAILABLE) => {
    isAvailable = false
    core.emit('outcome', { status: 'unavailable', message, recoverable: false })
  }
  const look = () => {
    if (isPage) void pricer.change((cart) => cart)
  }
  const dealing = async () => {
    const { createDeal } = await import('./accept.ts')
    return createDeal({ ...deps, isAvailable: () => isPage && isAvailable, tellUnavailable })
  }
  return {
    /** Whether this page sells an offer. It stays so when it takes the buttons away. */
    isPage: () => isPage,
    scan() {
      const button = core.elements('oto-accept')[0] ?? core.elements('oto-decline')[0]
      if (!core.init.offer || !button) return
      if (isPage) return
      isPage = true
      look()
    },
    /** Has the offer priced again, as where the page is back from the browser's memory: it may have been answered since. */
    look,
    async price(cart: Cart): Promise<Answer<Priced>> {
      const named = priceOf(cart.lines.at(-1)) ?? offeredBy(core.elements('oto-accept')[0])
      const answer = await call<Offered>(core, '/offer', { ...shippingOf(cart), ...named })
      if (!answer.ok) return answer
      // What is being bought is not to be had a second time, which is no news to its buyer.
      if (answer.status === 'unavailable' && isAvailable && !isResuming) tellUnavailable()
      if (answer.redirect && !isResuming) core.go(answer.redirect, true)
      return { ok: true, ...pricedOf(answer) }
    },
    /** Accepts by a chunk of its own, since few pages sell offers. The price counts that is shown while it is loaded. */
    async accept(element: Element): Promise<Outcome> {
      const seen = store.shown()
      const deal = await dealing().catch(() => undefined)
      return deal ? deal.accept(element, seen) : refused([NOT_BEGUN])
    },
    /** Pays for the offer with another method than the saved one. */
    pay: async (request: PayRequest): Promise<Answer<Charge & Partial<Priced>>> =>
      dealing().then(
        (deal) => deal.pay(request),
        () => ({ ok: false, error: NOT_BEGUN }),
      ),
    /** Follows the charge of an offer that was accepted before the page was loaded again. Where it was refused the offer is priced anew. */
    async resume(following: () => Promise<Outcome>): Promise<Outcome> {
      isResuming = true
      const outcome = await following().finally(() => {
        isResuming = false
      })
      if (outcome.end === 'paid') return { end: 'left', redirect: outcome.redirect }
      look()
      return outcome
    },
    async decline(): Promise<Outcome> {
      const answer = await call<{ readonly redirect: string }>(core, '/offer/decline', {})
      if (answer.ok) return { end: 'left', redirect: answer.redirect }
      return refused([sdkError(answer.error.code, answer.error.message)])
    },
    /** Tells the page why the offer was not sold. */
    refuse(errors: readonly CheckoutError[]) {
      store.report('payment', errors)
      const [{ message } = { message: UNAVAILABLE }] = errors
      core.emit('outcome', { status: 'failed', message, recoverable: true })
    },
  }
}

export type Offers = ReturnType<typeof createOffers>
