const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The contract's waits after the first, second, … failed attempt; it does not say whether the first one precedes the first attempt. */
const WAITS: readonly number[] = [SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 12 * HOUR, DAY]
/** The last wait repeats for as long. */
const GIVE_UP_AFTER = 5 * DAY
/** Waits are lengthened by up to a tenth, so that what failed together does not come again together. */
const SPREAD = 0.1

/** Statuses that the contract counts as delivered. */
const DELIVERED: ReadonlySet<number> = new Set([200, 201, 202, 203, 204, 205, 206, 207, 226])

export const isDelivered = (status: number | null): boolean => status !== null && DELIVERED.has(status)

export interface Failure {
  /** Attempts made, this one included, since `since`. */
  readonly attempts: number
  /** When the delivery was begun or ordered anew; milliseconds since 1970, like all times here. */
  readonly since: number
  readonly at: number
  /** Milliseconds that the receiver asked to be left alone, if it did. */
  readonly retryAfter: number | null
  /** From 0 to 1, at random. */
  readonly jitter: number
}

/** When to try again, or `null` when it has been tried for long enough. */
export const nextAttempt = ({ attempts, since, at, retryAfter, jitter }: Failure): number | null => {
  const wait = (WAITS[attempts - 1] ?? DAY) * (1 + SPREAD * jitter)
  const due = Math.round(at + Math.max(wait, Math.min(retryAfter ?? 0, DAY)))
  return due - since > GIVE_UP_AFTER ? null : due
}

/** Milliseconds that a `Retry-After` header asks for: seconds, or a date. `null` when it says nothing sensible. */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** How long an endpoint may fail without a single success before it is disabled; as long as deliveries are tried. */
export const DISABLE_AFTER = GIVE_UP_AFTER
