import { refuse } from '../../domain/kernel/values/refusal.ts'

/** EventStoreDB cannot be reached, or is not ready. The call has had no effect. */
export class EventStoreUnavailable extends Error {
  /** Answer to the client, without addresses. */
  readonly refusal = refuse.unavailable('the event log cannot be reached; nothing was changed')
}

/** EventStoreDB rejects the user, or denies the user this action. */
export class EventStoreAccessDenied extends Error {}

/** EventStoreDB refused the call for good: a retry would not help. */
export class EventStoreRefused extends Error {}

/**
 * An append was sent and its answer never came. The log holds it whole or not at all, and only the log can show which.
 * Sending the same event ids again, as `repeatable` or at the same expected revision, is safe.
 */
export class AppendOutcomeUnknown extends Error {
  readonly stream: string
  readonly eventIds: readonly string[]
  override readonly cause: Error
  /** Answer to the client. */
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
