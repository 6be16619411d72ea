import { laneKey } from '../../domain/webhooks/event/model.ts'
import type { Settled } from './attempt.ts'
import { Lane, type Work } from './lane.ts'
import { type WebhookParts, whenReadable } from './parts.ts'
import type { Queue } from './queue.ts'

/** Deliveries that one endpoint may hold in memory before no more are read, and how many are read at once. */
const ENOUGH = 128
const PAGE = 128
const LANE_PAGE = 20
const AGAIN_MS = 1000

export interface WindowParts {
  readonly webhooks: Pick<WebhookParts, 'reached' | 'projected' | 'now'>
  readonly queue: Queue
  /** Told when more has come to be ready, and when reading failed. */
  readonly onReady: () => void
  readonly onTrouble: (error: unknown) => void
}

/**
 * The part of an endpoint's queue that is in memory, cut into lanes; the rest is in the read models. Within a lane everything waits
 * for the one before it, for days if need be; lanes do not wait for each other. What waits for a later attempt is in no memory: it is
 * found again by its due time.
 */
export class Window {
  readonly #endpointId: number
  readonly #parts: WindowParts
  readonly #lanes = new Map<string, Lane>()
  readonly #ready: Lane[] = []
  /** Lanes that ran empty, in that order; kept until the read models know. */
  #drained: Lane[] = []
  #held = 0
  /** Last delivery that was read from the queue, and whether more may have come behind it. */
  #cursor = 0
  #behind = true
  #reading = false
  /** Position up to which the queue is known to have something new, and that of the newest attempt recorded. */
  #freshest = -1
  #settledAt = -1
  /** When the next attempt that waits for its time is due; infinity: nothing waits. */
  #nextDue = 0
  #stopped = false

  constructor(endpointId: number, parts: WindowParts) {
    this.#endpointId = endpointId
    this.#parts = parts
  }

  /** Something new is in the queue, readable from this position on; `ordered`: it may be due although it was read before. */
  wake(position: number, ordered: boolean): void {
    this.#freshest = Math.max(this.#freshest, position)
    this.#behind = true
    if (ordered) this.#nextDue = 0
  }

  stop(): void {
    this.#stopped = true
  }

  get hasReady(): boolean {
    return !this.#stopped && this.#ready.length > 0
  }

  /** Takes the lane whose turn it is; its first work is then under way. */
  take(): { readonly lane: Lane; readonly work: Work } | undefined {
    const lane = this.#ready.shift()
    if (!lane) return undefined
    lane.busy = true
    return { lane, work: lane.queue[0]! }
  }

  /** The work under way could not be done; it is next again. */
  giveBack(lane: Lane): void {
    lane.busy = false
    this.#ready.unshift(lane)
  }

  /** The work under way is done with: delivered, given up, or to be tried again later. */
  settle(lane: Lane, { retryAt, position }: Settled): void {
    lane.busy = false
    lane.queue.shift()
    this.#held--
    lane.settledAt = Math.max(lane.settledAt, position)
    this.#settledAt = Math.max(this.#settledAt, position)
    if (retryAt !== null) {
      this.#held -= lane.park()
      this.#nextDue = Math.min(this.#nextDue, retryAt)
    }
    if (lane.queue.length > 0) this.#ready.push(lane)
    else if (lane.partial && !lane.parked) void this.#continue(lane)
    else this.#drained.push(lane)
  }

