import type { Logger } from 'pino'
import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'

/**
 * Writes to the reactor store, in the order of the calls. Changes that arrive during a write are written together after it.
 * A write is repeated for as long as the store is unavailable.
 */
export class StoreWriter {
  readonly #reactorStore: ReactorStore
  readonly #logger: Logger
  #entries: StoreChange[] = []
  #checkpoint: number | undefined
  #written: number
  #next: Promise<void> | undefined
  #writing: Promise<void> = Promise.resolve()
  #stopped = false

  /** @param checkpoint last one that was written */
  constructor(reactorStore: ReactorStore, checkpoint: number, logger: Logger) {
    this.#reactorStore = reactorStore
    this.#written = checkpoint
    this.#logger = logger
  }

  /** Resolves when the entries are durable. @throws any other error than unavailability; once stopped, that too */
  write(entries: readonly StoreChange[]): Promise<void> {
    this.#entries.push(...entries)
    return this.#soon()
  }

  /** Writes a checkpoint, together with entries that are waiting. */
  reach(checkpoint: number): Promise<void> {
    if (checkpoint <= this.#written) return Promise.resolve()
    this.#checkpoint = checkpoint
    return this.#soon()
  }

  /** Resolves when everything given so far is durable. */
  settled(): Promise<void> {
    return this.#next ?? this.#writing
  }

  /** Stops waiting for an unavailable store. */
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
      say: (error) => this.#logger.warn({ err: error }, 'the reactor store cannot be written to for now'),
      isOver: () => this.#stopped,
    })
    this.#written = checkpoint ?? this.#written
  }
}
