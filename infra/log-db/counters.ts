import type { CounterAt, Counters } from '../../domain/kernel/ports/counters.ts'
import type { CounterWrite } from './batch.ts'
import type { GroupCommit } from './group-commit.ts'
import type { LogReader } from './reading.ts'

/** The counters in the file of a log. */
export class SqliteCounters implements Counters {
  readonly leased = false
  readonly #commit: GroupCommit
  readonly #reader: LogReader

  constructor(commit: GroupCommit, reader: LogReader) {
    this.#commit = commit
    this.#reader = reader
  }

  async take(counter: string, count: number): Promise<number> {
    const outcome = await this.#commit.submit({ kind: 'counter', counter, add: count, atLeast: 0 })
    if (typeof outcome === 'object' && 'counted' in outcome) return outcome.counted - count + 1
    throw new Error(`the counter ${counter} was not counted`)
  }

  /** Causes no commit: the change goes with the next one. */
  async raise(counter: string, value: number): Promise<void> {
    const name = `counter ${counter}`
    const riding = this.#commit.riding(name) as CounterWrite | undefined
    const atLeast = Math.max(value, riding?.atLeast ?? 0)
    this.#commit.ride(name, { kind: 'counter', counter, add: 0, atLeast })
  }

  async *all(): AsyncGenerator<CounterAt> {
    await this.#commit.flush()
    yield* this.#reader.counters()
  }
}
