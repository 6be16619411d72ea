export const DAY = 24 * 60 * 60 * 1000

/** Timeout of one call to a gateway. */
export const TIMEOUT_MS = 30_000

const LONGEST_PAUSE_MS = 60 * 60_000
/** About three days of pauses, most of an hour. */
const BACKGROUND_ATTEMPTS = 84
/** About two minutes of pauses. */
const INTERACTIVE_ATTEMPTS = 8

const pause = (attempt: number, tries: number): number | undefined =>
  attempt < tries ? Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempt - 1)) : undefined

/** Retry policy of calls that nobody waits for. A gateway may be down for days, and the call is settled afterwards. */
export const backgroundRetry = (attempt: number): number | undefined => pause(attempt, BACKGROUND_ATTEMPTS)

/** Options of a call to a gateway that nobody waits for. What may have been done is looked up before it is tried again. */
export const IN_BACKGROUND = { onUnknown: 'query', timeoutMs: TIMEOUT_MS, retryAfterMs: backgroundRetry } as const

/**
 * Retry policy of calls that a buyer waits for. Gives up soon after a certain failure, but keeps asking while the
 * result is unknown.
 */
export const interactiveRetry = (attempt: number, outcome: 'failed' | 'unknown'): number | undefined =>
  pause(attempt, outcome === 'failed' ? INTERACTIVE_ATTEMPTS : BACKGROUND_ATTEMPTS)
