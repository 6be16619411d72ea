import Stripe from 'stripe'
import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { AUTHENTICATION_REQUIRED } from './gateway.ts'
import type { Notice } from './notifications.ts'
import { stripeDecimal } from './stripe-amounts.ts'

const id = Type.String({ minLength: 1, maxLength: 255 })
const units = Type.Integer({ minimum: 0 })
const currency = Type.String({ pattern: '^[a-z]{3}$' })
const code = Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()]))
const intentOf = { payment_intent: Type.Union([id, Type.Object({ id })]) }

const EVENT = Type.Object({ id, type: Type.String(), data: Type.Object({ object: Type.Unknown() }) })
const REFUNDED = Type.Object({ ...intentOf, amount_refunded: units, currency })
const DISPUTE = Type.Object({ ...intentOf, amount: units, currency, reason: Type.String({ maxLength: 255 }) })
const INTENT = Type.Object({
  ...{ id, amount: units, currency },
  last_payment_error: Type.Union([Type.Object({ code, decline_code: code }), Type.Null()]),
})

const sumOf = (of: number, inCurrency: string) => {
  const name = inCurrency.toUpperCase()
  return { amount: stripeDecimal(of, name), currency: name }
}

const chargeOf = ({ payment_intent: of }: Static<typeof REFUNDED | typeof DISPUTE>) =>
  typeof of === 'string' ? of : of.id

const settled = (
  { id: external_id, amount, currency: of, last_payment_error: error }: Static<typeof INTENT>,
  isPaid: boolean,
): Notice => {
  const reason = error?.code === AUTHENTICATION_REQUIRED ? error.code : error?.decline_code || error?.code || null
  const outcome = isPaid ? { result: 'approved', reason: null } : { result: 'declined', reason }
  return { type: 'GatewayChargeSettled', external_id, data: { ...sumOf(amount, of), ...outcome } }
}

/** How an object is read that is of a form; what is not of it (a charge of no payment of ours) says nothing. */
const reads =
  <S extends TSchema>(form: S, read: (object: Static<S>) => Notice) =>
  (object: unknown): Notice | undefined =>
    Check(form, object) ? read(object as Static<S>) : undefined

const READ: ReadonlyMap<string, (object: unknown) => Notice | undefined> = new Map([
  [
    'charge.refunded',
    reads(REFUNDED, (of) => ({
      type: 'GatewayRefunded',
      external_id: chargeOf(of),
      data: sumOf(of.amount_refunded, of.currency),
    })),
  ],
  [
    'charge.dispute.created',
    reads(DISPUTE, (of) => ({
      type: 'GatewayDisputed',
      external_id: chargeOf(of),
      data: { ...sumOf(of.amount, of.currency), reason: of.reason },
    })),
  ],
  ['payment_intent.succeeded', reads(INTENT, (of) => settled(of, true))],
  ['payment_intent.payment_failed', reads(INTENT, (of) => settled(of, false))],
])

/** What a notification of Stripe says, verified by its library: its id, and the notice in it where it has one; `undefined` when it is not of Stripe, is too old, or is no event. */
export const readStripe = (
  body: Buffer,
  signature: string,
  secret: string,
): { readonly id: string; readonly notice: Notice | undefined } | undefined => {
  let event: unknown
  try {
    event = Stripe.webhooks.constructEvent(body, signature, secret)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
      return undefined
    throw error
  }
  if (!Check(EVENT, event)) return undefined
  return { id: event.id, notice: READ.get(event.type)?.(event.data.object) }
}
