import type {
  Change,
  Document,
  LastChanges,
  Query,
  ReadModels,
  Where,
} from '../../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { outageOf } from '../../mongodb/failures.ts'
import type { Generation } from './generation.ts'

/** Functions of the store that the live read models use. */
interface LiveReadModelsDeps {
  /** Returns the live generation that was known last; nothing before the first look-up. */
  known(): Generation | undefined
  /** Returns the live generation as known a moment ago, if there is one. */
  current(): Promise<Generation | undefined>
  /** Runs an operation that is safe to repeat, and repeats it while the server cannot be reached. */
  retrying<T>(operation: () => Promise<T>): Promise<T>
}

const RETRY_SECONDS = 2

/** Read models that always show the generation that took over last, in any process. */
export class LiveReadModels implements ReadModels {
  readonly #deps: LiveReadModelsDeps
  #written: Generation | undefined
  /** Highest checkpoint that callers of `apply` and `checkpoint` know of. */
  #reported = -1
  /** Whether a caller was told that it is ahead of the documents, and has not read their checkpoint since. */
  #ahead = false
  /** Settles when all earlier applies have settled. */
  #applied: Promise<unknown> = Promise.resolve()

  constructor(deps: LiveReadModelsDeps) {
    this.#deps = deps
  }

  /** Accepts a generation that took over through this process, and so is known to hold everything. */
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

  /** Returns when collections last changed; `undefined` where that is not known. @throws {Refusal} as for any read */
  lastChanges(): Promise<LastChanges | undefined> {
    return this.#read((generation) => generation?.lastChanges())
  }

  /** Applies changes. Waits for a server that cannot be reached. @throws {Error} see `#writable` */
  apply(changes: readonly Change[], checkpoint: number, touched?: readonly string[]): Promise<void> {
    const applied = this.#applied.then(() =>
      this.#deps.retrying(async () => {
        const { known, current } = this.#deps
        for (let generation = known() ?? (await current()); ; ) {
          const writable = await this.#writable(generation)
          // Looks up the live generation at the same time, so that the write does not wait for the answer.
          const [live] = await Promise.all([current(), writable.apply(changes, checkpoint, touched)])
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
   * Returns the generation to write to. Another process may have put one in place that lacks changes applied here. The events between its
   * checkpoint and the present changes would then be missing from it for good.
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
      return await read(await this.#deps.current())
    } catch (error) {
      if (outageOf(error) === undefined) throw error
      const unavailable = refuse.unavailable('The documents cannot be reached for the moment', RETRY_SECONDS)
      unavailable.cause = error
      throw unavailable
    }
  }
}
