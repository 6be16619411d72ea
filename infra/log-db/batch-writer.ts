import type { Appended } from '../../domain/kernel/ports/event-log.ts'
import { claimsNumbered, type NumbersTaken } from '../../domain/kernel/values/sequence-numbers.ts'
import type { Database } from '../sqlite/binding.ts'
import { troubleOf } from '../sqlite/failures.ts'
import { type AppendWrite, type Batch, isHeld, type ReactorStoreWrite, type Write, type WriteOutcome } from './batch.ts'
import { rowOf, withNumbersIn } from './event-row.ts'
import { ReactorTables } from './reactor-tables.ts'
import { Tables } from './tables.ts'

/** Outcome of a batch. */
export interface BatchResult {
  /** One for each write, in their order. */
  readonly outcomes: readonly WriteOutcome[]
  /** Duration of the commit, in milliseconds. */
  readonly flushedInMs: number
}

/** Carries out batches, each in one transaction. A write reads the state that the writes before it have left. */
export class BatchWriter {
  readonly #db: Database
  readonly #tables: Tables
  readonly #reactorStore: ReactorTables
  #last = -1

  constructor(db: Database) {
    this.#db = db
    this.#tables = new Tables(db)
    this.#reactorStore = new ReactorTables(db)
  }

  /**
   * Returns when all writes of the batch are on disk.
   *
   * @throws the error of the storage; nothing of the batch is kept then, unless the flush failed
   */
  carryOut(batch: Batch): BatchResult {
    const failed = new Map<number, string>()
    for (;;) {
      const carriedOut = this.#attempt(batch, failed)
      if (carriedOut) return carriedOut
    }
  }

  /**
   * Rolls the whole batch back when one write cannot be stored, and marks that write, so that the next attempt leaves it out. A savepoint for
   * each write would cost more, and a full disk discards savepoints too.
   */
  #attempt({ writes, now }: Batch, failed: Map<number, string>): BatchResult | undefined {
    let at = 0
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      this.#last = this.#tables.lastPosition()
      this.#tables.sweepClaims(now)
      const outcomes: WriteOutcome[] = []
      for (; at < writes.length; at++) {
        const reason = failed.get(at)
        outcomes.push(reason === undefined ? this.#perform(writes[at]!, now) : { failed: reason })
      }
      const decided = performance.now()
      this.#db.exec('COMMIT')
      return { outcomes, flushedInMs: performance.now() - decided }
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      if (troubleOf(error) || at >= writes.length) throw error
      failed.set(at, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  #perform(write: Write, now: number): WriteOutcome {
    if (write.kind === 'append') return this.#append(write, now)
    if (write.kind === 'counter') return { counted: this.#tables.count(write) }
    if (write.kind === 'key') this.#tables.putKey(write)
    else if (write.kind === 'checkpoint') this.#tables.putCheckpoint(write)
    else this.#writeStore(write)
    return 'done'
  }

  #writeStore({ entries, checkpoint }: ReactorStoreWrite): void {
    for (const entry of entries) this.#reactorStore.enter(entry)
    if (checkpoint) this.#tables.putCheckpoint(checkpoint)
  }

  #append(write: AppendWrite, now: number): Appended {
    const { stream, take, release, repeatable } = write
    const actual = this.#tables.revision(stream)
    const answer = this.#refusal(write, actual, now)
    if (answer) return answer
    const numbers = this.#takeNumbers(write, now)
    const events = numbers ? write.events.map((event) => withNumbersIn(event, numbers)) : write.events
    let revision = actual
    for (const event of events) this.#tables.putEvent(rowOf(event, stream, ++revision, ++this.#last, repeatable))
    for (const key of release) this.#tables.releaseClaim(key, stream)
    for (const claim of claimsNumbered(take, numbers)) this.#tables.takeClaim(claim, stream, revision)
    return { ok: true, revision, position: this.#last, repeated: false, ...(numbers && { numbers }) }
  }

  #takeNumbers({ numbers, take }: AppendWrite, now: number): NumbersTaken | undefined {
    if (numbers.length === 0) return undefined
    const keysOf = (counter: string) => take.filter((claim) => claim.counter === counter).map(({ key }) => key)
    return Object.fromEntries(numbers.map((counter) => [counter, this.#nextNumber(counter, keysOf(counter), now)]))
  }

  /** Takes the next number of a counter that completes none of the keys to one that is held. */
  #nextNumber(counter: string, keys: readonly string[], now: number): number {
    for (;;) {
      const number = this.#tables.count({ counter, atLeast: 0, add: 1 })
      const claims = keys.map((key) => this.#tables.claim(`${key}${number}`))
      if (!claims.some((claim) => claim && isHeld(claim, now))) return number
    }
  }

  /** Returns the answer when nothing is to be written. Checks in the order of the port: repetition, revision, claims. */
  #refusal(write: AppendWrite, actual: number, now: number): Appended | undefined {
    const { stream, expected, take } = write
    const repetition = write.repeatable ? this.#repetition(write, actual) : undefined
    if (repetition) return repetition
    if (expected !== 'any' && expected !== actual) return { ok: false, conflict: 'revision', actual }
    for (const { key, counter } of take) {
      if (counter !== undefined) continue
      const claim = this.#tables.claim(key)
      if (claim && claim.stream !== stream && isHeld(claim, now)) return { ok: false, conflict: 'claim', claim }
    }
    return undefined
  }

  /**
   * Returns the earlier result when the stream holds all the ids. When it holds only some, the writer has decided differently for the same
   * cause and must look again. That is a revision conflict, as with EventStoreDB.
   */
  #repetition({ stream, events }: AppendWrite, actual: number): Appended | undefined {
    const present = events.map(({ id }) => this.#tables.repeated(stream, id)).filter((each) => each !== undefined)
    if (present.length === 0) return undefined
    if (present.length < events.length) return { ok: false, conflict: 'revision', actual }
    const revision = Math.max(...present)
    return { ok: true, revision, position: this.#tables.position(stream, revision) ?? this.#last, repeated: true }
  }
}
