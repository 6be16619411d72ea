import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import type { Health } from './health.ts'
import { Receiver } from './receiver.ts'

/** What is known of how the endpoints fare that are called. */
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

  /** How many attempts at an endpoint may be under way at present; `undefined`: it has not been called. */
  limit(endpointId: number): number | undefined {
    return this.#byEndpoint.get(endpointId)?.limit(Date.now())
  }

  /** An endpoint has changed, or is gone: one that is not called any more is forgotten, and begins anew should it be called again. */
  changed(endpointId: number, endpoint: EndpointRecord | undefined): void {
    if (!endpoint?.enabled) this.#byEndpoint.delete(endpointId)
  }
}
