import { managed, type Values } from '../../kernel/model/field.ts'
import { flag, integer, reference } from '../../kernel/model/fields.ts'

/** Minutes for which an offer is open, unless the funnel says otherwise. */
const OFFER_MINUTES = 30

/** Settings of a funnel for the checkout on its pages. */
export const checkoutSettings = {
  checkout_enabled: managed(flag({ initial: false })),
  /** Account by which its pages charge; `null`: the simulator, in test mode. */
  checkout_account_id: managed(reference('payments/gateway_account', { nullable: true })),
  offer_minutes: managed(integer({ initial: OFFER_MINUTES })),
}

export type CheckoutSettings = Values<typeof checkoutSettings>
