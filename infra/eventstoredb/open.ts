import { AllReader } from './all-reading.ts'
import type { Backoff } from './backoff.ts'
import { Caller } from './caller.ts'
import { Claims } from './claims/claims.ts'
import { ClaimReader } from './claims/reading.ts'
import { ClaimSweep } from './claims/sweep.ts'
import { Connection } from './connection.ts'
import { EventStoreCounters } from './counters.ts'
import { EventStoreLog } from './event-store-log.ts'
import { Repeats } from './repeats.ts'
import { Writer } from './writer.ts'

export interface EventStoreOptions {
  /** `esdb://user:password@host:2113?tls=false`, several hosts with commas, or `esdb+discover://name`. */
  readonly url: string
  /** Called when the server stops answering, and when it answers again. */
  readonly onWaiting?: (message: string) => void
  /** Clock by which claims expire and reservations age, in milliseconds since 1970; default: that of the machine. */
  readonly now?: () => number
  /**
   * Time for which an append or a read is retried before it fails, in milliseconds; default 15,000. Subscriptions never give up.
   */
  readonly patienceMs?: number
  /** Disables retries, so that calls that are sent together keep their order. */
  readonly once?: boolean
  /** Longest silence in one attempt, in milliseconds; default, and at most: half of `patienceMs`. */
  readonly attemptMs?: number
  /** Pauses between attempts; default: from 50 milliseconds to a second. */
  readonly backoff?: Backoff
}

const PATIENCE_MS = 15_000
const BACKOFF: Backoff = { firstMs: 50, mostMs: 1000 }

/**
 * Opens the event log in an EventStoreDB from version 22.10 on, of which it must be the only user. Connects at the first use.
 *
 * @throws {Error} when the url is not a connection string
 */
export function openEventStoreLog(options: EventStoreOptions): EventStoreLog {
  const { url, onWaiting, once = false, now = Date.now, patienceMs = PATIENCE_MS, backoff = BACKOFF } = options
  const attemptMs = Math.min(options.attemptMs ?? patienceMs, patienceMs / 2)
  const caller = new Caller(new Connection(url), { backoff, patienceMs, attemptMs, once, onWaiting })
  // No attempt begins after the patience has ended, and none lasts longer than half of it.
  const abandonedAfterMs = 2 * patienceMs
  const reader = new AllReader(caller)
  const counters = new EventStoreCounters(caller)
  const claims = new ClaimReader(caller, now, abandonedAfterMs)
  const writer = new Writer(caller, reader, new Claims(caller, claims), new Repeats(caller), counters)
  return new EventStoreLog({
    caller,
    reader,
    writer,
    claims,
    counters,
    sweep: new ClaimSweep({ caller, reader: claims, all: reader, abandonedAfterMs, now }),
  })
}
