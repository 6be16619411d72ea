import type { Change, Document, Query, Rebuild, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Generation } from './generation.ts'

/** How a rebuild ends; each is called at most once, and only one of them. */
interface Endings {
  takeOver(): Promise<void>
  abandon(): Promise<void>
}

/** A generation in the making. It is of no use any more once it took over or was dropped. */
export class EmbeddedRebuild implements Rebuild {
  readonly #generation: Generation
  readonly #endings: Endings
  #over = false

  constructor(generation: Generation, endings: Endings) {
    this.#generation = generation
    this.#endings = endings
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.#built().get(collection, id)
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    return this.#built().getMany(collection, ids)
  }

  find(collection: string, query: Query): Document[] {
    return this.#built().find(collection, query)
  }

  count(collection: string, where: Where, atMost?: number): number {
    return this.#built().count(collection, where, atMost)
  }

  async apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    await this.#built().apply(changes, checkpoint)
  }

  checkpoint(): number {
    return this.#built().checkpoint()
  }

  async takeOver(): Promise<void> {
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
