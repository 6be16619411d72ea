import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import type { Health } from './health.ts'
import { Receiver } from './receiver.ts'

/** State of all endpoints that have been called. */
export class Receivers {
  readonly #health: Health
  readonly #byEndpoint = new Map<number, Receiver>()

  constructor(health: Health) {
    this.#health = health
  }

  of(endpoint: EndpointRecord): Receiver {
    const receiver = this.#byEndpoint.get(endpoint.id) ?? new Receiver(endpoint, this.#health)
    this.#byEndpoint.set(endpoint.id, receiver)
    return receiver
  }

  /** Returns how many attempts at an endpoint may run at present; `undefined`: it has not been called. */
  limit(endpointId: number): number | undefined {
    return this.#byEndpoint.get(endpointId)?.limit(Date.now())
  }

  /** Takes account of a changed or removed endpoint. One that is no longer called is forgotten, and starts afresh if it is called again. */
  changed(endpointId: number, endpoint: EndpointRecord | undefined): void {
    if (!endpoint?.enabled) this.#byEndpoint.delete(endpointId)
  }
}
