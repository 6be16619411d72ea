import type { RecordedEvent as Raw } from '@eventstore/db-client'
import type { SubscribeOptions, Subscriber, Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { AllReader } from './all-reading.ts'
import { type Caller, RetryState } from './caller.ts'
import { ConnectionLost } from './failures.ts'
import { Feed } from './feed.ts'
import { DOMAIN_STREAMS, recorded } from './wire/codec.ts'

const DEFAULT_BATCH = 1000

/** Error of the subscriber, as distinct from errors of the connection. */
class SubscriberFailed extends Error {}

/**
 * Follows the log over as many connections as necessary. Each begins behind the last event that the subscriber has taken, and earlier events are
 * left out: no event is missed, repeated or out of order.
 */
export class EventStoreSubscription implements Subscription {
  readonly #caller: Caller
  readonly #reader: AllReader
  readonly #subscriber: Subscriber
  readonly #options: SubscribeOptions
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  #feed: Feed | undefined
  #position: number
  /** Position at which the log ended when the subscription began. */
  #endAtStart: number | undefined
  #live = false

  /** @param onEnd called once, when no batch will follow */
  constructor(
    caller: Caller,
    reader: AllReader,
    subscriber: Subscriber,
    options: SubscribeOptions,
    onEnd: (self: EventStoreSubscription) => void,
  ) {
    this.#caller = caller
    this.#reader = reader
    this.#subscriber = subscriber
    this.#options = options
    this.#position = options.after ?? -1
    this.#ended = this.#run().finally(() => onEnd(this))
  }

  close(): Promise<void> {
    this.#closing.abort()
    this.#feed?.interrupt()
    return this.#ended
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  async #run(): Promise<void> {
    const trouble = new RetryState(this.#caller, Number.POSITIVE_INFINITY)
    await Promise.resolve()
    while (!this.#closed) {
      const { client } = this.#caller.connection
      try {
        await this.#follow(new Feed(this.#caller, client, DOMAIN_STREAMS, this.#position), trouble)
      } catch (error) {
        if (error instanceof SubscriberFailed) return this.#end(error.cause)
        const givenUp = await trouble.endure(error, client, this.#closing.signal)
        if (givenUp && !this.#closed) return this.#end(givenUp)
      }
    }
  }

  async #follow(feed: Feed, trouble: RetryState): Promise<void> {
    this.#feed = feed
    try {
      if (this.#options.onLive) this.#endAtStart ??= await this.#reader.lastPosition({ signal: this.#closing.signal })
      while (!this.#closed) {
        await this.#reportLive()
        const raw = await feed.next(this.#options.batchSize ?? DEFAULT_BATCH, this.#caller.options.patienceMs)
        if (raw.length > 0) trouble.over()
        // After a long silence, checks that the log has no further events.
        else if (!this.#closed) await this.#mustBeAtTheEnd(feed)
        await this.#handOver(raw)
      }
    } finally {
      feed.close()
    }
  }

  async #handOver(raw: readonly Raw[]): Promise<void> {
    const batch: RecordedEvent[] = []
    for (const event of raw.map(recorded)) {
      if (event && event.position > (batch.at(-1)?.position ?? this.#position)) batch.push(event)
    }
    const last = batch.at(-1)
    if (!last || this.#closed) return
    await this.#runSubscriberCode(() => this.#subscriber(batch))
    this.#position = last.position
    this.#reader.saw(last.position)
  }

  async #reportLive(): Promise<void> {
    if (this.#live || this.#endAtStart === undefined || this.#position < this.#endAtStart) return
    this.#live = true
    await this.#runSubscriberCode(() => this.#options.onLive?.())
  }

  /** @throws {ConnectionLost} when the log has further events and the connection does not deliver them */
  async #mustBeAtTheEnd(feed: Feed): Promise<void> {
    if ((await this.#reader.lastPosition({ signal: this.#closing.signal })) <= this.#position) return
    const late = await feed.next(1, this.#caller.options.attemptMs)
    if (late.length === 0 && !this.#closed) throw new ConnectionLost('the subscription has fallen silent')
    await this.#handOver(late)
  }

  async #runSubscriberCode(code: () => Promise<void> | void): Promise<void> {
    try {
      await code()
    } catch (cause) {
      throw new SubscriberFailed('', { cause })
    }
  }

  #end(error: unknown): void {
    this.#closing.abort()
    if (this.#options.onError) this.#options.onError(error)
    else process.emitWarning(error instanceof Error ? error : String(error), 'SubscriptionEnded')
  }
}
