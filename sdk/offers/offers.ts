import type { Addresses } from '../checkout/addresses/addresses.ts'
import { call } from '../checkout/calls.ts'
import { type FollowDeps, type Outcome, refused } from '../checkout/follow.ts'
import { type Cart, type Priced, sdkError } from '../checkout/model.ts'
import type { Pricer } from '../checkout/pricer.ts'
import type { Store } from '../checkout/store.ts'
import type { Answer, Core } from '../checkout-port.ts'
import { createDeal } from './accept.ts'
import { type Offered, pricedOf, shippingOf, UNAVAILABLE } from './answers.ts'
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

/** The one-click offer of a page. It is a chunk of its own (see `offer-page.ts`), since few pages sell offers. */
export const createOffers = (deps: OffersDeps) => {
  const { core, pricer } = deps
  let isAvailable = true
  let isResuming = false

  const tellUnavailable = (message = UNAVAILABLE) => {
    isAvailable = false
    core.emit('outcome', { status: 'unavailable', message, recoverable: false })
  }
  return {
    ...createDeal({ ...deps, isAvailable: () => isAvailable, tellUnavailable }),
    async price(cart: Cart): Promise<Answer<Priced>> {
      const named = priceOf(cart.lines.at(-1)) ?? offeredBy(core.elements('oto-accept')[0])
      const answer = await call<Offered>(core, '/offer', { ...shippingOf(cart), ...named })
      if (!answer.ok) return answer
      // What is being bought is not to be had a second time, which is no news to its buyer.
      if (answer.status === 'unavailable' && isAvailable && !isResuming) tellUnavailable()
      if (answer.redirect && !isResuming) core.go(answer.redirect, true)
      return { ok: true, ...pricedOf(answer) }
    },
    /** Follows the charge of an offer that was accepted before the page was loaded again. Where it was refused the offer is priced anew. */
    async resume(following: () => Promise<Outcome>): Promise<Outcome> {
      isResuming = true
      const outcome = await following().finally(() => {
        isResuming = false
      })
      if (outcome.end === 'paid') return { end: 'left', redirect: outcome.redirect }
      void pricer.change((cart) => cart)
      return outcome
    },
    async decline(): Promise<Outcome> {
      const answer = await call<{ readonly redirect: string }>(core, '/offer/decline', {})
      if (answer.ok) return { end: 'left', redirect: answer.redirect }
      return refused([sdkError(answer.error.code, answer.error.message)])
    },
  }
}

export type Offers = ReturnType<typeof createOffers>
