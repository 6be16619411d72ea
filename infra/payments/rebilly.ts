import type { CallResult, QueryResult } from '../../domain/kernel/ports/calls.ts'
import { beginningOf } from '../../domain/kernel/values/characters.ts'
import { fromMinor, toMinor } from '../../domain/kernel/values/money.ts'
import type {
  ChargeAnswer,
  ChargeRequest,
  ConfirmRequest,
  RefundAnswer,
  SaveAnswer,
} from '../../domain/payments/public.ts'
import { AUTHENTICATION_REQUIRED, approved, bankAsks, declined, type Gateway, refused, unknown } from './gateway.ts'
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

/** Returns the result of a call that only asks, and may be repeated. */
const callKnown = async <Answer>(act: () => Promise<Known<Answer>>): Promise<Known<Answer>> => {
  try {
    return await act()
  } catch (error) {
    if (error instanceof NoSuccess) return unknown(error.said.reason)
    throw error
  }
}

const TOO_FINE = refused('the amount is finer than the gateway takes it')

/** Statuses of transactions that wait for the buyer to answer the bank. */
const WAITING: ReadonlySet<string> = new Set(['offsite', 'waiting-approval'])

/** Returns the result of a charge. @param present whether the buyer is there, so that the bank can ask */
const chargeIn = (transaction: Transaction, present = false): Known<ChargeAnswer> => {
  const { id, status = '', result, gateway, _links: links = [] } = transaction
  if (result === 'approved') return approved(id)
  if (WAITING.has(status)) {
    const url = present ? links.find(({ rel }) => rel === 'approvalUrl')?.href : undefined
    return url === undefined ? declined(AUTHENTICATION_REQUIRED, id) : bankAsks(id, { url })
  }
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

const chargeUnder = async (
  client: RebillyClient,
  { payment_method_id, present }: ChargeRequest,
  key: string,
  signal: AbortSignal,
) => {
  const { customerId } = methodIn(payment_method_id)
  const filter = encodeURIComponent(`customerId:${customerId}`)
  for (let offset = 0; offset < MOST_LISTED; offset += PAGE) {
    const query = `filter=${filter}&sort=-createdTime&limit=${PAGE}&offset=${offset}`
    const page = await client.get<readonly Transaction[]>(`/transactions?${query}`, signal)
    const one = page.find(({ requestId }) => requestId === key)
    if (one) return chargeIn(one, present)
    if (page.length < PAGE) break
  }
  return undefined
}

/** Returns the description of a refund. It ends with our key, because Rebilly has none for refunds. */
const refundDescription = (reason: string, key: string): string => `${beginningOf(reason, 200)} [${key}]`

const refundUnder = async (client: RebillyClient, charge: string, key: string, signal: AbortSignal) => {
  const { childTransactions = [] } = await client.get<Transaction>(`/transactions/${path(charge)}`, signal)
  for (const id of childTransactions.slice(-MOST_LISTED)) {
    const child = await client.get<Transaction>(`/transactions/${path(id)}`, signal)
    if (child.description?.endsWith(`[${key}]`)) return refundIn(child)
  }
  return undefined
}

/**
 * Returns that a charge was not made which the buyer has not confirmed; `undefined`: it was made. Rebilly abandons such a transaction by itself, and
 * until then the buyer may still answer.
 */
const notMade = async (
  client: RebillyClient,
  charge: string,
  signal: AbortSignal,
): Promise<Known<RefundAnswer> | undefined> => {
  const found = await client.get<Transaction>(`/transactions/${path(charge)}`, signal)
  if (found.result === 'approved') return undefined
  return WAITING.has(found.status ?? '')
    ? unknown('the buyer may still answer the bank')
    : { came: 'answered', answer: { external_id: charge } }
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
  const confirmed = ({ external_id }: ConfirmRequest, _: string, signal: AbortSignal) =>
    callKnown(async () => chargeIn(await client.get<Transaction>(`/transactions/${path(external_id)}`, signal)))
  return {
    charge: {
      send: ({ payment_method_id, amount, currency, about, present = false }, key, signal) =>
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
            isMerchantInitiated: !present,
          }
          return chargeIn(await client.post<Transaction>('/transactions', transaction, signal), present)
        }),
      find: (request, key, signal) => queryResult(() => chargeUnder(client, request, key, signal)),
    },
    confirm: { send: confirmed, find: confirmed },
    refund: {
      send: ({ external_id, amount, currency, reason, unconfirmed }, key, signal) =>
        callResult(async () => {
          const gone = unconfirmed ? await notMade(client, external_id, signal) : undefined
          if (gone) return gone
          const value = rebillyAmount(amount, currency)
          if (value === undefined) return TOO_FINE
          const before = await refundUnder(client, external_id, key, signal)
          if (before) return before
          const refund = { amount: value, description: refundDescription(reason, key) }
          return refundIn(await client.post<Transaction>(`/transactions/${path(external_id)}/refund`, refund, signal))
        }),
      find: ({ external_id, unconfirmed }, key, signal) =>
        queryResult(
          async () =>
            (unconfirmed ? await notMade(client, external_id, signal) : undefined) ??
            refundUnder(client, external_id, key, signal),
        ),
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
