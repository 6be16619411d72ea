import type { DeliveryRecord, OutgoingRecord } from '../../domain/webhooks/event/model.ts'

/** A delivery that is to be attempted, and what it delivers. */
export interface Work {
  readonly delivery: DeliveryRecord
  readonly event: OutgoingRecord
}

/** What one endpoint has yet to get for one subject, in order: the next one begins when the one before is settled. */
export class Lane {
  readonly key: string
  /** Ascending by delivery. */
  queue: Work[] = []
  busy = false
  /** Part of it is in the read models only, behind what is queued: everything new must wait there as well. */
  partial = false
  /** Its first delivery waits for its next attempt. */
  parked = false
  /** The read models are being asked for what comes next. */
  continuing = false
  /** Times that something new was left in the read models. */
  skipped = 0
  /** Position of the newest attempt recorded: before that is projected, the read models know less than this lane. */
  settledAt = -1
  #newest = 0

  constructor(key: string) {
    this.key = key
  }

  get isIdle(): boolean {
    return !this.busy && !this.continuing && this.queue.length === 0
  }

  has(deliveryId: number): boolean {
    return this.queue.some(({ delivery }) => delivery.id === deliveryId)
  }

  /** Whether it has had this delivery, or a later one. */
  isPast(deliveryId: number): boolean {
    return deliveryId <= this.#newest
  }

  /** Puts work in its place; never before one that is under way. */
  insert(work: Work): void {
    const { id } = work.delivery
    const first = this.busy ? 1 : 0
    let place = this.queue.length
    while (place > first && this.queue[place - 1]!.delivery.id > id) place--
    this.queue.splice(place, 0, work)
    this.#newest = Math.max(this.#newest, id)
  }

  /** Its first delivery is tried again later: whatever was queued behind it stays in the read models. @returns how many those are */
  park(): number {
    const left = this.queue.length
    this.queue = []
    this.parked = true
    this.partial = true
    return left
  }
}
