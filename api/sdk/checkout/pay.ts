import { admitAttributes, contactAttributes, readPageForm } from '../../../domain/forms/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { cartOfGrant } from '../../../domain/offers/public.ts'
import { TOTALS_CHANGED } from '../../../domain/orders/public.ts'
import { type Session, sessions } from '../../../domain/visits/public.ts'
import { type SdkCall, type SdkHandler, textIn } from '../calls.ts'
import type { Selling } from '../catalogue.ts'
import { contactOf } from '../contact.ts'
import { grantNamed } from '../offers/grants.ts'
import { SdkRefusal } from '../refusal.ts'
import type { SdkService } from '../service.ts'
import { campaignIn } from '../source.ts'
import type { Visitors } from '../visitor.ts'
import { addressesOf, begin, refuseSale } from './begin.ts'
import { buyOnce } from './bought-already.ts'
import { type Buyer, buyerIn } from './buyer.ts'
import type { RefusedCards } from './card-testing.ts'
import { askedIn, cartName, sessionFor } from './cart-session.ts'
import { mustSell } from './checkout.ts'
import { goingFrom, type Onward } from './onward.ts'
import { tokenIn } from './payment.ts'
import { type CartOnPage, cartIn, invalid, type StateError } from './read-cart.ts'
import { buyerOf, type PricedState, stateOf } from './state.ts'
import { answered, answerOf, heldBy, lastOf } from './status.ts'

/** Dependencies of paying. */
export interface PayDeps {
  readonly service: SdkService
  readonly visitors: Visitors
  readonly onward: Onward
  readonly refusedCards: RefusedCards
}

const MOST_ATTEMPTS = 1000
const MOST_CUSTOM = 100

const attemptIn = ({ attempt }: JsonObject): number => {
  if (typeof attempt === 'number' && Number.isInteger(attempt) && attempt >= 1 && attempt <= MOST_ATTEMPTS)
    return attempt
  throw new SdkRefusal('bad_request', `attempt must be a whole number from 1 to ${MOST_ATTEMPTS}`)
}

/** What the buyer saw when paying. */
export const shownIn = (body: JsonObject): { readonly version: string; readonly total: number } => {
  const sent: Json = body.shown ?? null
  if (!isJsonObject(sent) || typeof sent.version !== 'string' || typeof sent.total !== 'number')
    throw new SdkRefusal('bad_request', 'shown must have the version and the total of the state that was shown')
  return { version: sent.version, total: sent.total }
}

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')

/** Returns the attributes of contacts that a page sends, named as elements of forms are. */
const customIn = ({ custom = [] }: JsonObject): readonly (readonly [string, string])[] => {
  if (!Array.isArray(custom) || custom.length > MOST_CUSTOM || !custom.every(isPair))
    throw new SdkRefusal('bad_request', `custom must be a list of at most ${MOST_CUSTOM} pairs of texts`)
  return custom.map(([key, value]) => [`custom-attribute:${key}`, value])
}

export const CHANGED = invalid('The total has changed since it was shown', 'total', TOTALS_CHANGED)

/** Returns whether a cart costs what was shown. */
export const isAsShown = (
  { version, total }: PricedState,
  shown: { readonly version: string; readonly total: number },
) => version === shown.version && total === shown.total

/** Returns what is missing in an address to which something is shipped. */
export const addressErrors = (
  priced: PricedState,
  { shipping_address: to }: Pick<CartOnPage, 'shipping_address'>,
): readonly StateError[] =>
  !priced.addressRequired
    ? []
    : (['street', 'city', 'country'] as const)
        .filter((name) => (to?.[name] ?? null) === null)
        .map((name) => invalid(`Shipping address: ${name} can't be blank`, `shipping_address.${name}`, 'blank'))

type Token = string | null | StateError

const tokenOf = (token: Token): string | null => (typeof token === 'string' ? token : null)

/** Returns everything for which a cart cannot be paid. */
const saleErrors = (
  priced: PricedState,
  cart: CartOnPage,
  buyer: Buyer | StateError,
  token: Token,
): readonly StateError[] => {
  const bumps = priced.lines.length > 0 && priced.lines.every(({ bump }) => bump)
  return [
    ...priced.errors,
    ...(bumps ? [invalid('This is sold together with a product only', 'line_items', 'bump_without_product')] : []),
    ...addressErrors(priced, cart),
    ...('source' in buyer ? [buyer] : []),
    ...(priced.paymentRequired && token === null ? [invalid('Payment is missing', 'payment', 'blank')] : []),
    ...(token !== null && typeof token !== 'string' ? [token] : []),
  ]
}

/** Returns the id of the session of a buyer, whom it names from now on. Somebody else than before has a session of their own. */
const identify = async (
  visitors: Visitors,
  call: SdkCall,
  before: Session,
  contact_id: number,
  typed: Buyer,
): Promise<number> => {
  const isSomebodyElse = before.contact_id !== null && before.contact_id !== contact_id
  const { visitor, consent } = before
  const arrival = { ...call, visitor, consent, campaign: campaignIn(''), referrer: null, referring_domain: null }
  const once = `checkout:${before.id}:${contact_id}`
  const id = isSomebodyElse ? await visitors.begin({ ...arrival, view: undefined, once }) : before.id
  const result = await visitors.send(ask(sessions, id, 'identify', { contact_id, typed }), call)
  if (result instanceof Refusal) throw result
  return id
}

