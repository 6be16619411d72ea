import { setTimeout as sleep } from 'node:timers/promises'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../sqlite/failures.ts'
import type { Write, WriteOutcome } from './batch.ts'
import type { Executor } from './executor.ts'

/** A write that does not cause a commit by itself, but goes with the next one. */
export interface Rider {
  /** What it is by then. */
  readonly write: () => Write
  /** Called when the write is on disk. */
  readonly written: () => void
}

interface Waiting {
  /** Nothing, where all that is wanted is that what rides is on disk. */
  readonly write: Write | undefined
  readonly bytes: number
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

/** How long a lock of another program is waited for, and between two looks. */
const LOCKED_MS = 10_000
const LOOK_EVERY_MS = 50

/** Gathers the writes of a turn of the loop, and those that come while a commit is under way, into one commit. */
export class GroupCommit {
  readonly #executor: Executor
  readonly #path: string
  readonly #now: () => number
  #waiting: Waiting[] = []
  #riding: Rider[] = []
  #running: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()
  #broken: Error | undefined

  /** Called with the outcomes of a batch when they are on disk, before anyone is told, and gives what is to be done when all have been. */
  committed: (writes: readonly Write[], outcomes: readonly WriteOutcome[]) => () => void = () => () => undefined

  constructor(executor: Executor, path: string, now: () => number) {
    this.#executor = executor
    this.#path = path
    this.#now = now
  }

  /**
   * Resolves to the outcome of the write when it is on disk.
   * @param bytes size of its texts
   * @throws {Error} when it cannot be stored, {StorageUnavailable} when nothing can
   */
  submit(write: Write, bytes = 0): Promise<Exclude<WriteOutcome, { failed: string }>> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: WriteOutcome) => {
        if (typeof outcome === 'object' && 'failed' in outcome) reject(new Error(outcome.failed))
        else resolve(outcome)
      }
      this.#wait({ write, bytes, resolve: settle, reject })
    })
  }

  /** Puts a write at the head of the next batch that comes, and again of the one after it if that batch fails. */
  ride(rider: Rider): void {
    this.#riding.push(rider)
  }

  /** Resolves when what rides is on disk. @throws {StorageUnavailable} */
  flush(): Promise<void> {
    if (this.#riding.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) =>
      this.#wait({ write: undefined, bytes: 0, resolve: () => resolve(), reject }),
    )
  }

  /** Resolves when the batch on its way to the disk, if any, is there. */
  settled(): Promise<void> {
    return this.#current
  }

  /** Resolves when nothing waits any more; what only rides is written too. */
  async drain(): Promise<void> {
    await this.#running
    if (!this.#broken) await this.flush().catch(() => undefined)
  }

  #wait(waiting: Waiting): void {
    if (this.#broken) {
      waiting.reject(this.#broken)
      return
    }
    this.#waiting.push(waiting)
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the loop, so that all requests of this turn come into the same batch.
      await new Promise(setImmediate)
      const batch = this.#waiting
      this.#waiting = []
      this.#current = this.#commit(batch)
      await this.#current
    }
    this.#running = undefined
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const riders = [...this.#riding]
    const writes = [...riders.map((rider) => rider.write()), ...batch.flatMap(({ write }) => write ?? [])]
    const bytes = batch.reduce((sum, waiting) => sum + waiting.bytes, 0)
    let outcomes: readonly WriteOutcome[]
    try {
      outcomes = await this.#carryOut(writes, bytes)
    } catch (error) {
      const failure = asUnavailable(`The event log ${this.#path} could not be written`, error)
      if (failure instanceof StorageUnavailable && failure.trouble === 'sync') this.#broken = failure
      for (const { reject } of batch) reject(failure)
      return
    }
    this.#riding.splice(0, riders.length)
    for (const rider of riders) rider.written()
    const acknowledged = this.committed(writes, outcomes)
    let next = riders.length
    for (const { write, resolve } of batch) resolve(write ? outcomes[next++]! : 'done')
    acknowledged()
  }

  async #carryOut(writes: readonly Write[], bytes: number): Promise<readonly WriteOutcome[]> {
    if (this.#broken) throw this.#broken
    const giveUpAt = performance.now() + LOCKED_MS
    for (;;) {
      try {
        return await this.#executor.commit({ writes, now: this.#now() }, bytes)
      } catch (error) {
        if (troubleOf(error) !== 'busy' || performance.now() > giveUpAt) throw error
        await sleep(LOOK_EVERY_MS)
      }
    }
  }
}
