import type { NewEvent, RecordedEvent } from '../values/event.ts'
import type { NumbersTaken } from '../values/sequence-numbers.ts'
import type { Counters } from './counters.ts'

/** A key that one stream at a time may hold; taken and given back with an append (design 4). */
export interface ClaimTaken {
  readonly key: string
  /** Kept with the claim and returned by `claimed`; must hold no personal data. */
  readonly note?: string
  /** Milliseconds since 1970 after which the claim counts as free. Without it the claim stays until released. */
  readonly until?: number
}

/** A claim that is held at present. */
export interface Claim extends ClaimTaken {
  readonly stream: string
  /** Revision of the stream after the append that took the claim. */
  readonly revision: number
  /** Whether that append has come about will show in a moment: it is under way, or its writer is gone. */
  readonly undecided?: boolean
}

export interface Append {
  readonly stream: string
  /** Revision of the last event that the writer has seen; -1: the stream must not exist; `any`: no condition. */
  readonly expected: number | 'any'
  /** May be empty when only claims change hands. */
  readonly events: readonly NewEvent[]
  readonly take?: readonly ClaimTaken[]
  /** Keys given back. A key that this stream does not hold is left alone. */
  readonly release?: readonly string[]
  /**
   * Event ids derived from their cause: when the stream already holds them all, nothing is appended and the earlier
   * result is returned, whatever `expected` says. When it holds only some of them, that is a revision conflict: the writer
   * has decided differently on what it takes for the same cause.
   */
  readonly repeatable?: boolean
  /** Counters whose next numbers stand in the data of the events (see numbers.ts): taken with the append, and not when it is refused. */
  readonly numbers?: readonly string[]
}

export type Appended =
  /** `position` is that of the last event appended (of the last event in the log when `events` was empty). */
  | {
      readonly ok: true
      readonly revision: number
      readonly position: number
      readonly repeated: boolean
      /** The numbers that were taken, where any were wanted and nothing was repeated. */
      readonly numbers?: NumbersTaken
    }
  | { readonly ok: false; readonly conflict: 'revision'; readonly actual: number }
  | { readonly ok: false; readonly conflict: 'claim'; readonly claim: Claim }

export interface ReadStreamOptions {
  /** First revision wanted; default 0, or the last one when reading backwards. */
  readonly from?: number
  readonly backwards?: boolean
  readonly limit?: number
}

export interface ReadAllOptions {
  /** Only events behind this position; default: from the start. */
  readonly after?: number
  readonly limit?: number
}

/** Receives events in order. The next batch comes when the returned promise has settled: that is the back-pressure. */
export type Subscriber = (batch: readonly RecordedEvent[]) => Promise<void> | void

export interface SubscribeOptions {
  /** Only events behind this position; default: from the start. */
  readonly after?: number
  /** Most events in one batch; default 1,000. */
  readonly batchSize?: number
  /** Called once when everything that was in the log at the time of subscribing has been handed over. */
  readonly onLive?: () => void
  /** Called when the subscriber threw: the subscription has ended and will not continue by itself. */
  readonly onError?: (error: unknown) => void
}

export interface Subscription {
  /** Stops handing over batches; resolves when the batch under way, if any, has settled. */
  close(): Promise<void>
}

/** The one ordered record of everything that happened (design 5). Every implementation passes test/infra/event-log.contract.ts. */
export interface EventLog {
  readonly counters: Counters
  /** Appends atomically; acknowledged only when it would survive a crash of the machine. A conflict is a value, not an exception. */
  append(request: Append): Promise<Appended>
  /** The events of one stream, oldest first unless `backwards`; an unknown stream is empty. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>
  /** Every event in the order of the log. */
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>
  /** Hands over the past and then the present, without gap or repetition. Only acknowledged events are handed over. */
  subscribe(subscriber: Subscriber, options?: SubscribeOptions): Subscription
  /** Position of the last event, or -1 when the log is empty. */
  lastPosition(): Promise<number>
  /** The event at a position that was seen before. */
  at(position: number): Promise<RecordedEvent | undefined>
  /** The last event, unless the log is empty. */
  newest(): Promise<RecordedEvent | undefined>
  /** Who holds a claim, if anyone. */
  claimed(key: string): Promise<Claim | undefined>
  /** Every claim that is held, in no particular order: for moving a log. */
  claims(): AsyncIterable<Claim>
  close(): Promise<void>
}
