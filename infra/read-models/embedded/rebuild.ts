import type { Change, Document, Query, Rebuild, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Generation } from './generation.ts'

/** How a rebuild ends; each is called at most once, and only one of them. */
interface Endings {
  takeOver(): Promise<void>
  abandon(): Promise<void>
}

/**
 * A generation in the making. While what was applied last is on its way into LMDB, on another thread, the caller goes on with
 * what comes next and finds the documents here. It is of no use any more once it took over or was dropped.
 */
export class EmbeddedRebuild implements Rebuild {
  readonly #generation: Generation
  readonly #endings: Endings
  #landed: Promise<void> = Promise.resolve()
  #checkpoint = -1
  #over = false

  constructor(generation: Generation, endings: Endings) {
    this.#generation = generation
    this.#endings = endings
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.#built().upcoming(collection, id)
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    return ids.map((id) => this.get(collection, id))
  }

  async find(collection: string, query: Query): Promise<Document[]> {
    await this.#landed
    return this.#built().find(collection, query)
  }

  async count(collection: string, where: Where, atMost?: number): Promise<number> {
    await this.#landed
    return this.#built().count(collection, where, atMost)
  }

  /** Resolves when `get` shows the changes. @throws {Error} also when those before them failed to be stored. */
  async apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    await this.#landed
    this.#landed = this.#built().apply(changes, checkpoint)
    this.#landed.catch(() => undefined)
    this.#checkpoint = Math.max(this.#checkpoint, checkpoint)
  }

  checkpoint(): number {
    return this.#checkpoint
  }

  async takeOver(): Promise<void> {
    await this.#landed
    this.#built()
    this.#over = true
    await this.#endings.takeOver()
  }

  async abandon(): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.#endings.abandon()
  }

  #built(): Generation {
    if (this.#over) throw new Error('this rebuild is over: it took over, or was dropped for a newer one')
    return this.#generation
  }
}
