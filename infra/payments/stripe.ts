import Stripe from 'stripe'
import type { CallResult, QueryResult } from '../../domain/kernel/ports/calls.ts'
import type { ChargeAnswer, ChargeRequest, RefundRequest, SaveAnswer } from '../../domain/payments/public.ts'
import {
  type Access,
  AUTHENTICATION_REQUIRED,
  approved,
  declined,
  failed,
  type Gateway,
  lost,
  refused,
  TIMEOUT_MS,
  unknown,
} from './gateway.ts'
import { stripeAmount } from './stripe-amounts.ts'

const TOO_FINE = refused('the amount is finer than the gateway takes it')

/** Metadata field at Stripe that holds our key. */
const KEY = 'millrace_key'

/** Highest number of charges of a customer, or refunds of a charge, that are searched for a key. */
const MOST_LISTED = 1000

/** Returns the result of a request that failed with an error. Reasons contain no personal data. */
const errorResult = (error: unknown): CallResult<never> => {
  if (error instanceof Stripe.errors.StripeConnectionError) return lost(error.detail)
  if (!(error instanceof Stripe.errors.StripeError)) return lost(error)
  const { statusCode = 0, code, type, param } = error
  const reason = `${code ?? type}${param === undefined ? '' : ` (${param})`}`
  // Stripe has not begun to act.
  if (statusCode === 429) return failed(reason)
  // A request under the same key is running, or the key was used for something else.
  if (statusCode === 409 || error instanceof Stripe.errors.StripeIdempotencyError) return unknown(reason)
  return statusCode >= 400 && statusCode < 500 ? refused(reason) : unknown(reason)
}

const idOf = (of: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof of === 'string' ? of : of?.id

/** Returns the result of a charge. */
const chargeIn = ({
  id,
  status,
  last_payment_error,
}: Stripe.PaymentIntent): Exclude<CallResult<ChargeAnswer>, { came: 'failed' }> => {
  if (status === 'succeeded') return approved(id)
  if (status === 'processing') return unknown('the gateway is still at it')
  if (status === 'requires_action') return declined(AUTHENTICATION_REQUIRED, id)
  const code = last_payment_error?.code
  if (code === AUTHENTICATION_REQUIRED) return declined(code, id)
  return declined(last_payment_error?.decline_code || code || status, id)
}

const chargeError = (error: unknown): CallResult<ChargeAnswer> => {
  if (!(error instanceof Stripe.errors.StripeCardError)) return errorResult(error)
  const { code, decline_code, payment_intent } = error
  const reason = code === AUTHENTICATION_REQUIRED ? code : decline_code || code || 'card_declined'
  return declined(reason, payment_intent?.id)
}

/** Number of characters that are sure to fit on a bank statement after the name of the merchant. */
const STATEMENT_CHARACTERS = 10

/** Returns the text for the bank statement, without characters that are not allowed there. */
const onStatement = (about: string): { readonly statement_descriptor_suffix?: string } => {
  const suffix = about
    .replace(/[^\x20-\x7e]|[<>\\'"*]/g, '')
    .slice(0, STATEMENT_CHARACTERS)
    .trim()
  return /[a-z]/i.test(suffix) ? { statement_descriptor_suffix: suffix } : {}
}

const methodIn = (payment_method_id: string) => {
  const [customer = '', payment_method = ''] = payment_method_id.split('/')
  return { customer, payment_method }
}

const labelOf = ({ card, type }: Stripe.PaymentMethod): string =>
  card ? `${card.brand} •••• ${card.last4}` : type.replaceAll('_', ' ')

/** Returns the first of a list, newest first, that was made under a key. */
const findByKey = async <T extends { readonly metadata: Stripe.Metadata | null }>(
  list: Stripe.ApiListPromise<T>,
  key: string,
): Promise<T | undefined> => {
  let seen = 0
  for await (const one of list) {
    if (one.metadata?.[KEY] === key) return one
    if (++seen === MOST_LISTED) break
  }
  return undefined
}

/** Returns the result of a query. A query that fails says nothing about the call. */
const queryResult = async <Answer>(ask: () => Promise<QueryResult<Answer>>): Promise<QueryResult<Answer>> => {
  try {
    return await ask()
  } catch (error) {
    const { reason } = errorResult(error) as { readonly reason: string }
    return unknown(reason)
  }
}

const charges = (stripe: Stripe): Gateway['charge'] => ({
  async send({ payment_method_id, amount, currency, about }: ChargeRequest, key) {
    const units = stripeAmount(amount, currency)
    if (units === undefined) return TOO_FINE
    try {
      const intent = await stripe.paymentIntents.create(
        {
          ...methodIn(payment_method_id),
          amount: units,
          currency: currency.toLowerCase(),
          off_session: true,
          confirm: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description: about,
          ...onStatement(about),
          metadata: { [KEY]: key },
        },
        { idempotencyKey: key },
      )
      return chargeIn(intent)
    } catch (error) {
      return chargeError(error)
    }
  },
  find: ({ payment_method_id }, key) =>
    queryResult(async () => {
      const { customer } = methodIn(payment_method_id)
      const intent = await findByKey(stripe.paymentIntents.list({ customer, limit: 100 }), key)
      return intent ? chargeIn(intent) : { came: 'never' }
    }),
})

const refundIn = ({ id, status, failure_reason }: Stripe.Refund) =>
  status === 'failed' || status === 'canceled'
    ? refused(failure_reason ?? status)
    : ({ came: 'answered', answer: { external_id: id } } as const)

const refunds = (stripe: Stripe): Gateway['refund'] => ({
  async send({ external_id, amount, currency, reason }: RefundRequest, key) {
    const units = stripeAmount(amount, currency)
    if (units === undefined) return TOO_FINE
    try {
      const metadata = { [KEY]: key, reason: reason.slice(0, 500) }
      const refund = { payment_intent: external_id, amount: units, metadata }
      return refundIn(await stripe.refunds.create(refund, { idempotencyKey: key }))
    } catch (error) {
      return errorResult(error)
    }
  },
  find: ({ external_id }, key) =>
    queryResult(async () => {
      const refund = await findByKey(stripe.refunds.list({ payment_intent: external_id, limit: 100 }), key)
      return refund ? refundIn(refund) : { came: 'never' }
    }),
})

const CONFIRMATION = 'ctoken_'

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
  async send({ token, email_address, workspace_id, contact_id }, key) {
    const metadata = { [KEY]: key, contact: `${workspace_id}/${contact_id}` }
    try {
      const { id: customer } = await stripe.customers.create(
        { ...(email_address !== null && { email: email_address }), metadata },
        { idempotencyKey: `${key}/customer` },
      )
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
  return { charge: charges(stripe), refund: refunds(stripe), save: saves(stripe) }
}
