import { randomUUID } from 'node:crypto'
import { jsonEvent, type RecordedEvent as Raw } from '@eventstore/db-client'
import { appendAt } from './appender.ts'
import { bookkeeping } from './bookkeeping.ts'
import type { Caller } from './caller.ts'
import type { ClaimReader } from './claim-reading.ts'
import { claimRecord, RESERVATIONS, recordEvent, reservationStream } from './claim-record.ts'
import { BOOKKEEPING, positionOf } from './codec.ts'
import { lastOf } from './stream-reading.ts'

/** Where sweeps leave how far they got. */
const SWEEPS = `${BOOKKEEPING}sweeps`

/** Puts back what crashes have left reserved. */
export class ClaimSweep {
  readonly #caller: Caller
  readonly #reader: ClaimReader
  readonly #abandonedAfterMs: number
  readonly #now: () => number

  constructor(caller: Caller, reader: ClaimReader, abandonedAfterMs: number, now: () => number) {
    this.#caller = caller
    this.#reader = reader
    this.#abandonedAfterMs = abandonedAfterMs
    this.#now = now
  }

  /** @returns how many reservations were put back */
  async run(olderThanMs: number): Promise<number> {
    const age = Math.max(olderThanMs, this.#abandonedAfterMs)
    const before = await lastOf(this.#caller, SWEEPS)
    const settled = (before?.data as { settled: number } | undefined)?.settled ?? -1
    let reached = settled
    let putBack = 0
    for await (const records of bookkeeping(this.#caller, RESERVATIONS, settled)) {
      const old = records.filter((raw) => this.#now() - raw.created.getTime() > age)
      putBack += (await Promise.all(old.map((raw) => this.#settle(raw, age)))).filter(Boolean).length
      reached = old.length > 0 ? positionOf(old.at(-1)!) : reached
      if (old.length < records.length) break
    }
    if (reached > settled) await this.#note(reached, Number(before?.revision ?? -1))
    return putBack
  }

  async #settle(raw: Raw, age: number): Promise<boolean> {
    const record = claimRecord(raw)
    if (!record.when) return false
    const { open } = await this.#reader.settle(record, Number.POSITIVE_INFINITY)
    if (!open) return false
    const { holder } = await this.#reader.settle(record, age)
    const events = [recordEvent(record.key, { holder })]
    // Another record on top of it means that somebody has dealt with it already.
    const { ok } = await appendAt(this.#caller, reservationStream(record.key), record.at, events)
    return ok
  }

  /** Keeps how far everything is decided. Another sweep at the same time may have been faster: either will do. */
  async #note(settled: number, expected: number): Promise<void> {
    await appendAt(this.#caller, SWEEPS, expected, [
      jsonEvent({ id: randomUUID(), type: 'ClaimsSwept', data: { settled } }),
    ])
  }
}