/** Returns the attributes of contacts in what a page sends, as far as it may make new ones. */
const attributesIn = async (
  { service, visitors }: PayDeps,
  call: SdkCall,
  custom: readonly (readonly [string, string])[],
) => {
  const { found } = call
  const transact = (asked: Parameters<Visitors['send']>[0]) => visitors.send(asked, call)
  const page = { workspaceId: found.workspaceId, pageId: found.page.id }
  const { engine, ids } = service
  return contactAttributes(await admitAttributes({ engine, ids, transact }, { ...page, sent: readPageForm(custom) }))
}

/** What a page sends for a payment. */
const sentIn = ({ body }: SdkCall, { gateway }: Selling) => ({
  cart: cartIn(body),
  ...{ attempt: attemptIn(body), shown: shownIn(body), buyer: buyerIn(body), custom: customIn(body) },
  token: tokenIn(body, gateway.provider),
})

/** Pays the cart of a page. A browser that has sent no session gets the one that begins here. */
export const pay = (deps: PayDeps): SdkHandler => {
  const { service, visitors } = deps
  const payAs = paying(deps)
  return async (call) => {
    const { found, body } = call
    const selling = await mustSell(service, found)
    const sent = sentIn(call, selling)
    if (found.mode === 'preview') return payAs(undefined, call, selling, sent)
    const session = await sessionFor(visitors, call, sent.cart.id)
    const answer = await payAs(session, call, selling, sent)
    const isKnown = visitors.idIn(body.session, found) === session.id
    return isKnown ? answer : { ...answer, session: visitors.secretOf(session.id, found) }
  }
}

/** Pays a cart in a session: begins a checkout for exactly what was shown, once for each attempt. */
const paying = (deps: PayDeps) => {
  const { service, visitors, onward, refusedCards } = deps
  const contactFor = contactOf(service, visitors)
  return async (
    session: Session | undefined,
    call: SdkCall,
    selling: Selling,
    { cart, attempt, shown, buyer, custom, token }: ReturnType<typeof sentIn>,
  ): Promise<JsonObject> => {
    const { found } = call
    const name = session && cartName(call, session.id, cart.id)
    const held = name === undefined ? undefined : await heldBy(service, name)
    if (session && held) return answerOf(held, (paid) => onward.redirect(call, goingFrom(paid)))
    const contactId = 'email' in buyer ? await buyerOf(service, found, buyer.email) : undefined
    const priced = await stateOf(service, { found, selling, contactId }, cart)
    const errors = saleErrors(priced, cart, buyer, token)
    if (errors.length > 0 || !('email' in buyer)) throw refuseSale(priced, errors)
    if (!isAsShown(priced, shown)) throw refuseSale(priced, [...priced.errors, CHANGED])
    if (!session || name === undefined) return { status: 'paid', redirect: await onward.preview(call) }
    const source = { ip: call.ip, sessionId: session.id, pageId: found.page.id, at: visitors.at(found) }
    const id = await refusedCards.guard(source, async (triedFrom) => {
      const attributes = await attributesIn(deps, call, custom)
      const buyerId = (await contactFor({ typed: buyer, attributes }, null, call)) ?? 0
      const sessionId = await identify(visitors, call, session, buyerId, buyer)
      const sold = { selling, priced, codes: cart.coupon_codes, addresses: addressesOf(cart), token: tokenOf(token) }
      const named = { cart: name, attempt, sessionId, triedFrom, contactId: buyerId }
      const sessions = [session.id, sessionId]
      const wanted = { cart: name, sessions, lines: priced.lines, contactId: buyerId }
      return buyOnce(service, visitors, call, wanted, (purchase) =>
        begin(service, visitors, call, { ...named, ...sold, purchase }),
      )
    })
    if (id !== undefined) return { status: 'pending' }
    const last = await lastOf(service, name)
    return answerOf(last, (paid) => onward.redirect(call, goingFrom(paid)))
  }
}

/** Returns the last checkout by which a visitor has tried to buy what the page offers. */
export const offerBought = async (service: SdkService, call: SdkCall, sessionId: number | undefined) => {
  const grant = await grantNamed(service, call, sessionId)
  return grant && grant.declined_at === null ? lastOf(service, cartOfGrant(grant.id)) : undefined
}

const answersIn = ({ result = null }: JsonObject): string | null => {
  if (result === null || result === 'approved' || result === 'refused') return result
  throw new SdkRefusal('bad_request', 'result must be approved or refused')
}

/** Returns the last checkout of the cart that a call names, or of the offer that its visitor takes. */
const lastNamed = async ({ service, visitors }: PayDeps, call: SdkCall, cartId: string) => {
  const session = await askedIn(visitors, call, cartId)
  const last = await lastOf(service, cartName(call, session?.id, cartId))
  return last ?? offerBought(service, call, session?.id)
}

/**
 * Goes on with a payment after the buyer has answered the bank. What the bank heard is asked of the gateway; only the simulator, which has no bank,
 * goes by what the page says.
 */
export const confirm = (deps: PayDeps): SdkHandler => {
  const answer = status(deps)
  return async (call) => {
    const { found, body } = call
    const [cartId, bank_answer] = [textIn(body, 'cart_id', 64), answersIn(body)]
    if (found.mode === 'preview') return { status: 'none' }
    const last = await lastNamed(deps, call, cartId)
    if (last) await answered(deps.visitors, call, last, bank_answer)
    return answer(call)
  }
}

/** Answers where the payment of a cart stands. */
export const status = (deps: PayDeps): SdkHandler => {
  return async (call) => {
    const { found, body } = call
    const cartId = textIn(body, 'cart_id', 64)
    if (found.mode === 'preview') return { status: 'none' }
    return answerOf(await lastNamed(deps, call, cartId), (paid) => deps.onward.redirect(call, goingFrom(paid)))
  }
}
