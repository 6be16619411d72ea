import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from './environment.ts'

type Write = () => void

const CAUSE_PATIENCE_MS = 200

/** Decides on the state as the works before it in the batch leave it, and adds what is to be written. */
export type Work<R> = (write: (write: Write) => void) => R

/** A write that does not cause a batch by itself, but goes with the next one. */
export interface Rider {
  readonly write: Write
  /** Called when the write is on disk. */
  readonly written: () => void
}

interface Waiting {
  readonly work: Work<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Told about every batch, so that it can keep what the batch changes apart until that is on disk. */
export interface Participant {
  begin(write: (write: Write) => void): void
  /** All works are done and there is something to write: the last chance to add to it. */
  finish(write: (write: Write) => void): void
  /** The batch is on disk; its promises resolve next. */
  committed(): void
  /** The promises of the batch have been resolved. */
  acknowledged(): void
  discarded(): void
}

/**
 * Collects concurrent works into one transaction and one flush: while a batch is on its way to the disk, the next gathers.
 * Writing and flushing happen on LMDB's own thread. (A synchronous transaction is a quarter quicker for a lone append on a
 * quick disk, but stops the event loop for every flush.)
 */
export class GroupCommit {
  readonly #env: Environment
  readonly #participant: Participant
  readonly #path: string
  #waiting: Waiting[] = []
  #riding: Rider[] = []
  #running: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()
  #broken: Error | undefined
  #failed = false
  #lastCommit: number

  constructor(env: Environment, participant: Participant, path: string) {
    this.#env = env
    this.#participant = participant
    this.#path = path
    this.#lastCommit = lastTransaction(env)
    env.on('aftercommit', (commit) => {
      this.#lastCommit = Math.max(this.#lastCommit, commit.txnId ?? 0)
    })
  }

  /**
   * Runs the work in the next batch. Resolves to its result when everything it wrote is on disk.
   * @throws what the work throws (nothing of it is written then), or {Error} when the disk does not take the batch
   */
  submit<R>(work: Work<R>): Promise<R> {
    if (this.#broken) return Promise.reject(this.#broken)
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
      this.#running ??= this.#run()
    })
  }

  /** Puts a write at the head of the next batch that comes, and again of the one after it if that batch fails. */
  ride(rider: Rider): void {
    this.#riding.push(rider)
  }

  /** Resolves when the batch on its way to the disk, if any, is there: until then its writes are visible but may yet be lost. */
  settled(): Promise<void> {
    return this.#current
  }

  /** Resolves when nothing waits any more; what only rides is written too. */
  async drain(): Promise<void> {
    if (this.#riding.length > 0 && !this.#broken) await this.submit((write) => write(() => {})).catch(() => {})
    await this.#running
  }

  /** Whether the last batch failed. lmdb-js then never settles its promise of a close. */
  get failed(): boolean {
    return this.#failed
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

  async #commit(batch: Waiting[]): Promise<void> {
    const writes: Write[] = []
    const settle: Write[] = []
    const riders = [...this.#riding]
    const failure = this.#prepare(batch, writes, settle) ?? (await this.#flush(riders, writes))
    if (failure) {
      this.#participant.discarded()
      for (const waiting of batch) waiting.reject(failure)
      return
    }
    this.#participant.committed()
    for (const resolve of settle) resolve()
    this.#participant.acknowledged()
  }

  /** Collects what is to be written, or gives the reason why that cannot be known. */
  #prepare(batch: Waiting[], writes: Write[], settle: Write[]): Error | undefined {
    const add = (write: Write) => writes.push(write)
    try {
      this.#participant.begin(add)
      for (const waiting of batch) this.#perform(waiting, writes, settle)
      if (writes.length > 0) this.#participant.finish(add)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #perform({ work, resolve, reject }: Waiting, writes: Write[], settle: Write[]): void {
    const own: Write[] = []
    try {
      const result = work((write) => own.push(write))
      writes.push(...own)
      settle.push(() => resolve(result))
    } catch (error) {
      reject(error)
    }
  }

  /** Resolves when the writes are on disk, or to the reason why not. Riders do not travel alone. */
  async #flush(riders: Rider[], writes: Write[]): Promise<Error | undefined> {
    if (writes.length === 0) return undefined
    if (this.#broken) return this.#broken
    let complete = false
    try {
      const committed = this.#env.batch(() => {
        for (const rider of riders) rider.write()
        for (const write of writes) write()
        complete = true
      })
      await committed
      await this.#env.flushed
    } catch (error) {
      this.#failed = true
      const cause = await causeOf(error)
      return this.#failure(cause, !complete || lastTransaction(this.#env) > this.#lastCommit)
    }
    this.#failed = false
    this.#riding.splice(0, riders.length)
    for (const rider of riders) rider.written()
    return undefined
  }

  /** A batch that failed before it became visible leaves the log as it was; of any other it is not known what is on disk. */
  #failure(cause: Error, inDoubt: boolean): Error {
    const remedy = inDoubt
      ? 'It is not known whether this was kept, and nothing more is taken. Check the disk, then restart.'
      : 'Nothing of this was kept. Check the free space and the disk, then try again.'
    const failure = new Error(`The event log in ${this.#path} could not be written (${cause.message}). ${remedy}`, {
      cause,
    })
    if (inDoubt) this.#broken = failure
    return failure
  }
}

function lastTransaction(env: Environment): number {
  return (env.getStats() as { lastTxnId: number }).lastTxnId
}

/** lmdb-js rejects with a general error, which carries the real one as a promise that rejects. */
async function causeOf(error: unknown): Promise<Error> {
  try {
    // Which lmdb-js does not always settle.
    await Promise.race([(error as { commitError?: Promise<never> }).commitError, sleep(CAUSE_PATIENCE_MS)])
  } catch (cause) {
    if (cause instanceof Error) return cause
  }
  return error instanceof Error ? error : new Error(String(error))
}
