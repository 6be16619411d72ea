import { type DeliveryRecord, laneKey, type OutgoingRecord } from '../../../domain/webhooks/event/model.ts'
import type { Work } from '../../../workers/webhooks/lane.ts'
import type { Queue } from '../../../workers/webhooks/queue.ts'

export interface Simulated {
  readonly id: number
  readonly lane: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  retryAt: number | null
}

const ENDPOINT = 1

const workOf = ({ id, lane, attempts, retryAt }: Simulated): Work => ({
  delivery: {
    id,
    lane,
    endpoint_id: ENDPOINT,
    attempt_count: attempts,
    retry_at: retryAt === null ? null : new Date(retryAt).toISOString(),
  } as DeliveryRecord,
  event: { id } as OutgoingRecord,
})

/** Deliveries to one endpoint, in a log whose changes the read models learn of some positions late. */
export class SimulatedQueue implements Queue {
  readonly #log: (() => void)[] = []
  readonly #readable = new Map<number, Simulated>()
  projected = -1

  /** Records what a delivery has become. @returns the position */
  record(delivery: Simulated): number {
    const state = { ...delivery }
    return this.#log.push(() => this.#readable.set(state.id, state)) - 1
  }

  /** The read models learn of so many changes more. */
  project(count: number): void {
    for (let i = 0; i < count && this.projected < this.#log.length - 1; i++) this.#log[++this.projected]!()
  }

  get length(): number {
    return this.#log.length
  }

  async pending(_endpointId: number, after: number, limit: number): Promise<readonly Work[]> {
    return this.#find(({ id }) => id > after)
      .slice(0, limit)
      .map(workOf)
  }

  async inLane(lane: string, limit: number): Promise<readonly Work[]> {
    return this.#find((one) => laneKey(ENDPOINT, one.lane) === lane)
      .slice(0, limit)
      .map(workOf)
  }

  async hasEarlier(lane: string, deliveryId: number): Promise<boolean> {
    return this.#find((one) => laneKey(ENDPOINT, one.lane) === lane && one.id < deliveryId).length > 0
  }

  async due(_endpointId: number, by: number, limit: number): Promise<readonly Work[]> {
    return this.#retrying(({ retryAt }) => retryAt! <= by)
      .slice(0, limit)
      .map(workOf)
  }

  async nextDue(_endpointId: number, after: number): Promise<number> {
    return this.#retrying(({ retryAt }) => retryAt! > after)[0]?.retryAt ?? Number.POSITIVE_INFINITY
  }

  #find(matches: (delivery: Simulated) => boolean): Simulated[] {
    const found = [...this.#readable.values()].filter((one) => one.status === 'pending' && matches(one))
    return found.sort((a, b) => a.id - b.id)
  }

  #retrying(matches: (delivery: Simulated) => boolean): Simulated[] {
    return this.#find((one) => one.retryAt !== null && matches(one)).sort((a, b) => a.retryAt! - b.retryAt!)
  }
}
