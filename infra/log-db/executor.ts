import type { Database } from '../sqlite/binding.ts'
import { Thread } from '../sqlite/thread.ts'
import { isTight } from '../sqlite/write-ahead.ts'
import type { Batch, WriteOutcome } from './batch.ts'
import { type BatchResult, BatchWriter } from './batch-writer.ts'
import type { LogAnswer, LogQuestion } from './commit-thread.ts'

/** Number of commits whose median duration decides on which thread the next ones run. */
const SAMPLE_SIZE = 100
/** Above this median duration, commits run on a thread, so that reads need not wait for the disk. Below half of it they run on the main thread. */
const SLOW_MS = 2
/** Bytes written before the thread moves them into the file; fewer where the disk has little space. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024
const TIGHT_BYTES = 1024 * 1024
/** Estimated bytes of the pages that a batch costs besides its text. */
const BATCH_BYTES = 24 * 1024
/** Beyond this many pages, commits wait while the thread moves the rest: only then can the write-ahead log start over. */
const LONG_PAGES = 8192
const RELIEVED_EVERY_MS = 1000

export type WriterThread = 'main thread' | 'thread of its own'

/**
 * Commits batches, one at a time: on the main thread, where a single commit takes half as long, or on a separate thread where the disk is slow.
 * That thread also makes checkpoints. It is started when it is first needed.
 */
export class Executor {
  readonly #path: string
  readonly #writer: BatchWriter
  readonly #onMove: (runsOn: WriterThread, medianMs: number) => void
  #thread: Thread<LogQuestion, LogAnswer> | undefined
  #runsOn: WriterThread = 'main thread'
  #durations: number[] = []
  #written = 0
  #checkpointAfter: number
  #checkpoint: Promise<number> | undefined
  #commitsWait = false
  #relievedAt = Number.NEGATIVE_INFINITY

  /** @param onMove called when commits move to the other thread */
  constructor(db: Database, path: string, onMove: (runsOn: WriterThread, medianMs: number) => void) {
    this.#path = path
    this.#checkpointAfter = isTight(path) ? TIGHT_BYTES : CHECKPOINT_BYTES
    this.#writer = new BatchWriter(db)
    this.#onMove = onMove
  }

  /**
   * @param bytes size of the texts in the batch
   * @throws the error of the storage
   */
  async commit(batch: Batch, bytes: number): Promise<readonly WriteOutcome[]> {
    if (this.#commitsWait) await this.#checkpoint?.catch(() => undefined)
    const { outcomes, flushedInMs } =
      this.#runsOn === 'main thread'
        ? this.#writer.carryOut(batch)
        : ((await this.#started().ask({ batch })) as BatchResult)
    this.#noteDuration(flushedInMs)
    this.#written += bytes + BATCH_BYTES
    if (this.#written > this.#checkpointAfter) this.#startCheckpoint()
    return outcomes
  }

  /** Frees space on a full disk, as far as possible, by moving the write-ahead log into the file. */
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

  #noteDuration(milliseconds: number): void {
    if (this.#durations.push(milliseconds) < SAMPLE_SIZE) return
    const median = this.#durations.sort((a, b) => a - b)[SAMPLE_SIZE / 2]!
    this.#durations = []
    const runsOn = median > SLOW_MS ? 'thread of its own' : median < SLOW_MS / 2 ? 'main thread' : this.#runsOn
    if (runsOn === this.#runsOn) return
    this.#runsOn = runsOn
    this.#onMove(runsOn, median)
  }

  #startCheckpoint(): void {
    this.#checkpoint ??= this.#makeCheckpoint().finally(() => {
      this.#checkpoint = undefined
      this.#commitsWait = false
    })
    this.#checkpoint.catch(() => undefined)
  }

  /** Pages that cannot be moved now, because the disk is full or a reader is active, are moved with a later checkpoint. */
  async #makeCheckpoint(): Promise<number> {
    const written = this.#written
    const tight = isTight(this.#path)
    this.#checkpointAfter = tight ? TIGHT_BYTES : CHECKPOINT_BYTES
    this.#commitsWait = tight
    const pages = Number(await this.#started().ask({ checkpoint: tight ? 'TRUNCATE' : 'PASSIVE' }))
    this.#written -= written
    if (pages < LONG_PAGES) return pages
    this.#commitsWait = true
    return Number(await this.#started().ask({ checkpoint: 'PASSIVE' }))
  }
}
