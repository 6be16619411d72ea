import type { Change, Document, Query, Rebuild, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Generation } from './generation.ts'

/** What a generation in the making needs of the store. */
interface Surroundings {
  /** Runs what is safe to repeat while the server cannot be reached. */
  retrying<T>(operation: () => Promise<T>): Promise<T>
  /** Whether it is still the last generation that was begun, by what was known a moment ago. */
  isLast(): Promise<boolean>
  takeOver(): Promise<void>
  drop(): Promise<void>
}

/** A generation in the making. It is of no use any more once it took over or was dropped. */
export class MongoRebuild implements Rebuild {
  readonly carriedOver: number
  readonly #generation: Generation
  readonly #surroundings: Surroundings
  #over = false
  /** Settles when the applies so far have. */
  #applied: Promise<unknown> = Promise.resolve()

  constructor(generation: Generation, kept: number, surroundings: Surroundings) {
    this.carriedOver = kept
    this.#generation = generation
    this.#surroundings = surroundings
  }

  get(collection: string, id: number | string): Promise<Document | undefined> {
    return this.#run((generation) => generation.get(collection, id))
  }

  getMany(collection: string, ids: readonly (number | string)[]): Promise<(Document | undefined)[]> {
    return this.#run((generation) => generation.getMany(collection, ids))
  }

  find(collection: string, query: Query): Promise<Document[]> {
    return this.#run((generation) => generation.find(collection, query))
  }

  count(collection: string, where: Where, atMost?: number): Promise<number> {
    return this.#run((generation) => generation.count(collection, where, atMost))
  }

  checkpoint(): Promise<number> {
    return this.#run((generation) => generation.checkpoint())
  }

  apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const applied = this.#applied.then(() =>
      this.#run(async (generation) => {
        if (!(await this.#surroundings.isLast())) throw superseded()
        await generation.apply(changes, checkpoint)
      }),
    )
    this.#applied = applied.catch(() => undefined)
    return applied
  }

  /** Indexes are there from the start. */
  async ready(): Promise<void> {}

  async takeOver(): Promise<void> {
    await this.#applied
    if (this.carriedOver >= 0 && (await this.checkpoint()) < this.carriedOver)
      throw new Error('what was kept is ahead of the rest')
    if (this.#over) throw over()
    this.#over = true
    await this.#surroundings.takeOver()
  }

  async abandon(): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.#applied
    await this.#surroundings.drop()
  }

  async #run<T>(operation: (generation: Generation) => Promise<T>): Promise<T> {
    if (this.#over) throw over()
    return this.#surroundings.retrying(() => operation(this.#generation))
  }
}

const over = (): Error => new Error('this rebuild is over: it took over, or was dropped for a newer one')

/** Another process has begun a rebuild after this one, which is dropped. */
export const superseded = (): Error => new Error('a newer rebuild was begun meanwhile: this one has been dropped')
