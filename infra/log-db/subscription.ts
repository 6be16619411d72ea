import type { SubscribeOptions, Subscriber, Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

/** Source of the events of a subscription. It never gives an event that is not on disk. */
export interface Source {
  head(): number
  /** Returns up to `limit` events behind a position, from memory if they are still there. */
  eventsAfter(position: number, limit: number): readonly RecordedEvent[]
}

const DEFAULT_BATCH = 1000

/** Pulls from the log at the pace of its subscriber, so that it holds only one batch, no matter how far it lags. */
export class LogSubscription implements Subscription {
  readonly #source: Source
  readonly #subscriber: Subscriber
  readonly #options: SubscribeOptions
  readonly #liveFrom: number
  readonly #ended: Promise<void>
  #position: number
  #live = false
  #closed = false
  #wake: (() => void) | undefined

  /** @param onEnd called once, when no batch will follow */
  constructor(
    source: Source,
    subscriber: Subscriber,
    options: SubscribeOptions,
    onEnd: (self: LogSubscription) => void,
  ) {
    this.#source = source
    this.#subscriber = subscriber
    this.#options = options
    this.#position = options.after ?? -1
    this.#liveFrom = source.head()
    this.#ended = this.#run().finally(() => onEnd(this))
  }

  /** Called when the head of the log has moved. */
  wake(): void {
    this.#wake?.()
  }

  close(): Promise<void> {
    this.#closed = true
    this.#wake?.()
    return this.#ended
  }

  async #run(): Promise<void> {
    try {
      await Promise.resolve()
      while (!this.#closed) await this.#step()
    } catch (error) {
      this.#closed = true
      if (this.#options.onError) this.#options.onError(error)
      else process.emitWarning(error instanceof Error ? error : String(error), 'SubscriptionEnded')
    }
  }

  async #step(): Promise<void> {
    if (!this.#live && this.#position >= this.#liveFrom) {
      this.#live = true
      this.#options.onLive?.()
      return
    }
    const batch = this.#source.eventsAfter(this.#position, this.#options.batchSize ?? DEFAULT_BATCH)
    const last = batch.at(-1)
    if (!last) return this.#sleep()
    await this.#subscriber(batch)
    this.#position = last.position
    // Without this, a subscriber that returns at once would block the event loop until it has caught up.
    if (this.#position < this.#source.head()) await new Promise(setImmediate)
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }
}
