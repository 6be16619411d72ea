import type { Change, Document, Query, Rebuild, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Generation } from './generation.ts'

/** Functions of the store that a rebuild uses. */
interface RebuildDeps {
  /** Runs an operation that is safe to repeat, and repeats it while the server cannot be reached. */
  retrying<T>(operation: () => Promise<T>): Promise<T>
  /** Whether it is still the last generation that was begun, as known a moment ago. */
  isLast(): Promise<boolean>
  takeOver(): Promise<void>
  drop(): Promise<void>
}

/** Generation that is being built. It cannot be used after it took over or was dropped. */
export class MongoRebuild implements Rebuild {
  readonly carriedOver: number
  readonly #generation: Generation
  readonly #deps: RebuildDeps
  #isOver = false
  /** Settles when all earlier applies have settled. */
  #applied: Promise<unknown> = Promise.resolve()

  constructor(generation: Generation, carriedOver: number, deps: RebuildDeps) {
    this.carriedOver = carriedOver
    this.#generation = generation
    this.#deps = deps
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
        if (!(await this.#deps.isLast())) throw superseded()
        await generation.apply(changes, checkpoint)
      }),
    )
    this.#applied = applied.catch(() => undefined)
    return applied
  }

  /** Does nothing: the indexes exist from the start. */
  async ready(): Promise<void> {}

  async takeOver(): Promise<void> {
    await this.#applied
    if (this.carriedOver >= 0 && (await this.checkpoint()) < this.carriedOver)
      throw new Error('what was kept is ahead of the rest')
    if (this.#isOver) throw overError()
    this.#isOver = true
    await this.#deps.takeOver()
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await this.#applied
    await this.#deps.drop()
  }

  async #run<T>(operation: (generation: Generation) => Promise<T>): Promise<T> {
    if (this.#isOver) throw overError()
    return this.#deps.retrying(() => operation(this.#generation))
  }
}

const overError = (): Error => new Error('this rebuild is over: it took over, or was dropped for a newer one')

/** Returns the error for a rebuild that was dropped because another process has begun a newer one. */
export const superseded = (): Error => new Error('a newer rebuild was begun meanwhile: this one has been dropped')
