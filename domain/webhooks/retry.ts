const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Waits of the contract after the first, second, … failed attempt. The contract leaves open whether the first one precedes the first attempt. */
const WAITS: readonly number[] = [SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 12 * HOUR, DAY]
/** The last wait repeats until this time has passed. */
const GIVE_UP_AFTER = 5 * DAY
/** Waits are lengthened by up to a tenth, so that deliveries that failed together are not retried together. */
const SPREAD = 0.1

/** Statuses that the contract counts as delivered. */
const DELIVERED: ReadonlySet<number> = new Set([200, 201, 202, 203, 204, 205, 206, 207, 226])

export const isDelivered = (status: number | null): boolean => status !== null && DELIVERED.has(status)

export interface Failure {
  /** Attempts made, this one included, since `since`. */
  readonly attempts: number
  /** Time at which the delivery began or was ordered again; milliseconds since 1970, like all times here. */
  readonly since: number
  readonly at: number
  /** Milliseconds that the receiver asked to wait, if it did. */
  readonly retryAfter: number | null
  /** Random number from 0 to 1. */
  readonly jitter: number
}

/** Returns the time of the next attempt, or `null` when the delivery is to be given up. */
export const nextAttempt = ({ attempts, since, at, retryAfter, jitter }: Failure): number | null => {
  const wait = (WAITS[attempts - 1] ?? DAY) * (1 + SPREAD * jitter)
  const due = Math.round(at + Math.max(wait, Math.min(retryAfter ?? 0, DAY)))
  return due - since > GIVE_UP_AFTER ? null : due
}

/** Returns the milliseconds to wait by a `Retry-After` header of seconds or a date; `null` without a valid one. */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = new Date(text)
  // The form that HTTP prescribes is the one in which dates are written here. Others depend on the zone of the machine.
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === text
  return isHttpDate ? Math.max(0, date.getTime() - now) : null
}

/** Milliseconds of failures without a single success after which an endpoint is disabled; as long as deliveries are retried. */
export const DISABLE_AFTER = GIVE_UP_AFTER
