import type { Appended } from '../../domain/kernel/ports/event-log.ts'
import type { NumbersTaken } from '../../domain/kernel/values/sequence-numbers.ts'
import type { Database } from '../sqlite/binding.ts'
import { troubleOf } from '../sqlite/failures.ts'
import { type AppendWrite, type Batch, isHeld, type ReactorStoreWrite, type Write, type WriteOutcome } from './batch.ts'
import { rowOf, withNumbersIn } from './event-row.ts'
import { ReactorTables } from './reactor-tables.ts'
import { Tables } from './tables.ts'

/** What became of a batch. */
export interface CarriedOut {
  /** One for each write, in their order. */
  readonly outcomes: readonly WriteOutcome[]
  /** How long the disk took. */
  readonly flushedInMs: number
}

/** Carries out batches, each in one transaction: a write decides by reading what those before it have left. */
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
   * @returns when all of them are on disk
   * @throws what the storage throws; nothing of the batch is kept then, unless it was the flush that failed
   */
  carryOut(batch: Batch): CarriedOut {
    const failed = new Map<number, string>()
    for (;;) {
      const carriedOut = this.#attempt(batch, failed)
      if (carriedOut) return carriedOut
    }
  }

  /**
   * Where a write cannot be stored although it may be, all are taken back and tried again without it: a savepoint for each would cost more,
   * and a full disk takes savepoints with it.
   */
  #attempt({ writes, now }: Batch, failed: Map<number, string>): CarriedOut | undefined {
    let at = 0
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      this.#last = this.#tables.lastPosition()
      this.#tables.sweepClaims(now)
      const outcomes: WriteOutcome[] = []
      for (; at < writes.length; at++) {
        const why = failed.get(at)
        outcomes.push(why === undefined ? this.#perform(writes[at]!, now) : { failed: why })
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
    else this.#keep(write)
    return 'done'
  }

  #keep({ entries, checkpoint }: ReactorStoreWrite): void {
    for (const entry of entries) this.#reactorStore.enter(entry)
    if (checkpoint) this.#tables.putCheckpoint(checkpoint)
  }

  #append(write: AppendWrite, now: number): Appended {
    const { stream, take, release, repeatable } = write
    const actual = this.#tables.revision(stream)
    const answer = this.#refusal(write, actual, now)
    if (answer) return answer
    const numbers = this.#take(write.numbers)
    const events = numbers ? write.events.map((event) => withNumbersIn(event, numbers)) : write.events
    let revision = actual
    for (const event of events) this.#tables.putEvent(rowOf(event, stream, ++revision, ++this.#last, repeatable))
    for (const key of release) this.#tables.releaseClaim(key, stream)
    for (const claim of take) this.#tables.takeClaim(claim, stream, revision)
    return { ok: true, revision, position: this.#last, repeated: false, ...(numbers && { numbers }) }
  }

  #take(counters: readonly string[]): NumbersTaken | undefined {
    if (counters.length === 0) return undefined
    return Object.fromEntries(counters.map((counter) => [counter, this.#tables.count({ counter, atLeast: 0, add: 1 })]))
  }

  /** The answer when nothing is to be written, in the order of the port: repetition, revision, claims. */
  #refusal(write: AppendWrite, actual: number, now: number): Appended | undefined {
    const { stream, expected, take } = write
    const repetition = write.repeatable ? this.#repetition(write, actual) : undefined
    if (repetition) return repetition
    if (expected !== 'any' && expected !== actual) return { ok: false, conflict: 'revision', actual }
    for (const { key } of take) {
      const claim = this.#tables.claim(key)
      if (claim && claim.stream !== stream && isHeld(claim, now)) return { ok: false, conflict: 'claim', claim }
    }
    return undefined
  }

  /**
   * The earlier result when the stream holds all the ids. When it holds only some, the writer has decided differently on what
   * it takes for the same cause, and must look again: a revision conflict, as EventStoreDB answers it.
   */
  #repetition({ stream, events }: AppendWrite, actual: number): Appended | undefined {
    const present = events.map(({ id }) => this.#tables.repeated(stream, id)).filter((each) => each !== undefined)
    if (present.length === 0) return undefined
    if (present.length < events.length) return { ok: false, conflict: 'revision', actual }
    const revision = Math.max(...present)
    return { ok: true, revision, position: this.#tables.position(stream, revision) ?? this.#last, repeated: true }
  }
}
