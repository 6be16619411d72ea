import type { CheckoutError } from '../index.d.ts'
import type { Offers, OffersDeps } from './offers.ts'

/**
 * A page that may sell a one-click offer: it does once it has an `oto-accept` or an `oto-decline` element. The server prices what is offered;
 * accepting it charges the method of the visitor's own checkout before. Where that fails, the page may show a form with a `payment-method`,
 * which pays for the same offer.
 */
export const createOfferPage = (deps: OffersDeps) => {
  const { core, store, pricer } = deps
  let isPage = false
  let loading: Promise<Offers> | undefined

  const look = () => {
    if (isPage) void pricer.change((cart) => cart)
  }
  return {
    /** Whether this page sells an offer. It stays so when it takes the buttons away. */
    isPage: () => isPage,
    /** Loads what sells offers. What could not be loaded is tried again. */
    load: (): Promise<Offers> => {
      loading ??= import('./offers.ts').then(
        ({ createOffers }) => createOffers(deps),
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
    scan() {
      if (isPage || !core.init.offer || !(core.elements('oto-accept')[0] ?? core.elements('oto-decline')[0])) return
      isPage = true
      look()
    },
    /** Has the offer priced again, as where the page is back from the browser's memory: it may have been answered since. */
    look,
    /** Tells the page why the offer was not sold. */
    refuse(errors: readonly CheckoutError[]) {
      store.report('payment', errors)
      core.emit('outcome', { status: 'failed', message: errors[0]?.message ?? '', recoverable: true })
    },
  }
}
