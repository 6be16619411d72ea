import { MessageChannel } from 'node:worker_threads'
import type { CollectionSpec } from '../../../../domain/kernel/ports/read-models.ts'
import { asUnavailable } from '../../../sqlite/failures.ts'
import { Thread } from '../../../sqlite/thread.ts'
import { removeViews } from '../generations/files.ts'
import type { CatalogedCollection } from '../table.ts'
import { type BulkChannel, SHARED_BYTES, stop } from './bulk-channel.ts'
import type { LoaderData, LoaderTask } from './loader.ts'

const module = new URL('./loader-thread.js', import.meta.url)

/** New file of read models that threads fill with documents, each of them once (see row-sender.ts). Another thread writes it. */
export class BulkLoad {
  readonly #file: string
  readonly #ports: readonly MessageChannel[]
  readonly #shared: readonly SharedArrayBuffer[]
  readonly #thread: Thread<LoaderTask, readonly CatalogedCollection[]>
  #isOver = false

  /** @param senders number of threads that fill it */
  constructor(file: string, specs: readonly CollectionSpec[], senders: number) {
    this.#file = file
    this.#ports = Array.from({ length: senders }, () => new MessageChannel())
    this.#shared = this.#ports.map(() => new SharedArrayBuffer(SHARED_BYTES))
    const channels = this.#ports.map(({ port1 }, n): BulkChannel => ({ port: port1, shared: this.#shared[n]! }))
    const data: LoaderData = { file, specs, channels }
    this.#thread = new Thread(module, data, { transferList: channels.map(({ port }) => port) })
  }

  /** Channels, one for each sender. The ports have to be transferred. */
  get channels(): readonly BulkChannel[] {
    return this.#ports.map(({ port2 }, n) => ({ port: port2, shared: this.#shared[n]! }))
  }

  /** Whether it was finished or given up. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Returns the collections to fill. @throws {StorageUnavailable} when something could not be written; {Error} when the thread has ended */
  look(): Promise<readonly CatalogedCollection[]> {
    return this.#ask('look')
  }

  /** Creates the indexes and forces everything to disk. Call it once all senders have drained. @throws as `look` */
  async finish(): Promise<void> {
    await this.#ask('finish')
    this.#isOver = true
    await this.#thread.close()
  }

  /** Tells the senders to stop. */
  stop(): void {
    for (const shared of this.#shared) stop(shared)
  }

  /** Gives up an unfinished load, and removes its file. */
  async abandon(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.stop()
    await this.#thread.close()
    removeViews(this.#file)
  }

  async #ask(task: LoaderTask): Promise<readonly CatalogedCollection[]> {
    try {
      if (this.#isOver) throw new Error('this load is over: it was finished, or dropped for a newer one')
      return await this.#thread.ask(task)
    } catch (error) {
      throw asUnavailable(`The read models ${this.#file} could not be written`, error)
    }
  }
}
