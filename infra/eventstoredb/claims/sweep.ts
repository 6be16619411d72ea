import { randomUUID } from 'node:crypto'
import { jsonEvent, type RecordedEvent as Raw } from '@eventstore/db-client'
import type { AllReader } from '../all-reading.ts'
import { appendAt } from '../appender.ts'
import { bookkeeping } from '../bookkeeping.ts'
import type { Caller } from '../caller.ts'
import { keepLast } from '../last-only.ts'
import { lastOf } from '../stream-reading.ts'
import { BOOKKEEPING, positionOf } from '../wire/codec.ts'
import type { ClaimReader } from './reading.ts'
import { claimRecord, RESERVATIONS, recordEvent, reservationStream } from './record.ts'

/** Stream in which sweeps record their progress. */
const SWEEPS = `${BOOKKEEPING}sweeps`
/** Claims with a time limit expire within this time, which is a day more than the longest limit. */
const LONGEST_CLAIM_MS = 31 * 24 * 60 * 60 * 1000

interface Progress {
  /** Position up to which every reservation is decided. */
  readonly settled: number
  /** Position up to which the records of expired claims are removed. */
  readonly ended: number
  /** Time before which no further claims have expired; milliseconds since 1970. */
  readonly next: number
}

interface SweepDeps {
  readonly caller: Caller
  readonly reader: ClaimReader
  readonly all: AllReader
  readonly abandonedAfterMs: number
  readonly now: () => number
}

/** Puts back the reservations that crashes have left behind, and removes the records of expired claims. */
export class ClaimSweep {
  readonly #deps: SweepDeps

  constructor(deps: SweepDeps) {
    this.#deps = deps
  }

  /** @returns how many reservations were put back */
  async run(olderThanMs: number): Promise<number> {
    const { caller, abandonedAfterMs, now } = this.#deps
    const age = Math.max(olderThanMs, abandonedAfterMs)
    const last = await lastOf(caller, SWEEPS)
    const before: Progress = { settled: -1, ended: -1, next: 0, ...(last?.data as Partial<Progress> | undefined) }
    let putBack = 0
    const settled = await this.#each(before.settled, age, async (raw) => {
      if (await this.#settle(raw, age)) putBack++
    })
    const ended =
      now() < before.next
        ? { reached: before.ended, next: before.next }
        : await this.#each(before.ended, Math.max(age, LONGEST_CLAIM_MS), (raw) => this.#end(raw))
    if (settled.reached > before.settled || ended.reached > before.ended)
      await this.#recordProgress({ settled: settled.reached, ended: ended.reached, next: ended.next }, last)
    return putBack
  }

  /** Works on each record behind a position that is older than `age`. @returns how far it got, and when the next record is that old */
  async #each(
    after: number,
    age: number,
    work: (raw: Raw) => Promise<void>,
  ): Promise<{ reached: number; next: number }> {
    const { caller, all, now } = this.#deps
    // If no record is left before the end of the log, the next sweep need not look there again.
    const end = await all.lastPosition()
    let reached = after
    for await (const records of bookkeeping(caller, RESERVATIONS, after)) {
      const old = records.filter((raw) => now() - raw.created.getTime() > age)
      await Promise.all(old.map(work))
      reached = old.length > 0 ? positionOf(old.at(-1)!) : reached
      const young = records[old.length]
      if (young) return { reached, next: young.created.getTime() + age }
    }
    return { reached: Math.max(reached, end), next: now() + age }
  }

  async #settle(raw: Raw, age: number): Promise<boolean> {
    const { caller, reader } = this.#deps
    const record = claimRecord(raw)
    if (!record.when) return false
    const { open } = await reader.settle(record, Number.POSITIVE_INFINITY)
    if (!open) return false
    const { holder } = await reader.settle(record, age)
    const events = [recordEvent(record.key, { holder })]
    // Fails when there is a newer record: another process has then dealt with the reservation already.
    const { ok } = await appendAt(caller, reservationStream(record.key), record.at, events)
    return ok
  }

  async #end(raw: Raw): Promise<void> {
    const { caller, reader } = this.#deps
    const { key, at, holder } = claimRecord(raw)
    if (holder?.until === undefined) return
    const now = await reader.holding(key)
    if (now.record.at !== at || now.holder || now.open) return
    // Fails when the key was claimed meanwhile, because there is a newer record then.
    const options = { expectedRevision: BigInt(at), requiresLeader: true }
    await caller.ask((client) => client.deleteStream(reservationStream(key), options)).catch(() => undefined)
  }

  /** Records the progress. A sweep that runs at the same time may be faster: either record will do. */
  async #recordProgress(reached: Progress, last: Raw | undefined): Promise<void> {
    const { caller } = this.#deps
    if (!last) await keepLast(caller, SWEEPS)
    const event = jsonEvent({ id: randomUUID(), type: 'ClaimsSwept', data: { ...reached } })
    await appendAt(caller, SWEEPS, Number(last?.revision ?? -1), [event])
  }
}
