import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import type {
  Append,
  Appended,
  Claim,
  EventLog,
  ReadAllOptions,
  ReadStreamOptions,
  SubscribeOptions,
  Subscriber,
  Subscription,
} from '../../../domain/kernel/ports/event-log.ts'
import type { Appender } from './appender.ts'
import { isHeld } from './decision.ts'
import type { GroupCommit } from './group-commit.ts'
import { type Readable, readAll, readStream } from './reading.ts'
import { RecentEvents } from './recent-events.ts'
import { EmbeddedSubscription } from './subscription.ts'
import type { Tables } from './tables.ts'

/** Bounded by the size of a key in LMDB. */
const LONGEST_STREAM = 400
const LONGEST_EVENT_ID = 100

export interface LogParts {
  readonly tables: Tables
  readonly appender: Appender
  readonly commit: GroupCommit
  /** Milliseconds since 1970, by which claims run out. */
  readonly now: () => number
  /** Closes the environment; called once, when nothing uses it any more. */
  readonly shut: () => Promise<void>
}

/** The event log in an LMDB environment. One process at a time may have it open: see the data directory. */
export class EmbeddedLog implements EventLog {
  readonly #parts: LogParts
  readonly #readable: Readable
  readonly #recent = new RecentEvents()
  readonly #subscriptions = new Set<EmbeddedSubscription>()
  #closing: Promise<void> | undefined
  #closed = false

  constructor(parts: LogParts) {
    this.#parts = parts
    this.#readable = {
      tables: parts.tables,
      head: () => parts.appender.head,
      revision: (stream) => (stream.length > LONGEST_STREAM ? -1 : parts.appender.revision(stream)),
      mustBeOpen: () => this.#mustBeOpen(),
    }
    parts.appender.announce = (events, bytes) => {
      this.#recent.add(events, bytes)
      for (const subscription of this.#subscriptions) subscription.wake()
    }
  }

  async append(request: Append): Promise<Appended> {
    this.#mustBeOpen()
    check(request)
    return this.#parts.commit.submit(this.#parts.appender.append(request))
  }

  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    return readStream(this.#readable, stream, options)
  }

  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    return readAll(this.#readable, options)
  }

  subscribe(subscriber: Subscriber, options: SubscribeOptions = {}): Subscription {
    if (this.#closing) throw closed()
    const source = {
      head: () => this.#parts.appender.head,
      eventsAfter: (position: number, limit: number) => this.#eventsAfter(position, limit),
    }
    const subscription = new EmbeddedSubscription(source, subscriber, options, (ended) => {
      this.#subscriptions.delete(ended)
    })
    this.#subscriptions.add(subscription)
    return subscription
  }

  async lastPosition(): Promise<number> {
    return this.#parts.appender.head
  }

  async claimed(key: string): Promise<Claim | undefined> {
    await this.#parts.commit.settled()
    this.#mustBeOpen()
    const claim = this.#parts.tables.claim(key)
    return claim && isHeld(claim, this.#parts.now()) ? claim : undefined
  }

  async *claims(): AsyncIterable<Claim> {
    this.#mustBeOpen()
    await this.#parts.commit.settled()
    for (const claim of this.#parts.tables.claims()) if (isHeld(claim, this.#parts.now())) yield claim
  }

  /** Lets subscribers finish their batch and appends reach the disk, then closes. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()))
    this.#closed = true
    await this.#parts.commit.drain()
    await this.#parts.shut()
  }

  #eventsAfter(position: number, limit: number): readonly RecordedEvent[] {
    const { tables, appender } = this.#parts
    if (position >= appender.head) return []
    return this.#recent.after(position, limit) ?? tables.events(position + 1, appender.head, limit)
  }

  #mustBeOpen(): void {
    if (this.#closed) throw closed()
  }
}

function closed(): Error {
  return new Error('The event log has been closed.')
}

function check({ stream, expected, events, repeatable }: Append): void {
  if (stream.length === 0 || stream.length > LONGEST_STREAM || stream.includes('\0')) {
    throw new Error(
      `A stream name has 1 to ${LONGEST_STREAM} characters and no NUL: ${JSON.stringify(stream.slice(0, 80))}`,
    )
  }
  if (expected !== 'any' && !(Number.isInteger(expected) && expected >= -1)) {
    throw new Error(`An expected revision is 'any', -1 or the revision of an event, not ${expected}`)
  }
  const long = repeatable ? events.find((event) => event.id.length > LONGEST_EVENT_ID) : undefined
  if (long) throw new Error(`An event id has at most ${LONGEST_EVENT_ID} characters: ${long.id.slice(0, 80)}`)
}
