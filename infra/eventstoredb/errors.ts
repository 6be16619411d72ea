import { refuse } from '../../domain/kernel/values/refusal.ts'

/** EventStoreDB cannot be reached, or is not ready. What was asked for has not been done. */
export class EventStoreUnavailable extends Error {
  /** What a client is told; addresses are not for it. */
  readonly refusal = refuse.unavailable('the event log cannot be reached; nothing was changed')
}

/** EventStoreDB does not let this user in, or not do this. */
export class EventStoreAccessDenied extends Error {}

/** What was sent was refused for good: asking again would not help. */
export class EventStoreRefused extends Error {}

/**
 * An append was sent and its answer never came: the log holds it whole or not at all, and only the log can tell.
 * Sending the same event ids again, as `repeatable` or at the same expected revision, is safe.
 */
export class AppendOutcomeUnknown extends Error {
  readonly stream: string
  readonly eventIds: readonly string[]
  override readonly cause: Error
  /** What a client is told. */
  readonly refusal = refuse.unavailable(
    'the event log did not answer, and whether anything was changed is not known; repeat with the same Idempotency-Key',
  )

  constructor(stream: string, eventIds: readonly string[], cause: Error) {
    super(`Whether an append to ${stream} is in the log is not known: ${cause.message}`)
    this.cause = cause
    this.stream = stream
    this.eventIds = eventIds
  }
}
