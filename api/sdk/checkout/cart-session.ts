import type { Session } from '../../../domain/visits/public.ts'
import { isRandom, type SdkCall } from '../calls.ts'
import { SdkRefusal } from '../refusal.ts'
import { beginUnseen, type Visitors } from '../visitor.ts'

/**
 * Name of a cart for its checkouts. Who names a random id may ask about it in any session, since sessions end while a page is open. Any other id could
 * be guessed, so it counts within its session.
 */
export const cartName = ({ found }: Pick<SdkCall, 'found'>, sessionId: number | undefined, cartId: string): string =>
  isRandom(cartId) ? `cart:${found.workspaceId}:${cartId}` : `${sessionId}:${cartId}`

/** Returns the session that a call names, also when it is over: who comes back to pay goes on in it, as with a form. */
export const namedSession = async (visitors: Visitors, { body, found }: SdkCall): Promise<Session | undefined> => {
  const id = visitors.idIn(body.session, found)
  return id === undefined ? undefined : visitors.recordOf(id)
}

const NONE = 'There is no such session'

/** Returns the session that a cart is paid in. One that was sent without a session has one of its own, however often it is sent. */
export const sessionFor = async (visitors: Visitors, call: SdkCall, cartId: string): Promise<Session> => {
  const named = await namedSession(visitors, call)
  if (named) return named
  const { body, found } = call
  const isForged = body.session !== undefined && visitors.idIn(body.session, found) === undefined
  if (isForged || !isRandom(cartId)) throw new SdkRefusal('session_invalid', NONE)
  return beginUnseen(visitors, call, `cart:${cartId}`)
}

/** Returns the session in which a visitor asks about a cart; `undefined` where the id of the cart is all that they have. */
export const askedIn = async (visitors: Visitors, call: SdkCall, cartId: string): Promise<Session | undefined> => {
  const named = await namedSession(visitors, call)
  if (!named && !isRandom(cartId)) throw new SdkRefusal('session_invalid', NONE)
  return named
}
