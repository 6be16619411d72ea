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
import type { AllReader } from './all-reading.ts'
import { checkAppend } from './append-check.ts'
import type { Caller } from './caller.ts'
import { listClaims } from './claims/listing.ts'
import type { ClaimReader } from './claims/reading.ts'
import type { ClaimSweep } from './claims/sweep.ts'
import type { EventStoreCounters } from './counters.ts'
import { readStream } from './stream-reading.ts'
import { EventStoreSubscription } from './subscription.ts'
import type { Writer } from './writer.ts'

export interface LogDeps {
  readonly caller: Caller
  readonly reader: AllReader
  readonly writer: Writer
  readonly claims: ClaimReader
  readonly sweep: ClaimSweep
  readonly counters: EventStoreCounters
}

/** The event log in an EventStoreDB, which any number of processes may share. */
export class EventStoreLog implements EventLog {
  readonly counters: EventStoreCounters
  readonly #deps: LogDeps
  readonly #subscriptions = new Set<EventStoreSubscription>()
  readonly #writing = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(deps: LogDeps) {
    this.#deps = deps
    this.counters = deps.counters
  }

  /** Time since which the server has not answered, in milliseconds since 1970; `undefined` while it answers. */
  get lostSince(): number | undefined {
    return this.#deps.caller.health.lostSince
  }

  /** Asks the server whether it answers, unless it is known not to; resolves when that is known. */
  probe(): Promise<void> {
    return this.#deps.caller.health.probe()
  }

  /**
   * Resolves when the server answers, however long that takes.
   *
   * @throws {EventStoreAccessDenied | EventStoreRefused} when waiting does not help
   */
  async ready(): Promise<void> {
    this.#mustBeOpen()
    await this.#deps.reader.lastPosition({ patienceMs: Number.POSITIVE_INFINITY })
  }

  /**
   * @throws {AppendOutcomeUnknown} when the events may or may not be in the log
   * @throws {EventStoreUnavailable | EventStoreAccessDenied | EventStoreRefused} when they are not
   */
  async append(request: Append): Promise<Appended> {
    this.#mustBeOpen()
    checkAppend(request)
    const writing = this.#deps.writer.append(request)
    this.#writing.add(writing)
    return writing.finally(() => this.#writing.delete(writing))
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    this.#mustBeOpen()
    yield* readStream(this.#deps.caller, stream, options)
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    this.#mustBeOpen()
    yield* this.#deps.reader.readAll(options)
  }

  subscribe(subscriber: Subscriber, options: SubscribeOptions = {}): Subscription {
    this.#mustBeOpen()
    const { caller, reader } = this.#deps
    const subscription = new EventStoreSubscription(caller, reader, subscriber, options, (ended) => {
      this.#subscriptions.delete(ended)
    })
    this.#subscriptions.add(subscription)
    return subscription
  }

  async lastPosition(): Promise<number> {
    this.#mustBeOpen()
    return this.#deps.reader.lastPosition()
  }

  async at(position: number): Promise<RecordedEvent | undefined> {
    this.#mustBeOpen()
    return this.#deps.reader.at(position)
  }

  async newest(): Promise<RecordedEvent | undefined> {
    this.#mustBeOpen()
    return this.#deps.reader.newest()
  }

  async claimed(key: string): Promise<Claim | undefined> {
    this.#mustBeOpen()
    return this.#deps.claims.claimed(key)
  }

  /** Writes a claim that comes from another log, when that log is moved here. @throws {Error} when another stream holds it */
  async keepClaim(claim: Claim): Promise<void> {
    this.#mustBeOpen()
    await this.#deps.writer.claims.keep(claim)
  }

  async *claims(): AsyncGenerator<Claim> {
    this.#mustBeOpen()
    yield* listClaims(this.#deps.caller, this.#deps.claims)
  }

  /**
   * Puts back the reservations of appends that never took place. Any process may run it from time to time.
   *
   * @param olderThanMs age below which a reservation may belong to an append under way; never less than the log's own limit
   * @returns the number of reservations put back
   */
  async sweepClaims(olderThanMs = 0): Promise<number> {
    this.#mustBeOpen()
    return this.#deps.sweep.run(olderThanMs)
  }

  /** Lets subscribers finish their batch, waits for the answers to appends, then disconnects. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()))
    await Promise.allSettled(this.#writing)
    this.#deps.caller.close()
    this.#deps.caller.connection.close()
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new Error('The event log has been closed.')
  }
}
