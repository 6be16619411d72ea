import type { Database } from '../sqlite/binding.ts'
import { Thread } from '../sqlite/thread.ts'
import { isTight } from '../sqlite/write-ahead.ts'
import type { Batch, WriteOutcome } from './batch.ts'
import { BatchWriter, type CarriedOut } from './batch-writer.ts'
import type { LogAnswer, LogQuestion } from './commit-thread.ts'

/** Commits whose median decides where the next ones are made. */
const LOOKED_AT = 100
/** Where the disk takes longer than this to commit, a thread waits for it, so that whoever reads does not; below half of it no more. */
const SLOW_MS = 2
/** What may be written before the thread moves it into the file; less where the disk has little room. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024
const TIGHT_BYTES = 1024 * 1024
/** A batch costs some pages besides its text. */
const BATCH_BYTES = 24 * 1024
/** Beyond so many pages nothing is written while the thread moves the rest: only then can the write-ahead log begin anew. */
const LONG_PAGES = 8192
const RELIEVED_EVERY_MS = 1000

export type WriterThread = 'main thread' | 'thread of its own'

/**
 * Commits batches, one at a time: on the main thread, where a lone commit takes half as long, or on a thread of its own where the disk is slow.
 * That thread also makes checkpoints, and is started for the first of either.
 */
export class Executor {
  readonly #path: string
  readonly #writer: BatchWriter
  readonly #onPlace: (place: WriterThread, medianMs: number) => void
  #thread: Thread<LogQuestion, LogAnswer> | undefined
  #place: WriterThread = 'main thread'
  #durations: number[] = []
  #written = 0
  #most: number
  #checkpoint: Promise<number> | undefined
  #hold = false
  #relievedAt = Number.NEGATIVE_INFINITY

  /** @param onPlace told when commits move to the other thread */
  constructor(db: Database, path: string, onPlace: (place: WriterThread, medianMs: number) => void) {
    this.#path = path
    this.#most = isTight(path) ? TIGHT_BYTES : CHECKPOINT_BYTES
    this.#writer = new BatchWriter(db)
    this.#onPlace = onPlace
  }

  /**
   * @param bytes size of the texts in the batch
   * @throws what the storage throws
   */
  async commit(batch: Batch, bytes: number): Promise<readonly WriteOutcome[]> {
    if (this.#hold) await this.#checkpoint?.catch(() => undefined)
    const { outcomes, flushedInMs } =
      this.#place === 'main thread'
        ? this.#writer.carryOut(batch)
        : ((await this.#started().ask({ batch })) as CarriedOut)
    this.#timed(flushedInMs)
    this.#written += bytes + BATCH_BYTES
    if (this.#written > this.#most) this.#moveOn()
    return outcomes
  }

  /** Makes room on a full disk: what is only in the write-ahead log goes into the file, as far as that is possible. */
  async relieve(): Promise<void> {
    if (performance.now() < this.#relievedAt + RELIEVED_EVERY_MS) return
    await this.#started()
      .ask({ checkpoint: 'TRUNCATE' })
      .catch(() => undefined)
    this.#relievedAt = performance.now()
  }

  async close(): Promise<void> {
    await this.#checkpoint?.catch(() => undefined)
    await this.#thread?.close()
  }

  #started(): Thread<LogQuestion, LogAnswer> {
    const module = new URL('./commit-thread.js', import.meta.url)
    this.#thread ??= new Thread<LogQuestion, LogAnswer>(module, { path: this.#path })
    return this.#thread
  }

  #timed(milliseconds: number): void {
    if (this.#durations.push(milliseconds) < LOOKED_AT) return
    const median = this.#durations.sort((a, b) => a - b)[LOOKED_AT / 2]!
    this.#durations = []
    const place = median > SLOW_MS ? 'thread of its own' : median < SLOW_MS / 2 ? 'main thread' : this.#place
    if (place === this.#place) return
    this.#place = place
    this.#onPlace(place, median)
  }

  #moveOn(): void {
    this.#checkpoint ??= this.#move().finally(() => {
      this.#checkpoint = undefined
      this.#hold = false
    })
    this.#checkpoint.catch(() => undefined)
  }

  /** What cannot be moved now, because the disk is full or somebody reads, is moved another time. */
  async #move(): Promise<number> {
    const written = this.#written
    const tight = isTight(this.#path)
    this.#most = tight ? TIGHT_BYTES : CHECKPOINT_BYTES
    this.#hold = tight
    const pages = Number(await this.#started().ask({ checkpoint: tight ? 'TRUNCATE' : 'PASSIVE' }))
    this.#written -= written
    if (pages < LONG_PAGES) return pages
    this.#hold = true
    return Number(await this.#started().ask({ checkpoint: 'PASSIVE' }))
  }
}
