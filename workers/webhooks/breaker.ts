const OPENS_AFTER = 5
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 10 * 60_000
const LONGEST_HOLD_MS = 60 * 60_000

/**
 * Circuit breaker of an endpoint: closed while the endpoint works, open after a series of failures, and half-open after a
 * pause, when a single attempt decides. Times are milliseconds since 1970.
 */
export class Breaker {
  #failures = 0
  #firstFailure = 0
  #openUntil = 0
  #pause = FIRST_PAUSE_MS
  #heldUntil = 0

  /** @param suspect whether the endpoint was failing when last known: it then begins with a single attempt */
  constructor(suspect: boolean) {
    if (suspect) this.#failures = OPENS_AFTER
  }

  /** Whether an attempt may begin while `underWay` others run. */
  permits(now: number, underWay: number): boolean {
    if (now < this.#heldUntil || now < this.#openUntil) return false
    return this.#failures < OPENS_AFTER || underWay === 0
  }

  /** Time at which the first failure of the present series ended; meaningful after a failure. */
  get failingSince(): number {
    return this.#firstFailure
  }

  succeeded(): void {
    this.#failures = 0
    this.#openUntil = 0
    this.#pause = FIRST_PAUSE_MS
  }

  /** @returns whether this failure opened the breaker */
  failed(now: number): boolean {
    if (this.#failures === 0 || this.#firstFailure === 0) this.#firstFailure = now
    this.#failures++
    if (this.#failures < OPENS_AFTER || now < this.#openUntil) return false
    this.#openUntil = now + this.#pause
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS)
    return true
  }

  /** Pauses for as long as the receiver asked, but for `LONGEST_HOLD_MS` at most. */
  hold(now: number, milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, now + Math.min(milliseconds, LONGEST_HOLD_MS))
  }
}
