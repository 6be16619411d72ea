import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'

/** Codes by which the SDK, and authors who read its console, know why a call was refused. */
export const STATUSES = {
  bad_request: 400,
  origin_missing: 403,
  origin_mismatch: 403,
  url_mismatch: 403,
  nonce_invalid: 403,
  session_invalid: 403,
  unknown_token: 404,
  page_not_in_funnel: 422,
  no_checkout: 422,
  cart_invalid: 422,
  totals_changed: 409,
  unsupported: 415,
  bought_already: 409,
  too_many_requests: 429,
  unavailable: 503,
} as const

export type SdkCode = keyof typeof STATUSES

/** Refusal of a call of the browser SDK. */
export class SdkRefusal extends Error {
  readonly code: SdkCode
  /** Seconds after which the call may be repeated. */
  readonly retryAfter: number | undefined
  /** What the answer has besides the error. */
  readonly more: JsonObject

  constructor(code: SdkCode, message: string, retryAfter?: number, more: JsonObject = {}) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
    this.more = more
  }
}

const CODES: Partial<Record<Refusal['kind'], SdkCode>> = {
  tooMany: 'too_many_requests',
  unavailable: 'unavailable',
  conflict: 'unavailable',
  unsupported: 'unsupported',
}

/** Returns the refusal that an error is for a page; `undefined` for a mistake of the service. */
export const sdkRefusalOf = (error: unknown): SdkRefusal | undefined => {
  if (error instanceof SdkRefusal) return error
  return error instanceof Refusal
    ? new SdkRefusal(CODES[error.kind] ?? 'bad_request', error.message, error.retryAfter)
    : undefined
}
