import Stripe from 'stripe'
import type { CallResult } from '../../domain/kernel/ports/calls.ts'
import { beginningOf } from '../../domain/kernel/values/characters.ts'
import type { RefundAnswer, RefundRequest, SaveAnswer } from '../../domain/payments/public.ts'
import { type Access, AUTHENTICATION_REQUIRED, type Gateway, refused, TIMEOUT_MS, unknown } from './gateway.ts'
import { stripeAmount } from './stripe-amounts.ts'
import { CONFIRMATION, charges, confirms } from './stripe-charges.ts'
import { errorResult, findByKey, idOf, KEY, queryResult, TOO_FINE } from './stripe-results.ts'

const labelOf = ({ card, type }: Stripe.PaymentMethod): string =>
  card ? `${card.brand} •••• ${card.last4}` : type.replaceAll('_', ' ')

/** Cancels a charge that the buyer has not confirmed, so that it is never made. `undefined`: it was made. */
const canceled = async (stripe: Stripe, external_id: string): Promise<CallResult<RefundAnswer> | undefined> => {
  const { status } = await stripe.paymentIntents.retrieve(external_id)
  if (status === 'succeeded') return undefined
  if (status === 'processing') return unknown('the gateway is still at it')
  if (status === 'canceled') return { came: 'answered', answer: { external_id } }
  try {
    await stripe.paymentIntents.cancel(external_id)
    return { came: 'answered', answer: { external_id } }
  } catch (error) {
    // The buyer has just answered the bank.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return unknown('the charge has changed meanwhile')
    throw error
  }
}

const refundIn = ({ id, status, failure_reason }: Stripe.Refund) =>
  status === 'failed' || status === 'canceled'
    ? refused(failure_reason ?? status)
    : ({ came: 'answered', answer: { external_id: id } } as const)

const refunds = (stripe: Stripe): Gateway['refund'] => ({
  async send({ external_id, amount, currency, reason, unconfirmed }: RefundRequest, key) {
    const units = stripeAmount(amount, currency)
    if (units === undefined) return TOO_FINE
    try {
      const gone = unconfirmed ? await canceled(stripe, external_id) : undefined
      if (gone) return gone
      const metadata = { [KEY]: key, reason: beginningOf(reason, 500) }
      const refund = { payment_intent: external_id, amount: units, metadata }
      return refundIn(await stripe.refunds.create(refund, { idempotencyKey: key }))
    } catch (error) {
      return errorResult(error)
    }
  },
  find: ({ external_id, unconfirmed }, key) =>
    queryResult(async () => {
      if (unconfirmed && (await stripe.paymentIntents.retrieve(external_id)).status === 'canceled')
        return { came: 'answered', answer: { external_id } }
      const refund = await findByKey(stripe.refunds.list({ payment_intent: external_id, limit: 100 }), key)
      return refund ? refundIn(refund) : { came: 'never' }
    }),
})

const saved = (customer: string, method: Stripe.PaymentMethod): { came: 'answered'; answer: SaveAnswer } => ({
  came: 'answered',
  answer: { payment_method_id: `${customer}/${method.id}`, label: labelOf(method) },
})

const savedIn = ({ status, customer, payment_method: method, last_setup_error }: Stripe.SetupIntent) => {
  const of = idOf(customer)
  if (status === 'succeeded' && of !== undefined && method !== null && typeof method === 'object')
    return saved(of, method)
  if (status === 'processing') return unknown('the gateway is still at it')
  return refused(status === 'requires_action' ? AUTHENTICATION_REQUIRED : (last_setup_error?.code ?? status))
}

const saves = (stripe: Stripe): Gateway['save'] => ({
  async send({ token, email_address, workspace_id, contact_id, charged }, key) {
    const metadata = { [KEY]: key, contact: `${workspace_id}/${contact_id}` }
    try {
      const { id: customer } = await stripe.customers.create(
        { ...(email_address !== null && { email: email_address }), metadata },
        { idempotencyKey: `${key}/customer` },
      )
      if (charged) return { came: 'answered', answer: { payment_method_id: `${customer}/${token}`, label: null } }
      const intent = await stripe.setupIntents.create(
        {
          customer,
          ...(token.startsWith(CONFIRMATION) ? { confirmation_token: token } : { payment_method: token }),
          usage: 'off_session',
          confirm: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          metadata,
          expand: ['payment_method'],
        },
        { idempotencyKey: `${key}/method` },
      )
      return savedIn(intent)
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError) return refused(error.decline_code || error.code || error.type)
      return errorResult(error)
    }
  },
  find: ({ token }, _) =>
    queryResult(async () => {
      if (token.startsWith(CONFIRMATION)) {
        const intent = idOf((await stripe.confirmationTokens.retrieve(token)).setup_intent)
        if (intent === undefined) return { came: 'never' }
        return savedIn(await stripe.setupIntents.retrieve(intent, { expand: ['payment_method'] }))
      }
      const method = await stripe.paymentMethods.retrieve(token)
      const customer = idOf(method.customer)
      return customer === undefined ? { came: 'never' } : saved(customer, method)
    }),
})

/**
 * Returns the gateway of Stripe, over its own library. Each call has our key, which Stripe remembers for a day. Later, or in
 * doubt, the key is searched for in Stripe's lists of the customer or the charge. Unlike its search, these are always complete.
 */
export const stripeGateway = ({ secretKey, url }: Access): Gateway => {
  const { protocol, hostname, port } = new URL(url)
  const isPlain = protocol === 'http:'
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    // The caller retries, and stores each attempt before it is made.
    maxNetworkRetries: 0,
    telemetry: false,
  })
  return { charge: charges(stripe), confirm: confirms(stripe), refund: refunds(stripe), save: saves(stripe) }
}