  /** Reads more of the queue if there is more, or if something is due again. One reading at a time. */
  read(): void {
    const now = this.#parts.webhooks.now()
    if (this.#reading || this.#stopped) return
    if (now >= this.#nextDue) void this.#guard(() => this.#resume(now))
    else if (this.#behind && this.#held < ENOUGH) void this.#guard(() => this.#load())
  }

  async #guard(read: () => Promise<void>): Promise<void> {
    this.#reading = true
    try {
      await read()
    } catch (error) {
      this.#nextDue = 0
      if (!this.#stopped) this.#parts.onTrouble(error)
    } finally {
      this.#reading = false
    }
    if (!this.#stopped) setImmediate(this.#parts.onReady)
  }

  get #somethingWaits(): boolean {
    return this.#nextDue !== Number.POSITIVE_INFINITY
  }

  async #readable(position: number): Promise<void> {
    await whenReadable(this.#parts.webhooks, position, () => this.#stopped)
  }

  async #load(): Promise<void> {
    const mark = this.#freshest
    await this.#readable(this.#somethingWaits ? Math.max(mark, this.#settledAt) : mark)
    this.#forget()
    const page = await this.#parts.queue.pending(this.#endpointId, this.#cursor, PAGE)
    for (const work of page) {
      if (this.#stopped) return
      await this.#consider(work)
      this.#cursor = work.delivery.id
    }
    if (page.length < PAGE && mark === this.#freshest) this.#behind = false
  }

  /** Takes work into memory, unless something before it in its lane is only in the read models. */
  async #consider(work: Work): Promise<void> {
    const { id, retry_at: retryAt } = work.delivery
    if (retryAt !== null) {
      this.#nextDue = Math.min(this.#nextDue, Date.parse(retryAt))
      return
    }
    const key = laneKey(this.#endpointId, work.delivery.lane)
    const unknown = this.#somethingWaits && !this.#lanes.has(key)
    if (unknown && (await this.#parts.queue.hasEarlier(key, id))) return
    const lane = this.#lane(key)
    if (lane.isPast(id)) return
    if (lane.partial) lane.skipped++
    else this.#enqueue(lane, work)
  }

  /** Takes what is due for another attempt into memory. What becomes due while it is looked for says so itself. */
  async #resume(now: number): Promise<void> {
    const { queue, webhooks } = this.#parts
    this.#nextDue = Number.POSITIVE_INFINITY
    await this.#readable(Math.max(this.#freshest, this.#settledAt))
    this.#forget()
    const known = webhooks.projected()
    const due = await queue.due(this.#endpointId, now, PAGE)
    for (const work of due) {
      const lane = this.#lane(laneKey(this.#endpointId, work.delivery.lane))
      // What is settled since the read models were asked is not due any more, whatever they say.
      if (lane.settledAt > known || lane.has(work.delivery.id)) continue
      lane.partial = true
      lane.parked = false
      this.#enqueue(lane, work)
    }
    const next = due.length === PAGE ? now + AGAIN_MS : await queue.nextDue(this.#endpointId, now)
    this.#nextDue = Math.min(this.#nextDue, next)
  }

  #lane(key: string): Lane {
    const known = this.#lanes.get(key)
    if (known) return known
    const lane = new Lane(key)
    this.#lanes.set(key, lane)
    return lane
  }

  #enqueue(lane: Lane, work: Work): void {
    const wasIdle = lane.isIdle
    lane.insert(work)
    this.#held++
    if (wasIdle) this.#ready.push(lane)
  }

  /** Reads what comes next in a lane of which only the beginning was in memory. */
  async #continue(lane: Lane): Promise<void> {
    lane.continuing = true
    try {
      let skipped: number
      let works: readonly Work[]
      do {
        skipped = lane.skipped
        await this.#readable(lane.settledAt)
        works = await this.#parts.queue.inLane(lane.key, LANE_PAGE)
      } while (works.length === 0 && skipped !== lane.skipped && !this.#stopped)
      this.#follow(lane, works, skipped)
    } catch (error) {
      if (!this.#stopped) this.#parts.onTrouble(error)
      this.#startOver()
    }
    lane.continuing = false
    if (lane.queue.length > 0) this.#ready.push(lane)
    else this.#drained.push(lane)
    this.#parts.onReady()
  }

  /** Takes what follows in a lane into memory, up to what waits for its time. */
  #follow(lane: Lane, works: readonly Work[], skipped: number): void {
    const now = this.#parts.webhooks.now()
    const waiting = works.findIndex(({ delivery }) => delivery.retry_at !== null && Date.parse(delivery.retry_at) > now)
    for (const work of waiting < 0 ? works : works.slice(0, waiting)) {
      if (lane.has(work.delivery.id)) continue
      lane.insert(work)
      this.#held++
    }
    if (waiting === 0) {
      lane.parked = true
      this.#nextDue = Math.min(this.#nextDue, Date.parse(works[0]!.delivery.retry_at!))
    } else if (waiting < 0 && works.length < LANE_PAGE && skipped === lane.skipped) lane.partial = false
  }

  /** What a lane could not be asked for is found again by reading the queue from its beginning. */
  #startOver(): void {
    this.#cursor = 0
    this.#behind = true
    this.#nextDue = 0
  }

  /** Lets go of lanes that are empty and of whose end the read models know. */
  #forget(): void {
    const known = this.#parts.webhooks.projected()
    const still = this.#drained.findIndex((lane) => lane.settledAt > known)
    const gone = this.#drained.splice(0, still < 0 ? this.#drained.length : still)
    for (const lane of gone) {
      // It may have run empty twice, and another may have taken its place since.
      if (lane.isIdle && this.#lanes.get(lane.key) === lane) this.#lanes.delete(lane.key)
    }
  }
}
