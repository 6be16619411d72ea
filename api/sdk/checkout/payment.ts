import { isJsonObject, type JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Provider } from '../../../domain/payments/public.ts'
import { SdkRefusal } from '../refusal.ts'
import { invalid, optionalText, type StateError } from './read-cart.ts'

/**
 * Tokens of the simulator: those of the test cards, and the words for outcomes of which no card is known. No other number is taken, so that nobody's
 * real card is ever stored.
 */
const OF_SIMULATOR = /^(sim_(4242424242424242|4000000000000002|4000002500003155)|[a-z_]{1,40})$/
/** A number such as that of a card, which no gateway gives as a token. */
const NUMBER = /^[\d\s-]{12,}$/

const REFUSED = invalid('Use one of the test cards: this is no real payment', 'payment', 'not_a_test_card')

/** Reads the token of a payment method, `null` if none was sent. @throws {SdkRefusal} bad request, for what the SDK never sends */
export const tokenIn = (body: JsonObject, provider: Provider): string | null | StateError => {
  const sent = body.payment ?? null
  if (sent === null) return null
  if (!isJsonObject(sent)) throw new SdkRefusal('bad_request', 'payment must be an object')
  const token = optionalText(sent, 'token', 'payment.token')
  if (token === null) return null
  if (NUMBER.test(token)) return REFUSED
  return provider === 'simulator' && !OF_SIMULATOR.test(token) ? REFUSED : token
}
