import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import type { Answered } from './attempt.ts'
import { Breaker } from './breaker.ts'
import type { Health } from './health.ts'
import { ConcurrencyLimit } from './pace.ts'

/** What is known of how an endpoint takes what it is sent. */
export class Receiver {
  readonly #id: number
  readonly #health: Health
  readonly #breaker: Breaker
  readonly #pace = new ConcurrencyLimit()
  /** Whether it is written down that the endpoint fails. */
  #knownToFail: boolean
  #isGone = false

  constructor({ id, failing_since: since }: EndpointRecord, health: Health) {
    this.#id = id
    this.#health = health
    this.#knownToFail = since !== null
    this.#breaker = new Breaker(this.#knownToFail)
  }

  /** How many attempts may be under way at this time. */
  limit(now: number): number {
    if (this.#isGone || !this.#breaker.permits(now, 0)) return 0
    return this.#breaker.permits(now, 1) ? this.#pace.limit : 1
  }

  /** Takes in what the endpoint made of an attempt, at this time. */
  judge({ delivered, gone, holdFor }: Answered, now: number): void {
    if (holdFor !== null) this.#breaker.hold(now, holdFor)
    if (delivered) {
      this.#pace.succeeded()
      this.#breaker.succeeded()
      if (this.#knownToFail) void this.#health.recovered(this.#id)
      this.#knownToFail = false
      return
    }
    this.#pace.failed()
    if (this.#breaker.failed(now)) {
      this.#knownToFail = true
      void this.#health.failing(this.#id, this.#breaker.failingSince)
    }
    if (!gone) return
    this.#isGone = true
    // What could not be written down is found out again by the next attempt.
    void this.#health.gone(this.#id).then((isNoted) => {
      this.#isGone = isNoted
    })
  }
}
