import { ask } from '../../../domain/kernel/decide/ask.ts'
import { readEverywhere } from '../../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../../domain/kernel/values/stream-name.ts'
import { BANK, CART, COMPLETED, checkout, checkouts, hasFreedCart, RUNNING } from '../../../domain/orders/public.ts'
import { findAfterCatchUp } from '../../read-your-writes.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import type { Sender, Visitors } from '../visitor.ts'
import type { StateError } from './read-cart.ts'

export type CheckoutRecord = RecordOf<typeof checkout>

/** Where the payment of a cart stands, as its page is told. */
export type Standing =
  | { readonly status: 'none' | 'pending' | 'paid' }
  /** The bank asks the buyer. */
  | { readonly status: 'action'; readonly action: JsonObject }
  | { readonly status: 'refused'; readonly errors: readonly StateError[] }

/** Returns a checkout as it is in the log. */
export const checkoutOf = async (
  { engine }: Pick<SdkService, 'engine'>,
  id: number,
): Promise<CheckoutRecord | undefined> => (await engine.records(checkouts.decider, id, -1)).root(checkout)

/** Returns the checkout of a cart that is under way or paid, as it is in the log. @throws {SdkRefusal} unavailable, while that is being decided */
export const heldBy = async (
  service: Pick<SdkService, 'engine' | 'log'>,
  cart: string,
): Promise<CheckoutRecord | undefined> => {
  const { engine, log } = service
  const claim = await log.claimed(engine.claimKey({ scope: CART, value: cart }))
  // An offer that is declined holds its cart as well.
  if (!claim?.stream.startsWith(`${checkout.name}-`)) return undefined
  if (claim.undecided) throw new SdkRefusal('unavailable', 'The payment is being begun; try again', 1)
  return checkoutOf(service, parseStream(claim.stream).id)
}

/** Returns the last attempt to pay a cart, if there was one. */
export const lastOf = async (
  service: Pick<SdkService, 'engine' | 'log' | 'everywhere' | 'progress'>,
  cart: string,
): Promise<CheckoutRecord | undefined> =>
  (await heldBy(service, cart)) ??
  (await findAfterCatchUp(service, async () => {
    const attempts = await readEverywhere(service.everywhere).find(checkout, { where: { cart } })
    return attempts.toSorted((a, b) => (a.attempt ?? 0) - (b.attempt ?? 0)).at(-1)
  }))

const DECLINED = /^declined: /
/** Reasons that say nothing about the card. */
const NOT_OF_CARD = /^(it |the gateway|no answer|the account|there is no such account)/
/** Steps at which a gateway refuses a card. */
export const OF_CARD: ReadonlySet<string> = new Set(['method', 'charge', BANK, 'confirm'])

const MESSAGES: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card has insufficient funds',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The security code of the card is wrong',
  authentication_required: 'The bank did not confirm the payment',
}
const OF_GATEWAY = 'The card was declined. Try another card'

/** Returns whether a checkout failed because a gateway refused the card. */
export const isCardRefused = ({ failed, because }: CheckoutRecord): boolean =>
  failed !== null && OF_CARD.has(failed) && !NOT_OF_CARD.test(because ?? '')

/** Returns what pages are told of a checkout that failed. What a gateway says in its own words stays here. */
const errorsOf = ({ failed, because }: CheckoutRecord): readonly StateError[] => {
  if (failed === 'stock' || failed === 'commit')
    return [{ code: 'out_of_stock', message: because ?? 'Sold out', field: 'line_items', source: 'validation' }]
  if (failed === 'discounts' || failed === 'redeem')
    return [{ code: 'discount', message: because ?? 'Not usable', field: 'coupon_codes', source: 'validation' }]
  if (failed === null || failed === 'place' || NOT_OF_CARD.test(because ?? ''))
    return [{ code: 'not_completed', message: 'The payment was not completed. Nothing was charged', source: 'gateway' }]
  const code = failed === BANK ? 'authentication_required' : (because ?? '').replace(DECLINED, '')
  const known = MESSAGES[code]
  return [{ code: known ? code : 'declined', message: known ?? OF_GATEWAY, field: 'payment', source: 'gateway' }]
}

/** Returns where a checkout stands for its buyer. One that is in doubt is pending: only a known refusal frees the cart. */
export const standingOf = (found: CheckoutRecord | undefined): Standing => {
  if (!found) return { status: 'none' }
  if (found.status === COMPLETED) return { status: 'paid' }
  if (hasFreedCart(found)) return { status: 'refused', errors: errorsOf(found) }
  if (found.step === BANK && found.status === RUNNING && found.action !== null)
    return { status: 'action', action: found.action }
  return { status: 'pending' }
}

/** Returns the answer about the checkout of a cart. @param redirect where a buyer who has paid goes on */
export const answerOf = async (
  found: CheckoutRecord | undefined,
  redirect: (paid: CheckoutRecord) => Promise<string>,
): Promise<JsonObject> => {
  const { status, ...more } = standingOf(found)
  if (status === 'paid' && found) return { status, redirect: await redirect(found) }
  return { status, ...more }
}

/** Tells a checkout that waits for the bank that the buyer has answered it. */
export const answered = async (
  visitors: Visitors,
  sender: Sender,
  { id, step, status, action }: CheckoutRecord,
  bank_answer: string | null,
): Promise<void> => {
  if (step !== BANK || status !== RUNNING) return
  const keeps = action && 'simulated' in action ? { bank_answer } : {}
  const result = await visitors.send(ask(checkouts.decider, id, 'settle', { step: BANK, way: RUNNING, keeps }), sender)
  if (result instanceof Refusal) throw result
}
