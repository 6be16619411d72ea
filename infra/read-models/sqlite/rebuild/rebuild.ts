import type { Change, Document, Query, Rebuild, Where } from '../../../../domain/kernel/ports/read-models.ts'
import type { Apply, Generation } from '../generations/generation.ts'

/** Functions that end a rebuild. Only one of them is called, and only once. */
interface Endings {
  takeOver(): Promise<void>
  abandon(): Promise<void>
}

const NOTHING: Apply = { changes: new Map(), landed: Promise.resolve() }

/**
 * Generation that is being built. While another thread writes the changes that were applied last, the caller prepares the next ones,
 * and finds the documents here. It cannot be used after it took over or was dropped.
 */
export class SqliteRebuild implements Rebuild {
  readonly carriedOver: number
  readonly #generation: Generation
  readonly #collections: readonly string[]
  readonly #endings: Endings
  readonly #indexed = new Set<string>()
  #last: Apply = NOTHING
  #checkpoint = -1
  #isOver = false

  constructor(generation: Generation, collections: readonly string[], carriedOver: number, endings: Endings) {
    this.carriedOver = carriedOver
    this.#generation = generation
    this.#collections = collections
    this.#endings = endings
  }

  get(collection: string, id: number | string): Document | undefined {
    const change = this.#last.changes.get(collection)?.get(id)
    return change ? (change.document ?? undefined) : this.#built().get(collection, id)
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    return ids.map((id) => this.get(collection, id))
  }

  async find(collection: string, query: Query): Promise<Document[]> {
    await this.#index([collection])
    return this.#built().find(collection, query)
  }

  async count(collection: string, where: Where, atMost?: number): Promise<number> {
    await this.#index([collection])
    return this.#built().count(collection, where, atMost)
  }

  /** Resolves when `get` shows the changes. @throws {Error} also when the changes before them could not be stored */
  async apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    await this.#last.landed
    const last = this.#built().begin(changes, checkpoint)
    this.#last = last
    this.#checkpoint = Math.max(this.#checkpoint, checkpoint)
    const clearLast = () => {
      if (this.#last === last) this.#last = { changes: NOTHING.changes, landed: last.landed }
    }
    last.landed.then(clearLast, () => undefined)
  }

  checkpoint(): number {
    return this.#checkpoint
  }

  /** Creates the indexes, which are maintained from then on, and forces the file to disk as far as it is built. */
  async ready(): Promise<void> {
    await this.#index(this.#collections)
    await this.#built().flush()
  }

  async takeOver(): Promise<void> {
    if (this.#checkpoint < this.carriedOver) throw new Error('what was kept is ahead of the rest')
    await this.#index(this.#collections)
    this.#built()
    this.#isOver = true
    await this.#endings.takeOver()
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await this.#endings.abandon()
  }

  async #index(collections: readonly string[]): Promise<void> {
    await this.#last.landed
    const missing = collections.filter((name) => !this.#indexed.has(name))
    if (missing.length === 0) return
    await this.#built().index(missing)
    for (const name of missing) this.#indexed.add(name)
  }

  #built(): Generation {
    if (this.#isOver) throw new Error('this rebuild is over: it took over, or was dropped for a newer one')
    return this.#generation
  }
}
