import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import type { AttemptResponse } from './attempt.ts'
import { Breaker } from './breaker.ts'
import type { Health } from './health.ts'
import { ConcurrencyLimit } from './pace.ts'

/** State of an endpoint, as its responses show it. It limits further attempts. */
export class Receiver {
  readonly #id: number
  readonly #health: Health
  readonly #breaker: Breaker
  readonly #concurrency = new ConcurrencyLimit()
  /** Whether it is recorded that the endpoint fails. */
  #knownToFail: boolean
  #isGone = false

  constructor({ id, failing_since: since }: EndpointRecord, health: Health) {
    this.#id = id
    this.#health = health
    this.#knownToFail = since !== null
    this.#breaker = new Breaker(this.#knownToFail)
  }

  /** Returns how many attempts may run at this time. */
  limit(now: number): number {
    if (this.#isGone || !this.#breaker.permits(now, 0)) return 0
    return this.#breaker.permits(now, 1) ? this.#concurrency.limit : 1
  }

  /** Takes account of the response to an attempt, at this time. */
  judge({ delivered, gone, holdFor }: AttemptResponse, now: number): void {
    if (holdFor !== null) this.#breaker.hold(now, holdFor)
    if (delivered) {
      this.#concurrency.succeeded()
      this.#breaker.succeeded()
      if (this.#knownToFail) void this.#health.recovered(this.#id)
      this.#knownToFail = false
      return
    }
    this.#concurrency.failed()
    if (this.#breaker.failed(now)) {
      this.#knownToFail = true
      void this.#health.failing(this.#id, this.#breaker.failingSince)
    }
    if (!gone) return
    this.#isGone = true
    // If it was not recorded, the next attempt finds out again.
    void this.#health.gone(this.#id).then((isNoted) => {
      this.#isGone = isNoted
    })
  }
}
