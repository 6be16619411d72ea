import type { Logger } from 'pino'
import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'

/** Writes the books in the order in which it is told, what comes meanwhile at once, and tries until it gets through where a store is away. */
export class StoreWriter {
  readonly #reactorStore: ReactorStore
  readonly #logger: Logger
  #entries: StoreChange[] = []
  #checkpoint: number | undefined
  #written: number
  #next: Promise<void> | undefined
  #writing: Promise<void> = Promise.resolve()
  #stopped = false

  /** @param checkpoint the last that was written */
  constructor(reactorStore: ReactorStore, checkpoint: number, logger: Logger) {
    this.#reactorStore = reactorStore
    this.#written = checkpoint
    this.#logger = logger
  }

  /** Resolves when all of it is durable. @throws what a store fails with that will not pass, or when stopped while one is away */
  write(entries: readonly StoreChange[]): Promise<void> {
    this.#entries.push(...entries)
    return this.#soon()
  }

  /** Lets a checkpoint go along with what is written next, or by itself. */
  reach(checkpoint: number): Promise<void> {
    if (checkpoint <= this.#written) return Promise.resolve()
    this.#checkpoint = checkpoint
    return this.#soon()
  }

  /** Resolves when everything told so far is durable. */
  settled(): Promise<void> {
    return this.#next ?? this.#writing
  }

  /** Waits no longer for a store that is away. */
  stop(): void {
    this.#stopped = true
  }

  #soon(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#writing = this.#next!
        this.#next = undefined
        return this.#write()
      })
    return this.#next
  }

  async #write(): Promise<void> {
    const entries = this.#entries
    const checkpoint = this.#checkpoint
    this.#entries = []
    this.#checkpoint = undefined
    await retryWhileUnavailable(() => this.#reactorStore.write(entries, checkpoint), {
      say: (error) => this.#logger.warn({ err: error }, 'the books of the reactor cannot be written to for now'),
      isOver: () => this.#stopped,
    })
    this.#written = checkpoint ?? this.#written
  }
}
