import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
import { workerActor } from '../../domain/kernel/transaction.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import { endpoints } from '../../domain/webhooks/endpoint/rules.ts'
import type { Attempt } from './attempt.ts'
import { abandonAll } from './close.ts'
import type { Endpoints } from './endpoints.ts'
import { type WebhookParts, whenReadable } from './parts.ts'
import { createQueue, type Queue } from './queue.ts'
import { type Room, Runner, type RunnerParts } from './runner.ts'

/** Attempts under way at once, over all endpoints. */
const ROOM = 512
const TICK_MS = 250
/** How long a stop waits for attempts under way; those that are not recorded by then are made again after the next start. */
const DRAIN_MS = 5000

/** Runs the deliveries of all endpoints side by side. */
export class Dispatcher {
  readonly #parts: WebhookParts
  readonly #endpoints: Endpoints
  readonly #queue: Queue
  readonly #runners = new Map<number, Runner>()
  readonly #closing = new Set<number>()
  readonly #runnerParts: RunnerParts
  readonly #room: Room = { size: ROOM, taken: 0, unrecorded: 0 }
  readonly #tick: NodeJS.Timeout
  #stopped = false

  constructor(parts: WebhookParts, endpoints: Endpoints, attempt: Attempt) {
    this.#parts = parts
    this.#endpoints = endpoints
    this.#queue = createQueue(parts.live)
    this.#runnerParts = {
      webhooks: parts,
      queue: this.#queue,
      attempt,
      room: this.#room,
      health: {
        failing: (id, since) => void this.#note(id, 'noteFailing', { since: new Date(since).toISOString() }),
        recovered: (id) => void this.#note(id, 'noteRecovered'),
        gone: (id) => void this.#note(id, 'noteGone'),
      },
    }
    this.#tick = setInterval(() => this.#pumpAll(), TICK_MS)
    for (const endpoint of endpoints.all()) this.#adjust(endpoint)
  }

  /** An endpoint has something new in its queue, readable from this position on. */
  wake(endpointId: number, position: number, ordered = false): void {
    const runner = this.#runners.get(endpointId)
    if (runner) runner.wake(position, ordered)
    else void this.#close(endpointId, position)
  }

  /** An endpoint was made, changed or removed; the registry has it as it now is. */
  changed(endpointId: number, position: number): void {
    const endpoint = this.#endpoints.get(endpointId)
    if (endpoint?.enabled) this.#adjust(endpoint)
    else this.#retire(endpointId, position)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#tick)
    for (const runner of this.#runners.values()) runner.stop()
    const until = performance.now() + DRAIN_MS
    while (this.#room.unrecorded > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 10))
  }

  #pumpAll(): void {
    for (const runner of this.#runners.values()) runner.pump()
  }

  #adjust(endpoint: EndpointRecord): void {
    if (!endpoint.enabled) return void this.#close(endpoint.id, -1)
    const known = this.#runners.get(endpoint.id)
    if (known) {
      known.change(endpoint)
      return
    }
    const runner = new Runner(endpoint, this.#runnerParts)
    this.#runners.set(endpoint.id, runner)
    runner.pump()
  }

  #retire(endpointId: number, position: number): void {
    const runner = this.#runners.get(endpointId)
    runner?.stop()
    this.#runners.delete(endpointId)
    void this.#close(endpointId, position)
  }

  /** Abandons what an endpoint that is not called any more has yet to get. */
  async #close(endpointId: number, position: number): Promise<void> {
    if (this.#closing.has(endpointId)) return
    this.#closing.add(endpointId)
    const isOver = () => this.#stopped || this.#runners.has(endpointId)
    try {
      await whenReadable(this.#parts, position, isOver)
      const reason = this.#endpoints.get(endpointId) ? 'endpoint_disabled' : 'endpoint_removed'
      await abandonAll(this.#parts, this.#queue, endpointId, reason, isOver)
    } catch (error) {
      if (!this.#stopped)
        this.#parts.logger.error({ err: error, endpoint: endpointId }, 'webhook deliveries not abandoned')
    } finally {
      this.#closing.delete(endpointId)
    }
  }

  /** Writes down how an endpoint fares. Its failure is no one else's: it is only logged. */
  async #note(id: number, type: 'noteFailing' | 'noteRecovered' | 'noteGone', wanted: JsonObject = {}): Promise<void> {
    const { engine, now, logger } = this.#parts
    const at = new Date(now()).toISOString()
    const command: RecordCommand = { type, id, wanted, at, actor: workerActor('webhooks') }
    const endpoint = this.#endpoints.get(id)
    const cause = `webhooks-${randomUUID()}`
    try {
      const result = await engine.transact({
        aggregate: endpoints,
        id,
        command,
        ...(endpoint && { teamId: Number(endpoint.team_id), workspaceId: endpoint.workspace_id }),
        causationId: cause,
        correlationId: cause,
      })
      if (result instanceof Refusal) logger.info({ endpoint: id, reason: result.message }, 'endpoint not noted')
    } catch (error) {
      if (!this.#stopped) logger.error({ err: error, endpoint: id }, 'endpoint not noted')
    }
  }
}
