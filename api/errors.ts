import { shortened } from '../domain/kernel/values/characters.ts'
import type { Json, JsonObject } from '../domain/kernel/values/event.ts'
import { Refusal, type RefusalKind } from '../domain/kernel/values/refusal.ts'

/** Status and message prefix of every kind of refusal, as in the contract. */
const KINDS: Readonly<Record<RefusalKind, readonly [status: number, prefix: string]>> = {
  malformed: [400, 'Bad request: '],
  unauthenticated: [401, ''],
  forbidden: [403, 'Forbidden: '],
  notFound: [404, ''],
  conflict: [409, 'Conflict: '],
  preconditionFailed: [412, 'Precondition failed: '],
  tooLarge: [413, 'Payload too large: '],
  unsupported: [415, 'Unsupported media type: '],
  invalid: [422, 'Request unprocessable: '],
  tooMany: [429, 'Too many requests: '],
  unavailable: [503, 'Service unavailable: '],
}

/** Field of problems that concern the record as a whole. The contract shows their messages in a key of this name. */
export const WHOLE_RECORD = 'base'

/** Returns the contract's error body, to which Millrace adds `details` and `request_id`. */
export const errorBody = (text: string, requestId: string, details: readonly Json[] = []): JsonObject => ({
  error: text,
  details,
  request_id: requestId,
})

/** Longest text of an answer that quotes what a client sent, and the highest number of problems that it lists. */
const LONGEST_TEXT = 4000
const MOST_DETAILS = 300

/** Returns the status, body and headers of a refusal. Texts and lists are cut where a client had them grow out of all proportion. */
export const renderRefusal = (refusal: Refusal, requestId: string) => {
  const [status, prefix] = KINDS[refusal.kind]
  const headers: Record<string, string> =
    refusal.retryAfter === undefined ? {} : { 'Retry-After': String(refusal.retryAfter) }
  const details = refusal.details
    .slice(0, MOST_DETAILS)
    .map(({ field, code, message }) => ({
      field: shortened(field, LONGEST_TEXT),
      code,
      message: shortened(message, LONGEST_TEXT),
    }))
  const base = details.filter(({ field }) => field === WHOLE_RECORD).map(({ message }) => message)
  const body = errorBody(shortened(prefix + refusal.message, LONGEST_TEXT), requestId, details)
  return {
    status,
    body: base.length > 0 ? { ...body, base } : body,
    headers,
  }
}

/** Throws a refusal; returns any other result. For the edges, where a refusal ends the request. */
export const orThrow = <T>(result: T | Refusal): T => {
  if (result instanceof Refusal) throw result
  return result
}
