import { randomUUID } from 'node:crypto'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { cartOfGrant, type Grant, grants } from '../../../domain/offers/public.ts'
import { COMPLETED } from '../../../domain/orders/public.ts'
import type { Session } from '../../../domain/visits/public.ts'
import type { SdkCall, SdkHandler } from '../calls.ts'
import type { Selling } from '../catalogue.ts'
import { addressesOf, begin, refuseSale } from '../checkout/begin.ts'
import { mustSell, shown as shownState } from '../checkout/checkout.ts'
import { type Going, goingFrom } from '../checkout/onward.ts'
import { makeRoom } from '../checkout/other-checkouts.ts'
import { addressErrors, CHANGED, isAsShown, offerBought, type PayDeps, shownIn } from '../checkout/pay.ts'
import { tokenIn } from '../checkout/payment.ts'
import { invalid, type StateError } from '../checkout/read-cart.ts'
import { answerOf, type CheckoutRecord, checkoutOf, heldBy, lastOf } from '../checkout/status.ts'
import { SdkRefusal } from '../refusal.ts'
import { beginUnseen, sessionOf, type Visitors } from '../visitor.ts'
import { grantNamed, nameOf } from './grants.ts'
import { type Offered, offeredBy, sourceOf } from './offered.ts'

/** An offer in the hands of the visitor to whom it was granted. */
interface Granted {
  readonly session: Session
  readonly grant: Grant
  /** The visitor's own checkout before. */
  readonly source: CheckoutRecord
}

const UNAVAILABLE = { status: 'unavailable' }
const NO_METHOD = invalid('There is no payment method to charge. Enter a card', 'payment', 'payment_method_missing')

/** Finds the offer that was granted to the visitor of a call. */
const grantedTo = async ({ service, visitors }: PayDeps, call: SdkCall): Promise<Granted | undefined> => {
  const { found, body } = call
  const current = await visitors.current(visitors.idIn(body.session, found), found)
  const grant = await grantNamed(service, call, current?.id)
  const session = grant && (await visitors.recordOf(grant.session_id))
  const source = grant && (await sourceOf(service, grant))
  return session && grant && source ? { session, grant, source } : undefined
}

const isOpen = (visitors: Visitors, { found }: SdkCall, { declined_at, expires_at }: Grant): boolean =>
  declined_at === null && expires_at > visitors.at(found)

/** Returns the way of a visitor who has answered an offer. @param bought the checkout by which they took it */
const goingOn = ({ session, source }: Granted, bought: CheckoutRecord | undefined): Going => ({
  ...goingFrom(bought ?? source),
  sessionId: session.id,
})

/**
 * Prices what a page offers, for a visitor to whom it was granted, and says where they go on who come back after they answered it. In test mode everybody
 * sees it, so that its author can look at the page.
 */
export const offer = (deps: PayDeps): SdkHandler => {
  const { service, visitors, onward } = deps
  return async (call) => {
    const { found } = call
    const selling = await mustSell(service, found)
    const granted = found.mode === 'preview' ? undefined : await grantedTo(deps, call)
    const bought = granted && (await heldBy(service, cartOfGrant(granted.grant.id)))
    const isOffered = granted && !bought && isOpen(visitors, call, granted.grant)
    const { priced } = await offeredBy(service, call, selling, granted?.source)
    const isShown = isOffered || (!granted && found.mode !== 'live')
    const isAnswered = granted && (granted.grant.declined_at !== null || bought?.status === COMPLETED)
    const further = isAnswered ? { redirect: await onward.redirect(call, goingOn(granted, bought)) } : {}
    const named = granted && { offer: nameOf(service, granted.grant) }
    return { ...(isShown ? { status: 'open' } : UNAVAILABLE), ...named, ...further, ...shownState(priced) }
  }
}

/** Returns why an offer cannot be bought. */
const offerErrors = ({ priced, cart }: Offered, token: string | null, method: string | null): readonly StateError[] => [
  ...priced.errors,
  ...addressErrors(priced, cart),
  ...(priced.paymentRequired && token === null && method === null ? [NO_METHOD] : []),
]

/** Billing address of a checkout, for the next one. */
const billingOf = (source: CheckoutRecord): Readonly<Record<string, string | null>> => ({
  billing_address_street_one: source.billing_address_street_one,
  billing_address_street_two: source.billing_address_street_two,
  billing_address_city: source.billing_address_city,
  billing_address_region: source.billing_address_region,
  billing_address_country: source.billing_address_country,
  billing_address_postal_code: source.billing_address_postal_code,
})

/**
 * Begins the checkout of an offer, for exactly what was shown: by a new method, or else by that of the visitor's own checkout before.
 *
 * @returns its id; `undefined` where it was not begun
 */
