import { Pending, type Unit, type Writing } from './pending.ts'

/** So many changes are written at once, without waiting for more. */
const TOGETHER = 250
/** How long the first of fewer waits for others: a document alone costs several times what it costs among many. */
const LINGER_MS = 100
/** Beyond so many, whoever brings more waits. */
const MOST = 5000
const AGAIN_MS = 1000

/** Writes what was applied after it can be read, a batch at a time and in order. */
export class WriteBehind {
  readonly pending = new Pending()
  readonly #write: (writing: Writing) => Promise<void>
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  /** @param write brings a batch into the file, whole or not at all */
  constructor(write: (writing: Writing) => Promise<void>) {
    this.#write = write
  }

  /** Takes a unit, or waits until there is room for it. @throws what keeps those before it from being written; it is not taken then */
  async add(unit: Unit): Promise<void> {
    if (this.#failure !== undefined) await this.drain()
    while (this.pending.size > MOST) await this.#begun()
    this.pending.add(unit)
    this.#plan()
  }

  /** Resolves when all that waits is written, and the checkpoint. @throws what keeps it from being written; it goes on waiting then */
  async drain(): Promise<void> {
    await this.#running?.catch(() => undefined)
    const { landings, size } = this.pending
    do await this.#begun()
    while (this.pending.landings < landings + size)
  }

  /** Gives up what waits. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #plan(): void {
    if (this.#running || this.pending.size === 0) return
    if (this.pending.size >= TOGETHER) this.#begun().catch(() => undefined)
    else this.#timer ??= setTimeout(() => this.#begun().catch(() => undefined), LINGER_MS)
  }

  #begun(): Promise<void> {
    this.stop()
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      const writing = this.pending.next(TOGETHER)
      await this.#write(writing)
      this.pending.landed(writing)
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      this.#timer = setTimeout(() => this.#begun().catch(() => undefined), AGAIN_MS).unref()
      throw error
    } finally {
      this.#running = undefined
      if (this.#failure === undefined) this.#plan()
    }
  }
}
