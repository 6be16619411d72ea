import { setTimeout as sleep } from 'node:timers/promises'
import { asUnavailable, StorageUnavailable, troubleOf } from '../sqlite/failures.ts'
import type { Write, WriteOutcome } from './batch.ts'
import type { Executor } from './executor.ts'

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
  /** What goes along with the next batch, and with the one on its way, by name. */
  #riding = new Map<string, Write>()
  #aboard = new Map<string, Write>()
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

  /** Lets a write go with the next batch that comes, in place of one of the same name that has not gone yet. It causes no commit by itself. */
  ride(name: string, write: Write): void {
    this.#riding.set(name, write)
  }

  /** What rides under a name and is not yet on disk. */
  riding(name: string): Write | undefined {
    return this.#riding.get(name) ?? this.#aboard.get(name)
  }

  /** Resolves when what rides is on disk. @throws {StorageUnavailable} */
  flush(): Promise<void> {
    if (this.#riding.size + this.#aboard.size === 0) return Promise.resolve()
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
    this.#aboard = this.#riding
    this.#riding = new Map()
    const writes = [...this.#aboard.values(), ...batch.flatMap(({ write }) => write ?? [])]
    const bytes = batch.reduce((sum, waiting) => sum + waiting.bytes, 0)
    let outcomes: readonly WriteOutcome[]
    try {
      outcomes = await this.#carryOut(writes, bytes)
    } catch (error) {
      const failure = asUnavailable(`The event log ${this.#path} could not be written`, error)
      if (failure instanceof StorageUnavailable && failure.trouble === 'sync') this.#broken = failure
      this.#riding = new Map([...this.#aboard, ...this.#riding])
      if (failure instanceof StorageUnavailable && failure.trouble === 'full') await this.#executor.relieve()
      for (const { reject } of batch) reject(failure)
      return
    }
    let next = this.#aboard.size
    this.#aboard.clear()
    const acknowledged = this.committed(writes, outcomes)
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