const buy = async (
  deps: PayDeps,
  call: SdkCall,
  selling: Selling,
  { grant, session, source }: Granted,
): Promise<number | undefined> => {
  const { service, visitors, refusedCards } = deps
  const token = tokenIn(call.body, selling.gateway.provider)
  const offered = await offeredBy(service, call, selling, source)
  const { priced, cart } = offered
  if (token !== null && typeof token !== 'string') throw refuseSale(priced, [token])
  const method = token === null ? source.payment_method_id : null
  const errors = offerErrors(offered, token, method)
  if (errors.length > 0) throw refuseSale(priced, errors)
  if (!isAsShown(priced, shownIn(call.body))) throw refuseSale(priced, [CHANGED])
  const name = cartOfGrant(grant.id)
  const attempt = ((await lastOf(service, name))?.attempt ?? 0) + 1
  // A saved method is charged over the account that has it.
  const accountId = token === null && priced.paymentRequired ? source.gateway_account_id : selling.gateway.accountId
  await makeRoom(service, visitors, call, { cart: name, sessions: [session.id], lines: priced.lines })
  const from = { ip: call.ip, sessionId: session.id, pageId: call.found.page.id, at: visitors.at(call.found) }
  return refusedCards.guard(from, (triedFrom) =>
    begin(service, visitors, call, {
      ...{ cart: name, attempt, sessionId: session.id, triedFrom, contactId: source.contact_id },
      selling: { gateway: { ...selling.gateway, accountId } },
      ...{ token, methodId: method, codes: [], priced },
      addresses: { ...billingOf(source), ...addressesOf(cart) },
    }),
  )
}

/** Takes an offer, once: whoever takes it again learns what became of it. */
export const accept = (deps: PayDeps): SdkHandler => {
  const { service, visitors, onward } = deps
  return async (call) => {
    const { found } = call
    const selling = await mustSell(service, found)
    if (found.mode === 'preview') return { status: 'paid', redirect: await onward.preview(call) }
    const granted = await grantedTo(deps, call)
    if (!granted) return UNAVAILABLE
    const redirect = (paid: CheckoutRecord) => onward.redirect(call, goingFrom(paid))
    const held = await boughtBy(deps, granted.grant)
    if (held) return answerOf(held, redirect)
    if (!isOpen(visitors, call, granted.grant)) return UNAVAILABLE
    const id = await buy(deps, call, selling, granted)
    // Its charge may have been refused by now, which frees the offer.
    const begun =
      id === undefined ? await offerBought(service, call, granted.session.id) : await checkoutOf(service, id)
    return begun ? answerOf(begun, redirect) : UNAVAILABLE
  }
}

/** Returns the checkout by which an offer is bought, or was; `undefined`: it was not, or was declined. */
const boughtBy = async ({ service }: PayDeps, grant: Grant): Promise<CheckoutRecord | undefined> =>
  grant.declined_at === null ? heldBy(service, cartOfGrant(grant.id)) : undefined

/** Declines an offer, for good, and leads on as an accepted one does. An offer that is being bought is not declined. */
export const decline = (deps: PayDeps): SdkHandler => {
  const { service, visitors, onward } = deps
  return async (call): Promise<JsonObject> => {
    const { found } = call
    if (!found.step) throw new SdkRefusal('page_not_in_funnel', 'The page is not a step of a funnel')
    if (found.mode === 'preview') return { redirect: await onward.preview(call) }
    const granted = await grantedTo(deps, call)
    if (!granted) return { redirect: await onward.redirect(call, passing(await sessionFor(visitors, call))) }
    const { grant } = granted
    const result = await visitors.send(ask(grants, grant.id, 'decline', {}), call)
    const isTaken = result instanceof Refusal && result.details.some(({ code }) => code === 'taken')
    if (result instanceof Refusal && !isTaken) throw result
    const bought = isTaken ? await heldBy(service, cartOfGrant(grant.id)) : undefined
    if (bought && bought.status !== COMPLETED)
      throw new SdkRefusal('unavailable', 'The offer is being bought; wait a moment', 1)
    return { redirect: await onward.redirect(call, goingOn(granted, bought)) }
  }
}

/** Returns the session of a visitor who passes on. Where none was sent, one begins: the way on leads to its next page. */
const sessionFor = (visitors: Visitors, call: SdkCall): Promise<Session> =>
  call.body.session === undefined
    ? beginUnseen(visitors, call, `passing:${randomUUID()}`)
    : sessionOf(visitors, call.body.session, call.found)

/** Way of a visitor to whom nothing was offered. */
const passing = ({ id, contact_id }: Session) => ({
  ...{ sessionId: id, contactId: contact_id, checkoutId: null },
  cause: `passing ${id}`,
})
