import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import type { Answered, Attempt } from './attempt.ts'
import { Breaker } from './breaker.ts'
import type { Lane, Work } from './lane.ts'
import { Pace } from './pace.ts'
import type { WebhookParts } from './parts.ts'
import type { Queue } from './queue.ts'
import { Window } from './window.ts'

const AFTER_TROUBLE_MS = 1000

/** Room for requests that all endpoints share. */
export interface Room {
  readonly size: number
  /** Requests under way. */
  taken: number
  /** Attempts that are not yet recorded, those under way included. */
  unrecorded: number
}

export interface RunnerParts {
  readonly webhooks: Pick<WebhookParts, 'reached' | 'projected' | 'now' | 'logger'>
  readonly queue: Queue
  readonly attempt: Attempt
  readonly room: Room
  /** Told when the health of the endpoint changed. */
  readonly health: {
    failing(endpointId: number, since: number): void
    recovered(endpointId: number): void
    gone(endpointId: number): void
  }
}

/** Delivers to one endpoint, as quickly as it takes it and not when it fails. */
export class Runner {
  #endpoint: EndpointRecord
  readonly #parts: RunnerParts
  readonly #breaker: Breaker
  readonly #pace = new Pace()
  readonly #window: Window
  #underWay = 0
  #notBefore = 0
  /** Whether it is written down that the endpoint fails. */
  #knownToFail: boolean
  #stopped = false

  constructor(endpoint: EndpointRecord, parts: RunnerParts) {
    this.#endpoint = endpoint
    this.#parts = parts
    this.#knownToFail = endpoint.failing_since !== null
    this.#breaker = new Breaker(this.#knownToFail)
    this.#window = new Window(endpoint.id, {
      webhooks: parts.webhooks,
      queue: parts.queue,
      onReady: () => this.pump(),
      onTrouble: (error) => this.#trouble(error, 'webhook queue could not be read'),
    })
  }

  /** From now on requests go where the endpoint now is. */
  change(endpoint: EndpointRecord): void {
    this.#endpoint = endpoint
  }

  /** Something new is in the queue, readable from this position on; `ordered`: it may be due although it was read before. */
  wake(position: number, ordered: boolean): void {
    this.#window.wake(position, ordered)
    this.pump()
  }

  /** Begins nothing new. What is under way is still recorded. */
  stop(): void {
    this.#stopped = true
    this.#window.stop()
  }

  /** Begins whatever may begin now; called after every change, and every now and then. */
  pump(): void {
    const now = this.#parts.webhooks.now()
    if (this.#stopped || now < this.#notBefore) return
    while (this.#window.hasReady && this.#mayBegin(now)) {
      const next = this.#window.take()
      if (next) void this.#run(next.lane, next.work)
    }
    if (this.#breaker.permits(now, 0)) this.#window.read()
  }

  #mayBegin(now: number): boolean {
    const { room } = this.#parts
    return this.#underWay < this.#pace.limit && room.taken < room.size && this.#breaker.permits(now, this.#underWay)
  }

  async #run(lane: Lane, work: Work): Promise<void> {
    const { room, attempt } = this.#parts
    this.#underWay++
    room.taken++
    room.unrecorded++
    // Room is for requests: while an answer is being written down, the next request may begin.
    const leave = once(() => {
      this.#underWay--
      room.taken--
    })
    try {
      const settled = await attempt(work, this.#endpoint, (answered) => {
        leave()
        this.#judge(answered)
        this.pump()
      })
      this.#window.settle(lane, settled)
    } catch (error) {
      this.#window.giveBack(lane)
      this.#trouble(error, 'webhook attempt could not be recorded')
    }
    leave()
    room.unrecorded--
    this.pump()
  }

  #judge({ delivered, gone, holdFor }: Answered): void {
    const { health, webhooks } = this.#parts
    const now = webhooks.now()
    if (holdFor !== null) this.#breaker.hold(now, holdFor)
    if (delivered) {
      this.#pace.succeeded()
      this.#breaker.succeeded()
      if (this.#knownToFail) health.recovered(this.#endpoint.id)
      this.#knownToFail = false
      return
    }
    this.#pace.failed()
    if (this.#breaker.failed(now)) {
      this.#knownToFail = true
      health.failing(this.#endpoint.id, this.#breaker.failingSince)
    }
    if (!gone) return
    this.stop()
    health.gone(this.#endpoint.id)
  }

  #trouble(error: unknown, message: string): void {
    if (this.#stopped) return
    this.#parts.webhooks.logger.error({ err: error, endpoint: this.#endpoint.id }, message)
    this.#notBefore = this.#parts.webhooks.now() + AFTER_TROUBLE_MS
  }
}

const once = (action: () => void): (() => void) => {
  let done = false
  return () => {
    if (!done) action()
    done = true
  }
}
