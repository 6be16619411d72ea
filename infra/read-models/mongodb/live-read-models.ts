import type { Change, Document, Query, ReadModels, Where } from '../../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { outageOf } from '../../mongodb/failures.ts'
import type { Generation } from './generation.ts'

/** What the live read models need of the store. */
interface Surroundings {
  /** The live generation by what was known last; nothing where it was never asked for. */
  known(): Generation | undefined
  /** The live generation by what was known a moment ago, if there is one. */
  current(): Promise<Generation | undefined>
  /** Runs what is safe to repeat while the server cannot be reached. */
  retrying<T>(operation: () => Promise<T>): Promise<T>
}

const RETRY_SECONDS = 2

/** Always the generation that took over last, in whichever process. */
export class LiveReadModels implements ReadModels {
  readonly #surroundings: Surroundings
  #written: Generation | undefined
  /** The furthest that whoever applies here may believe to have got. */
  #reported = -1
  /** Whether they have been told that they are further than the documents, and have not asked since how far those are. */
  #ahead = false
  /** Settles when the applies so far have. */
  #applied: Promise<unknown> = Promise.resolve()

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** This process itself lets the generation take over, and knows that it holds everything. */
  adopt(generation: Generation): void {
    this.#written = generation
    this.#reported = -1
    this.#ahead = false
  }

  get(collection: string, id: number | string): Promise<Document | undefined> {
    return this.#read((generation) => generation?.get(collection, id))
  }

  getMany(collection: string, ids: readonly (number | string)[]): Promise<(Document | undefined)[]> {
    return this.#read((generation) => generation?.getMany(collection, ids) ?? ids.map(() => undefined))
  }

  find(collection: string, query: Query): Promise<Document[]> {
    return this.#read((generation) => generation?.find(collection, query) ?? [])
  }

  count(collection: string, where: Where, atMost?: number): Promise<number> {
    return this.#read((generation) => generation?.count(collection, where, atMost) ?? 0)
  }

  async checkpoint(): Promise<number> {
    const position = await this.#read((generation) => generation?.checkpoint() ?? -1)
    this.#reported = this.#ahead ? position : Math.max(this.#reported, position)
    this.#ahead = false
    return position
  }

  /** Waits for a server that cannot be reached. @throws {Error} see `#writable` */
  apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const applied = this.#applied.then(() =>
      this.#surroundings.retrying(async () => {
        const { known, current } = this.#surroundings
        for (let generation = known() ?? (await current()); ; ) {
          const writable = await this.#writable(generation)
          // Which one is live is asked for meanwhile, so that nothing waits for the answer.
          const [live] = await Promise.all([current(), writable.apply(changes, checkpoint)])
          if (live === writable) break
          generation = live
        }
        this.#reported = Math.max(this.#reported, checkpoint)
      }),
    )
    this.#applied = applied.catch(() => undefined)
    return applied
  }

  /** Waits for the applies under way. */
  async settled(): Promise<void> {
    await this.#applied
  }

  /**
   * The generation to write to. When another process has put one in place that lacks what was applied here, the events
   * between its checkpoint and the changes at hand would be missing from it for good.
   *
   * @throws {Error} in that case, and when there is no generation
   */
  async #writable(generation: Generation | undefined): Promise<Generation> {
    if (!generation) throw new Error('no read models were built yet: the first ones come from a rebuild')
    if (generation !== this.#written && (await generation.checkpoint()) < this.#reported) {
      this.#ahead = true
      throw new Error('another process has replaced the read models: continue behind the checkpoint that they have now')
    }
    this.#written = generation
    return generation
  }

  /** @throws {Refusal} when the server cannot be reached for the moment */
  async #read<T>(read: (generation: Generation | undefined) => T | Promise<T>): Promise<T> {
    try {
      return await read(await this.#surroundings.current())
    } catch (error) {
      if (outageOf(error) === undefined) throw error
      const unavailable = refuse.unavailable('The documents cannot be reached for the moment', RETRY_SECONDS)
      unavailable.cause = error
      throw unavailable
    }
  }
}
