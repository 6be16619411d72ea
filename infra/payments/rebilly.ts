import type { CallResult, QueryResult } from '../../domain/kernel/ports/calls.ts'
import { fromMinor, toMinor } from '../../domain/kernel/values/money.ts'
import type { ChargeAnswer, RefundAnswer, SaveAnswer } from '../../domain/payments/public.ts'
import { AUTHENTICATION_REQUIRED, approved, declined, type Gateway, refused, unknown } from './gateway.ts'
import { type Instrument, NoSuccess, type RebillyAccess, RebillyClient, type Transaction } from './rebilly-client.ts'

/** Result of a call that was done, or is under way. */
type Known<Answer> = Exclude<CallResult<Answer>, { readonly came: 'failed' }>

/** Returns the result of a call, also where it has no success. */
const callResult = async <Answer>(act: () => Promise<CallResult<Answer>>): Promise<CallResult<Answer>> => {
  try {
    return await act()
  } catch (error) {
    if (error instanceof NoSuccess) return error.said
    throw error
  }
}

/** Returns the result of a query. A query that fails says nothing about the call. */
const queryResult = async <Answer>(ask: () => Promise<Known<Answer> | undefined>): Promise<QueryResult<Answer>> => {
  try {
    return (await ask()) ?? { came: 'never' }
  } catch (error) {
    if (error instanceof NoSuccess) return unknown(error.said.reason)
    throw error
  }
}

/**
 * Converts an amount to the decimal number that Rebilly takes, which is as fine as the currency (ISO 4217). No amount has
 * more digits than a number holds. `undefined`: it is finer.
 */
export const rebillyAmount = (amount: string, currency: string): number | undefined => {
  const minor = toMinor(amount, currency)
  return minor === undefined ? undefined : Number(fromMinor(minor, currency))
}

const TOO_FINE = refused('the amount is finer than the gateway takes it')

const chargeIn = ({ id, status = '', result, gateway }: Transaction): Known<ChargeAnswer> => {
  if (result === 'approved') return approved(id)
  if (status === 'offsite') return declined(AUTHENTICATION_REQUIRED, id)
  if (result === 'declined') return declined(gateway?.response?.code || gateway?.response?.message || result, id)
  if (result === 'canceled' || result === 'abandoned') return declined(result, id)
  return status === 'never-sent' ? declined(status, id) : unknown(`the transaction is ${status}`)
}

const refundIn = ({ id, status = '', result, gateway }: Transaction): Known<RefundAnswer> => {
  if (result === 'approved') return { came: 'answered', answer: { external_id: id } }
  if (result === undefined || result === 'unknown') return unknown(`the refund is ${status}`)
  return refused(gateway?.response?.code || result)
}

const savedIn = (customer: string, { id, method = '', brand, last4 }: Instrument): Known<SaveAnswer> => ({
  came: 'answered',
  answer: {
    payment_method_id: `${customer}/${id}`,
    label: last4 ? `${brand ?? method} •••• ${last4}` : method || null,
  },
})

const PAGE = 100
/** Highest number of transactions of a customer that are searched for a key. */
const MOST_LISTED = 1000

const methodIn = (payment_method_id: string) => {
  const [customerId = '', paymentInstrumentId = ''] = payment_method_id.split('/')
  return { customerId, paymentInstrumentId }
}

const path = (id: string): string => encodeURIComponent(id)

const chargeUnder = async (client: RebillyClient, customerId: string, key: string, signal: AbortSignal) => {
  const filter = encodeURIComponent(`customerId:${customerId}`)
  for (let offset = 0; offset < MOST_LISTED; offset += PAGE) {
    const query = `filter=${filter}&sort=-createdTime&limit=${PAGE}&offset=${offset}`
    const page = await client.get<readonly Transaction[]>(`/transactions?${query}`, signal)
    const one = page.find(({ requestId }) => requestId === key)
    if (one) return chargeIn(one)
    if (page.length < PAGE) break
  }
  return undefined
}

/** Returns the description of a refund. It ends with our key, because Rebilly has none for refunds. */
const refundDescription = (reason: string, key: string): string => `${reason.slice(0, 200)} [${key}]`

const refundUnder = async (client: RebillyClient, charge: string, key: string, signal: AbortSignal) => {
  const { childTransactions = [] } = await client.get<Transaction>(`/transactions/${path(charge)}`, signal)
  for (const id of childTransactions.slice(-MOST_LISTED)) {
    const child = await client.get<Transaction>(`/transactions/${path(id)}`, signal)
    if (child.description?.endsWith(`[${key}]`)) return refundIn(child)
  }
  return undefined
}

/** Finds the payment method saved under a key. The customer created for the save has only that method. */
const methodUnder = async (client: RebillyClient, key: string, signal: AbortSignal) => {
  const filter = encodeURIComponent(`customerId:${key}`)
  const [one] = await client.get<readonly Instrument[]>(`/payment-instruments?filter=${filter}&limit=1`, signal)
  return one && savedIn(key, one)
}

/**
 * Returns the gateway of Rebilly, over its HTTP API, which payments_ai has. A charge has our key as its `requestId`, which is
 * valid for a day. Refunds and payment methods have no such field, so they are searched for before they are made.
 */
export const rebillyGateway = (access: RebillyAccess): Gateway => {
  const client = new RebillyClient(access)
  const { websiteId } = access
  return {
    charge: {
      send: ({ payment_method_id, amount, currency, about }, key, signal) =>
        callResult(async () => {
          const value = rebillyAmount(amount, currency)
          if (value === undefined) return TOO_FINE
          const { customerId, paymentInstrumentId } = methodIn(payment_method_id)
          const transaction = {
            type: 'sale',
            websiteId,
            customerId,
            currency,
            amount: value,
            paymentInstruction: { paymentInstrumentId },
            requestId: key,
            description: about,
            isMerchantInitiated: true,
          }
          return chargeIn(await client.post<Transaction>('/transactions', transaction, signal))
        }),
      find: ({ payment_method_id }, key, signal) =>
        queryResult(() => chargeUnder(client, methodIn(payment_method_id).customerId, key, signal)),
    },
    refund: {
      send: ({ external_id, amount, currency, reason }, key, signal) =>
        callResult(async () => {
          const value = rebillyAmount(amount, currency)
          if (value === undefined) return TOO_FINE
          const before = await refundUnder(client, external_id, key, signal)
          if (before) return before
          const refund = { amount: value, description: refundDescription(reason, key) }
          return refundIn(await client.post<Transaction>(`/transactions/${path(external_id)}/refund`, refund, signal))
        }),
      find: ({ external_id }, key, signal) => queryResult(() => refundUnder(client, external_id, key, signal)),
    },
    save: {
      send: ({ token, email_address }, key, signal) =>
        callResult(async () => {
          const emails = email_address === null ? [] : [{ label: 'main', value: email_address, primary: true }]
          await client.put(`/customers/${path(key)}`, { websiteId, primaryAddress: { emails } }, signal)
          const before = await methodUnder(client, key, signal)
          if (before) return before
          return savedIn(key, await client.post<Instrument>('/payment-instruments', { customerId: key, token }, signal))
        }),
      find: (_, key, signal) => queryResult(() => methodUnder(client, key, signal)),
    },
  }
}
