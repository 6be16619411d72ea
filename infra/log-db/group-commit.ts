import { setTimeout as sleep } from 'node:timers/promises'
import { asUnavailable, StorageUnavailable, troubleOf } from '../sqlite/failures.ts'
import type { Write, WriteOutcome } from './batch.ts'
import type { Executor } from './executor.ts'

interface Waiting {
  /** `undefined` where the caller only waits until the riding writes are on disk. */
  readonly write: Write | undefined
  readonly bytes: number
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Longest wait for a lock of another program, and interval between two attempts. */
const LOCKED_MS = 10_000
const RETRY_EVERY_MS = 50

/** Combines the writes of one turn of the event loop, and those that arrive during a commit, into one commit. */
export class GroupCommit {
  readonly #executor: Executor
  readonly #path: string
  readonly #now: () => number
  #waiting: Waiting[] = []
  /** Writes that ride with the next batch, and those that ride with the batch on its way to the disk, by name. */
  #riding = new Map<string, Write>()
  #inFlight = new Map<string, Write>()
  #running: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()
  #broken: Error | undefined

  /** Called with the outcomes of a batch when they are on disk, before any caller gets its own. The returned function is called after all have. */
  committed: (writes: readonly Write[], outcomes: readonly WriteOutcome[]) => () => void = () => () => undefined

  constructor(executor: Executor, path: string, now: () => number) {
    this.#executor = executor
    this.#path = path
    this.#now = now
  }

  /**
   * Resolves to the outcome of the write when it is on disk.
   * @param bytes size of its texts
   * @throws {Error} when this write cannot be stored, {StorageUnavailable} when none can
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

  /** Lets a write ride with the next batch. It causes no commit by itself, and replaces a waiting write of the same name. */
  ride(name: string, write: Write): void {
    this.#riding.set(name, write)
  }

  /** Returns the riding write of this name that is not yet on disk. */
  riding(name: string): Write | undefined {
    return this.#riding.get(name) ?? this.#inFlight.get(name)
  }

  /** Resolves when all riding writes are on disk. @throws {StorageUnavailable} */
  flush(): Promise<void> {
    if (this.#riding.size + this.#inFlight.size === 0) return Promise.resolve()
    return new Promise((resolve, reject) =>
      this.#wait({ write: undefined, bytes: 0, resolve: () => resolve(), reject }),
    )
  }

  /** Resolves when the batch on its way to the disk, if any, has been committed or has failed. */
  settled(): Promise<void> {
    return this.#current
  }

  /** Resolves when no write waits any more. Riding writes are written too. */
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
      // Waits one turn of the event loop, so that all requests of this turn share a batch.
      await new Promise(setImmediate)
      const batch = this.#waiting
      this.#waiting = []
      this.#current = this.#commit(batch)
      await this.#current
    }
    this.#running = undefined
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    this.#inFlight = this.#riding
    this.#riding = new Map()
    const writes = [...this.#inFlight.values(), ...batch.flatMap(({ write }) => write ?? [])]
    const bytes = batch.reduce((sum, waiting) => sum + waiting.bytes, 0)
    let outcomes: readonly WriteOutcome[]
    try {
      outcomes = await this.#carryOut(writes, bytes)
    } catch (error) {
      const failure = asUnavailable(`The event log ${this.#path} could not be written`, error)
      if (failure instanceof StorageUnavailable && failure.trouble === 'sync') this.#broken = failure
      this.#riding = new Map([...this.#inFlight, ...this.#riding])
      if (failure instanceof StorageUnavailable && failure.trouble === 'full') await this.#executor.relieve()
      for (const { reject } of batch) reject(failure)
      return
    }
    let next = this.#inFlight.size
    this.#inFlight = new Map()
    const afterAnswers = this.committed(writes, outcomes)
    for (const { write, resolve } of batch) resolve(write ? outcomes[next++]! : 'done')
    afterAnswers()
  }

  async #carryOut(writes: readonly Write[], bytes: number): Promise<readonly WriteOutcome[]> {
    if (this.#broken) throw this.#broken
    const giveUpAt = performance.now() + LOCKED_MS
    for (;;) {
      try {
        return await this.#executor.commit({ writes, now: this.#now() }, bytes)
      } catch (error) {
        if (troubleOf(error) !== 'busy' || performance.now() > giveUpAt) throw error
        await sleep(RETRY_EVERY_MS)
      }
    }
  }
}
