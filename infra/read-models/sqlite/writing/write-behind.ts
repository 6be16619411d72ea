import { Pending, type Unit, type Writing } from './pending.ts'

/** Number of pending changes that are written without waiting for more, and size of a batch. */
const BATCH = 250
/** Time for which fewer changes wait for others. A document alone costs several times what it costs among many. */
const LINGER_MS = 100
/** Number of pending changes above which `add` waits. */
const MOST = 5000
const RETRY_MS = 1000

/** Writes changes after they can be read, a batch at a time and in order. */
export class WriteBehind {
  readonly pending = new Pending()
  readonly #write: (writing: Writing) => Promise<void>
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  /** @param write writes a batch into the file, whole or not at all */
  constructor(write: (writing: Writing) => Promise<void>) {
    this.#write = write
  }

  /** Takes a unit, and waits for room if necessary. @throws the error that keeps earlier units from being written; then it is not taken */
  async add(unit: Unit): Promise<void> {
    if (this.#failure !== undefined) await this.drain()
    while (this.pending.size > MOST) await this.#writeNext()
    this.pending.add(unit)
    this.#plan()
  }

  /** Resolves when all pending changes are written, and the checkpoint. @throws the error that prevents it; then they stay pending */
  async drain(): Promise<void> {
    await this.#running?.catch(() => undefined)
    const { landings, size } = this.pending
    do await this.#writeNext()
    while (this.pending.landings < landings + size)
  }

  /** Cancels the next planned write. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #plan(): void {
    if (this.#running || this.pending.size === 0) return
    if (this.pending.size >= BATCH) this.#writeNext().catch(() => undefined)
    else this.#timer ??= setTimeout(() => this.#writeNext().catch(() => undefined), LINGER_MS)
  }

  #writeNext(): Promise<void> {
    this.stop()
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      const writing = this.pending.next(BATCH)
      await this.#write(writing)
      this.pending.landed(writing)
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      this.#timer = setTimeout(() => this.#writeNext().catch(() => undefined), RETRY_MS).unref()
      throw error
    } finally {
      this.#running = undefined
      if (this.#failure === undefined) this.#plan()
    }
  }
}
