import type { NewEvent, RecordedEvent } from '../values/event.ts'
import type { NumbersTaken } from '../values/sequence-numbers.ts'
import type { Counters } from './counters.ts'

/** A key that only one stream at a time can hold. It is taken and released with an append. */
export interface ClaimToTake {
  readonly key: string
  /** Text that is stored with the claim and returned by `claimed`. It must not be personal. */
  readonly note?: string
  /** Milliseconds since 1970 after which the claim counts as free. Without it the claim stays until released. */
  readonly until?: number
}

/** A claim that an append takes. */
export interface ClaimWithNumber extends ClaimToTake {
  /**
   * Counter among the `numbers` of the append: the number that is taken completes the key. A number whose key is held, by whichever stream, is
   * passed over, and so is one whose holder is undecided.
   */
  readonly counter?: string
}

/** A claim that is held now. */
export interface Claim extends ClaimToTake {
  readonly stream: string
  /** Revision of the stream after the append that took the claim. */
  readonly revision: number
  /** The outcome of that append is not yet known: it is under way, or its writer is gone. */
  readonly undecided?: boolean
}

/** Request to append events to a stream and to take and release claims. */
export interface Append {
  readonly stream: string
  /** Revision of the last event that the writer has seen. -1: the stream must not exist. `any`: no condition. */
  readonly expected: number | 'any'
  /** May be empty when only claims change hands. */
  readonly events: readonly NewEvent[]
  readonly take?: readonly ClaimWithNumber[]
  /** Keys to release. A key that this stream does not hold is ignored. */
  readonly release?: readonly string[]
  /**
   * Event ids are derived from their cause. If the stream already has all of them, nothing is appended and the earlier
   * result is returned, regardless of `expected`. If it has only some of them, that is a revision conflict: the writer has
   * decided differently on the same cause.
   */
  readonly repeatable?: boolean
  /** Counters with placeholders in the data of the events (see sequence-numbers.ts). Their numbers are taken only if the append succeeds. */
  readonly numbers?: readonly string[]
}

/** Result of an append. */
export type Appended =
  /** `position` is that of the last appended event, or of the last event in the log when `events` was empty. */
  | {
      readonly ok: true
      readonly revision: number
      readonly position: number
      readonly repeated: boolean
      /** Numbers that were taken; absent if none were requested or the append was a repeat. */
      readonly numbers?: NumbersTaken
    }
  | { readonly ok: false; readonly conflict: 'revision'; readonly actual: number }
  | { readonly ok: false; readonly conflict: 'claim'; readonly claim: Claim }

export interface ReadStreamOptions {
  /** First revision to read. Default: 0, or the last one when reading backwards. */
  readonly from?: number
  readonly backwards?: boolean
  readonly limit?: number
}

export interface ReadAllOptions {
  /** Position after which to begin. Default: the start of the log. */
  readonly after?: number
  readonly limit?: number
}

/** Receives events in order. The next batch is sent when the returned promise has settled, which gives back-pressure. */
export type Subscriber = (batch: readonly RecordedEvent[]) => Promise<void> | void

export interface SubscribeOptions {
  /** Position after which to begin. Default: the start of the log. */
  readonly after?: number
  /** Largest number of events in a batch; default 1,000. */
  readonly batchSize?: number
  /** Called once when all events that were in the log at the time of subscribing have been handed over. */
  readonly onLive?: () => void
  /** Called when the subscriber has thrown. The subscription has then ended. */
  readonly onError?: (error: unknown) => void
}

export interface Subscription {
  /** Stops handing over batches. Resolves when the batch under way, if any, has settled. */
  close(): Promise<void>
}

/** The ordered log of all events. Every implementation passes test/infra/event-log.contract.ts. */
export interface EventLog {
  readonly counters: Counters
  /** Appends atomically. Resolves only when the events would survive a crash of the machine. A conflict is a value, not an exception. */
  append(request: Append): Promise<Appended>
  /** Returns the events of one stream, oldest first unless `backwards`. An unknown stream is empty. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>
  /** Returns all events in the order of the log. */
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>
  /** Hands over past events and then new ones, without gaps or repetition. Only acknowledged events are handed over. */
  subscribe(subscriber: Subscriber, options?: SubscribeOptions): Subscription
  /** Returns the position of the last event, or -1 when the log is empty. */
  lastPosition(): Promise<number>
  /** Returns the event at a position that an event is known to have. */
  at(position: number): Promise<RecordedEvent | undefined>
  /** Returns the last event, or `undefined` when the log is empty. */
  newest(): Promise<RecordedEvent | undefined>
  /** Returns the claim on a key, if a stream holds it. */
  claimed(key: string): Promise<Claim | undefined>
  /** Returns all claims that are held, in no particular order, for moving a log. */
  claims(): AsyncIterable<Claim>
  close(): Promise<void>
}
