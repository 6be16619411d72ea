import Stripe from 'stripe'
import type { CallResult, QueryResult } from '../../domain/kernel/ports/calls.ts'
import { failed, lost, refused, unknown } from './gateway.ts'

export const TOO_FINE = refused('the amount is finer than the gateway takes it')

/** Metadata field at Stripe that holds our key. */
export const KEY = 'millrace_key'

/** Highest number of charges of a customer, or refunds of a charge, that are searched for a key. */
const MOST_LISTED = 1000

/** Returns the result of a request that failed with an error. Reasons contain no personal data. */
export const errorResult = (error: unknown): CallResult<never> => {
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

export const idOf = (of: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof of === 'string' ? of : of?.id

/** Returns the first of a list, newest first, that was made under a key. */
export const findByKey = async <T extends { readonly metadata: Stripe.Metadata | null }>(
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
export const queryResult = async <Answer>(ask: () => Promise<QueryResult<Answer>>): Promise<QueryResult<Answer>> => {
  try {
    return await ask()
  } catch (error) {
    const { reason } = errorResult(error) as { readonly reason: string }
    return unknown(reason)
  }
}
