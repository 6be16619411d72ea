import Stripe from 'stripe'
import type { CallResult } from '../../domain/kernel/ports/calls.ts'
import type { ChargeAnswer, ChargeRequest, ConfirmRequest } from '../../domain/payments/public.ts'
import { AUTHENTICATION_REQUIRED, approved, bankAsks, declined, type Gateway, unknown } from './gateway.ts'
import { stripeAmount } from './stripe-amounts.ts'
import { errorResult, findByKey, idOf, KEY, queryResult, TOO_FINE } from './stripe-results.ts'

type Charged = Exclude<CallResult<ChargeAnswer>, { came: 'failed' }>

/** Returns the result of a charge. @param present whether the buyer is there, so that the bank can ask */
const chargeIn = (intent: Stripe.PaymentIntent, present = false): Charged => {
  const { id, status, last_payment_error, client_secret } = intent
  if (status === 'succeeded') return approved(id)
  if (status === 'processing') return unknown('the gateway is still at it')
  if (status === 'requires_action')
    return present && client_secret !== null ? bankAsks(id, { client_secret }) : declined(AUTHENTICATION_REQUIRED, id)
  const code = last_payment_error?.code
  if (code === AUTHENTICATION_REQUIRED) return declined(code, id)
  return declined(last_payment_error?.decline_code || code || status, id)
}

/** Returns the same with the payment method that Stripe has saved with the charge. */
const presentChargeIn = (intent: Stripe.PaymentIntent): Charged => {
  const charged = chargeIn(intent, true)
  const [customer, method] = [idOf(intent.customer), idOf(intent.payment_method)]
  return charged.came !== 'answered' || customer === undefined || method === undefined
    ? charged
    : { came: 'answered', answer: { ...charged.answer, payment_method_id: `${customer}/${method}` } }
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

/** Beginning of tokens that hold a method which is not saved yet. */
export const CONFIRMATION = 'ctoken_'

/** Parameters of a charge with the buyer present, which saves the method for later ones, and of one without. */
const howCharged = (payment_method_id: string, present: boolean) => {
  const { customer, payment_method } = methodIn(payment_method_id)
  if (!present) return { customer, payment_method, off_session: true }
  const method = payment_method.startsWith(CONFIRMATION) ? { confirmation_token: payment_method } : { payment_method }
  return { customer, ...method, setup_future_usage: 'off_session' as const }
}

export const charges = (stripe: Stripe): Gateway['charge'] => ({
  async send({ payment_method_id, amount, currency, about, present = false }: ChargeRequest, key) {
    const units = stripeAmount(amount, currency)
    if (units === undefined) return TOO_FINE
    try {
      const intent = await stripe.paymentIntents.create(
        {
          ...howCharged(payment_method_id, present),
          amount: units,
          currency: currency.toLowerCase(),
          confirm: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description: about,
          ...onStatement(about),
          metadata: { [KEY]: key },
        },
        { idempotencyKey: key },
      )
      return present ? presentChargeIn(intent) : chargeIn(intent)
    } catch (error) {
      return chargeError(error)
    }
  },
  find: ({ payment_method_id, present }, key) =>
    queryResult(async () => {
      const { customer } = methodIn(payment_method_id)
      const intent = await findByKey(stripe.paymentIntents.list({ customer, limit: 100 }), key)
      return intent ? (present ? presentChargeIn(intent) : chargeIn(intent)) : { came: 'never' }
    }),
})

/** Asks what became of a charge. One whose buyer has not answered the bank is declined. */
export const confirms = (stripe: Stripe): Gateway['confirm'] => {
  const ask = ({ external_id }: ConfirmRequest) =>
    queryResult<ChargeAnswer>(async () => chargeIn(await stripe.paymentIntents.retrieve(external_id)))
  return {
    find: ask,
    async send(request) {
      const found = await ask(request)
      return found.came === 'never' ? unknown('the gateway does not know the charge') : found
    },
  }
}
