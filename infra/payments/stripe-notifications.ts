import Stripe from 'stripe'
import Type from 'typebox'
import { Check } from 'typebox/value'
import type { BankNotice, Notice } from './notice.ts'
import { stripeDecimal } from './stripe-amounts.ts'

const id = Type.String({ minLength: 1, maxLength: 255 })
const EVENT = Type.Object({ id, type: Type.String(), data: Type.Object({ object: Type.Unknown() }) })
const REFUNDED = Type.Object({
  payment_intent: Type.Union([id, Type.Object({ id })]),
  amount_refunded: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
})

const FAILED = Type.Object({
  id,
  object: Type.Literal('refund'),
  status: Type.Union([Type.Literal('failed'), Type.Literal('canceled')]),
  payment_intent: Type.Union([id, Type.Object({ id })]),
  amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
})

/** Types of events with a refund as it is now. */
const REFUND_EVENTS: ReadonlySet<string> = new Set(['refund.failed', 'refund.updated', 'charge.refund.updated'])

const failureIn = (type: string, object: unknown): Notice | undefined => {
  if (!REFUND_EVENTS.has(type) || !Check(FAILED, object)) return undefined
  const { id: refund_id, payment_intent: intent, amount } = object
  const currency = object.currency.toUpperCase()
  const external_id = typeof intent === 'string' ? intent : intent.id
  return { external_id, amount: stripeDecimal(amount, currency), currency, refund_id }
}

/** Types of events that say that a buyer has answered the bank, or never will. */
const INTENT_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
])
const INTENT = Type.Object({ id, object: Type.Literal('payment_intent') })

const PAID = Type.Object({
  status: Type.Literal('succeeded'),
  amount_received: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
})

/** Returns the charge in an event about which the bank may have been asked, and what was paid; `undefined`: it has none. */
const answeredIn = (type: string, object: unknown): BankNotice | undefined => {
  if (!INTENT_EVENTS.has(type) || !Check(INTENT, object)) return undefined
  if (type !== 'payment_intent.succeeded' || !Check(PAID, object)) return { answered: object.id }
  const currency = object.currency.toUpperCase()
  return { answered: object.id, paid: { amount: stripeDecimal(object.amount_received, currency), currency } }
}

/** Returns the refund in an event, made or failed; `undefined`: it has none, or not one of a payment intent. */
const noticeIn = (type: string, object: unknown): Notice | undefined => {
  if (type !== 'charge.refunded' || !Check(REFUNDED, object)) return failureIn(type, object)
  const { payment_intent: intent, amount_refunded, ...rest } = object
  const currency = rest.currency.toUpperCase()
  const external_id = typeof intent === 'string' ? intent : intent.id
  return { external_id, amount: stripeDecimal(amount_refunded, currency), currency }
}

/** Longest time, in seconds, between the signing of a notification and now, in either direction. */
const TOLERANCE_S = 300
const TIME = /^t=(\d{1,12})$/
const SIGNATURE = /^v1=[0-9a-f]{64}$/
/** Stripe signs with two secrets while one replaces the other. */
const MOST_SIGNATURES = 8

/**
 * Returns the parts of a `Stripe-Signature` header that its library needs, in the form that it expects: it fails at others.
 * `undefined`: the header has no time within five minutes from now, before or after, or no signature.
 */
export const signatureIn = (header: string, now: number): string | undefined => {
  const parts = header.split(',').map((part) => part.trim())
  const time = parts.find((part) => TIME.test(part))
  const signatures = parts.filter((part) => SIGNATURE.test(part)).slice(0, MOST_SIGNATURES)
  if (time === undefined || signatures.length === 0) return undefined
  const age = Math.floor(now / 1000) - Number(TIME.exec(time)?.[1])
  return Math.abs(age) <= TOLERANCE_S ? [time, ...signatures].join(',') : undefined
}

/**
 * Reads a notification of Stripe, verified by its library: its id, and what it says of a refund or of the answer to a bank, if anything. `undefined`: it is
 * not from Stripe, or is no event.
 *
 * @param signature as `signatureIn` returns it
 */
export const readStripe = (
  body: Buffer,
  signature: string,
  secret: string,
): { readonly id: string; readonly notice: Notice | BankNotice | undefined } | undefined => {
  let event: unknown
  try {
    event = Stripe.webhooks.constructEvent(body, signature, secret)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
      return undefined
    throw error
  }
  return Check(EVENT, event)
    ? { id: event.id, notice: noticeIn(event.type, event.data.object) ?? answeredIn(event.type, event.data.object) }
    : undefined
}
