import type { Document, MaybePromise, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../sqlite/failures.ts'
import { idsOf, plansOf } from '../plan.ts'
import type { Tables } from './catalog.ts'
import { cheapest } from './cheapest.ts'
import { count } from './count.ts'
import { find, placeIn } from './find.ts'
import { DamagedDocument, Reading } from './reading.ts'
import { inSlices, type Work } from './slices.ts'
import { columnsOf, selectionOf, sourcesOf } from './source.ts'
import { Statements } from './statements.ts'

/** Told what was found damaged. */
export type OnDamage = (reason: string) => void

/** Reads a file of read models. What is read in one turn of the loop shows one state. */
export class Reader {
  readonly #db: Database
  readonly #file: string
  readonly #onDamage: OnDamage
  readonly #collections: ReadonlyMap<string, Reading>
  /** Reads that go on over turns of the loop, and what is done when the last one is over. */
  #underway = 0
  #isClosed = false

  constructor(db: Database, file: string, tables: Tables, onDamage: OnDamage) {
    this.#db = db
    this.#file = file
    this.#onDamage = onDamage
    const statements = new Statements(db)
    this.#collections = new Map([...tables].map(([name, table]) => [name, new Reading(statements, table)]))
  }

  /** @throws {Error} when there is no such collection */
  of(collection: string): Reading {
    const reading = this.#collections.get(collection)
    if (!reading) throw new Error(`the read models have no collection ${JSON.stringify(collection)}`)
    return reading
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.#guarded(() => this.of(collection).get(id))
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    const reading = this.of(collection)
    return this.#turn(() => ids.map((id) => reading.get(id)))
  }

  find(collection: string, query: Query): MaybePromise<Document[]> {
    return this.#inSlices(find(this.of(collection), query))
  }

  count(collection: string, where: Where, atMost?: number): MaybePromise<number> {
    return this.#inSlices(count(this.of(collection), where, atMost))
  }

  /** How SQLite carries out the statements of a query. */
  explain(collection: string, { where, sort, after }: Query): string[] {
    const reading = this.of(collection)
    if (idsOf(where)) return []
    const plan = cheapest(reading, plansOf(reading.table.indexes, where, sort?.by ?? 'id'))
    const place = plan && after !== undefined ? placeIn(reading, plan, after) : undefined
    if (!plan || place === 'unknown') throw new Error('there is nothing to explain')
    return sourcesOf(reading.table, plan).flatMap((source, _, all) => {
      const selection = selectionOf(source, sort?.descending ?? false, place)
      return selection ? reading.explain(columnsOf(source, all.length === 1), selection) : []
    })
  }

  /** Reads under way are finished first. */
  closeReading(): void {
    this.#isClosed = true
    if (this.#underway === 0 && this.#db.isOpen) this.#db.close()
  }

  #inSlices<T>(work: Work<T>): MaybePromise<T> {
    const result = inSlices(work, (slice) => this.#turn(slice))
    if (!(result instanceof Promise)) return result
    this.#underway++
    return result.finally(() => {
      this.#underway--
      if (this.#isClosed) this.closeReading()
    })
  }

  #turn<T>(read: () => T): T {
    return this.#guarded(() => {
      this.#db.exec('BEGIN')
      try {
        return read()
      } finally {
        this.#db.exec('COMMIT')
      }
    })
  }

  #guarded<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof DamagedDocument) && troubleOf(error) !== 'damaged')
        throw asUnavailable(`The read models ${this.#file} could not be read`, error)
      throw this.damaged(error)
    }
  }

  /** Tells of damage. @returns what to throw */
  damaged(error: unknown): StorageUnavailable {
    this.#onDamage(error instanceof Error ? error.message : String(error))
    const what = `The read models ${this.#file} cannot be used any more`
    return new StorageUnavailable(
      what,
      'damaged',
      error,
      'they are damaged. Restart the service, which builds them anew.',
    )
  }
}
