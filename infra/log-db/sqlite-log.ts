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
} from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { numbered } from '../../domain/kernel/values/sequence-numbers.ts'
import { type AppendWrite, isHeld, type Write, type WriteOutcome } from './batch.ts'
import { SqliteCounters } from './counters.ts'
import { encode } from './event-row.ts'
import type { GroupCommit } from './group-commit.ts'
import { type LogReader, type Readable, readAll, readStream } from './reading.ts'
import { RecentEvents } from './recent-events.ts'
import { LogSubscription } from './subscription.ts'
import type { Tables } from './tables.ts'

const LONGEST_NAME = 400

export interface LogDeps {
  readonly reader: LogReader
  readonly tables: Tables
  readonly commit: GroupCommit
  /** Clock by which claims expire, in milliseconds since 1970. */
  readonly now: () => number
  /** Called before the last write. */
  readonly beforeLast: () => void
  /** Closes the file; called once, when nothing uses it any more. */
  readonly shut: () => Promise<void>
}

/** The event log in a SQLite file. Only one process at a time may have it open for writing: see the data directory. */
export class SqliteLog implements EventLog {
  readonly counters: SqliteCounters
  readonly #deps: LogDeps
  readonly #readable: Readable
  readonly #recent = new RecentEvents()
  /** Events of each append, as their writers gave them, for subscribers. */
  readonly #events = new WeakMap<Write, Append['events']>()
  readonly #subscriptions = new Set<LogSubscription>()
  #head: number
  #closing: Promise<void> | undefined
  #closed = false

  constructor(deps: LogDeps) {
    this.#deps = deps
    this.counters = new SqliteCounters(deps.commit, deps.reader)
    this.#head = deps.reader.lastPosition()
    this.#readable = { reader: deps.reader, head: () => this.#head, mustBeOpen: () => this.#mustBeOpen() }
    deps.commit.committed = (writes, outcomes) => this.#committed(writes, outcomes)
  }

  async append(request: Append): Promise<Appended> {
    this.#mustBeOpen()
    check(request)
    const { stream, expected, events, take = [], release = [], repeatable = false, numbers = [] } = request
    const encoded = events.map(encode)
    const append = { stream, expected, events: encoded, take, release, repeatable, numbers }
    const write: AppendWrite = { kind: 'append', ...append }
    this.#events.set(write, events)
    return (await this.#deps.commit.submit(write, bytesIn(write))) as Appended
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
      head: () => this.#head,
      eventsAfter: (position: number, limit: number) => this.#eventsAfter(position, limit),
    }
    const subscription = new LogSubscription(source, subscriber, options, (ended) => this.#subscriptions.delete(ended))
    this.#subscriptions.add(subscription)
    return subscription
  }

  async lastPosition(): Promise<number> {
    return this.#head
  }

  async at(position: number): Promise<RecordedEvent | undefined> {
    this.#mustBeOpen()
    return position < 0 || position > this.#head ? undefined : this.#deps.reader.at([position])[0]
  }

  async newest(): Promise<RecordedEvent | undefined> {
    this.#mustBeOpen()
    return this.#head < 0 ? undefined : this.#deps.reader.events(this.#head, this.#head, 1)[0]
  }

  async claimed(key: string): Promise<Claim | undefined> {
    await this.#deps.commit.settled()
    this.#mustBeOpen()
    const claim = this.#deps.tables.claim(key)
    return claim && isHeld(claim, this.#deps.now()) ? claim : undefined
  }

  async *claims(): AsyncIterable<Claim> {
    await this.#deps.commit.settled()
    this.#mustBeOpen()
    yield* this.#deps.reader.allClaims((claim) => isHeld(claim, this.#deps.now()))
  }

  /** Lets subscribers finish their batch and appends reach the disk, then closes. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()))
    this.#closed = true
    this.#deps.beforeLast()
    await this.#deps.commit.drain()
    await this.#deps.shut()
  }

  #committed(writes: readonly Write[], outcomes: readonly WriteOutcome[]): () => void {
    const events: RecordedEvent[] = []
    let bytes = 0
    for (const [index, write] of writes.entries()) {
      const outcome = outcomes[index]!
      if (write.kind !== 'append' || outcome === 'done' || !('ok' in outcome) || !outcome.ok || outcome.repeated)
        continue
      events.push(...recorded(numbered(this.#events.get(write)!, outcome.numbers), write.stream, outcome))
      bytes += bytesIn(write)
    }
    const last = events.at(-1)
    if (!last) return () => undefined
    this.#head = last.position
    return () => {
      this.#recent.add(events, bytes)
      for (const subscription of this.#subscriptions) subscription.wake()
    }
  }

  #eventsAfter(position: number, limit: number): readonly RecordedEvent[] {
    if (position >= this.#head) return []
    return this.#recent.after(position, limit) ?? this.#deps.reader.events(position + 1, this.#head, limit)
  }

  #mustBeOpen(): void {
    if (this.#closed) throw closed()
  }
}

const recorded = (
  events: Append['events'],
  stream: string,
  { revision, position }: { readonly revision: number; readonly position: number },
): RecordedEvent[] =>
  events.map(({ id, type, data, metadata }, index) => {
    const back = events.length - 1 - index
    return { stream, revision: revision - back, position: position - back, id, type, data, metadata }
  })

const bytesIn = ({ events }: AppendWrite): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)

const closed = (): Error => new Error('The event log has been closed.')

const isName = (text: string): boolean =>
  text.length > 0 && text.length <= LONGEST_NAME && !text.includes('\0') && text.isWellFormed()

/** @throws {Error} for names that the log could not return unchanged, and for an invalid revision */
const check = ({ stream, expected, events }: Append): void => {
  const invalid = [stream, ...events.flatMap(({ id, type }) => [id, type])].find((name) => !isName(name))
  if (invalid !== undefined) {
    const quoted = JSON.stringify(invalid.slice(0, 80))
    throw new Error(`A stream, an event id and a type have 1 to ${LONGEST_NAME} characters and no NUL: ${quoted}`)
  }
  if (expected !== 'any' && !(Number.isInteger(expected) && expected >= -1)) {
    throw new Error(`An expected revision is 'any', -1 or the revision of an event, not ${expected}`)
  }
}
