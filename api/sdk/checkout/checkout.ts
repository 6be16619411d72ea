import type { SdkHandler } from '../calls.ts'
import { type Selling, sellingOn } from '../catalogue.ts'
import type { FoundPage } from '../page-of.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import { cartIn } from './read-cart.ts'
import { buyerOf, type PricedState, stateOf } from './state.ts'

/** Returns what a page sells. @throws {SdkRefusal} for a page of no funnel, and one whose funnel does not sell */
export const mustSell = async (service: SdkService, found: FoundPage): Promise<Selling> => {
  if (!found.step) throw new SdkRefusal('page_not_in_funnel', 'The page is not a step of a funnel')
  const selling = await sellingOn(service, found)
  if (!selling) throw new SdkRefusal('no_checkout', 'The funnel has no gateway for this page, or its checkout is off')
  return selling
}

/** Returns what a page is told of a priced cart. */
export const shown = ({ state, version, paymentRequired }: PricedState) => ({
  ...{ state, version },
  payment_required: paymentRequired,
})

/** Prices the cart of a page. Nothing is stored: the page sends its whole cart with each call. */
export const state =
  (service: SdkService): SdkHandler =>
  async ({ found, body }) => {
    const selling = await mustSell(service, found)
    const cart = cartIn(body)
    const contactId = await buyerOf(service, found, cart.email)
    return shown(await stateOf(service, { found, selling, contactId }, cart))
  }
