import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import { namesOf } from '../../kernel/model/field.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { gatewayAccount, Provider } from '../../payments/public.ts'
import { type CheckoutSettings, checkoutSettings } from './checkout-model.ts'
import type { FunnelFacts } from './facts.ts'
import { funnel } from './model.ts'

type Funnel = Pick<RecordOf<typeof funnel>, 'live_mode' | 'checkout_enabled'>
type Account = Pick<RecordOf<typeof gatewayAccount>, 'id' | 'provider' | 'live_mode' | 'publishable_key'>

/** Gateway by which the pages of a funnel charge. */
export interface PageGateway {
  readonly provider: Provider
  /** `null`: the simulator that every workspace has. */
  readonly accountId: number | null
  /** What pages are given, to get tokens with. */
  readonly key: string | null
}

/**
 * Returns the gateway by which the pages of a funnel charge; `undefined` where checkout is off. A live funnel needs a live account. In test mode
 * a test account is used, and the simulator where there is none.
 *
 * @param account the account that the funnel names
 */
export const gatewayOfPages = (
  { live_mode, checkout_enabled }: Funnel,
  account: Account | undefined,
): PageGateway | undefined => {
  if (!checkout_enabled) return undefined
  if (account?.live_mode === live_mode)
    return { provider: account.provider, accountId: account.id, key: account.publishable_key }
  return live_mode ? undefined : { provider: 'simulator', accountId: null, key: null }
}

/** Switches the checkout on the pages of a funnel on or off, and chooses its gateway. */
export const setCheckout = (
  { before, wanted }: ActContext<typeof funnel, CheckoutSettings>,
  { account }: FunnelFacts,
): Events<typeof funnel> | Refusal => {
  const { checkout_enabled, checkout_account_id, offer_minutes } = wanted
  if (checkout_account_id !== null && !account)
    return refuse.invalid('Gateway account must exist', 'gateway_account_id', 'not_found')
  if (checkout_enabled && before.live_mode && account?.live_mode !== true)
    return refuse.invalid('Checkout on a live funnel needs a live gateway account', 'gateway_account_id', 'mismatch')
  const settings = { checkout_enabled, checkout_account_id, offer_minutes }
  const isSame = namesOf(checkoutSettings).every((name) => settings[name] === before[name])
  return isSame ? [] : [funnel.event.FunnelCheckoutSet(settings)]
}
