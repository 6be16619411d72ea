import { goOn, type MaybePromise } from '../../../domain/kernel/maybe-promise.ts'
import type { Change, Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../sqlite/failures.ts'
import { idsOf } from '../plan.ts'
import { predicateOf } from '../residual.ts'
import type { Tables } from './catalog.ts'
import { DamagedDocument, parse } from './document.ts'
import { FileReader } from './file-reader.ts'
import type { Memory } from './memory.ts'
import { entering, inOrder, type Stretch } from './order.ts'
import { MOST_PARTS } from './page.ts'
import { documentsIn } from './pending.ts'
import { place, placeBehind } from './place.ts'
import { type Place, selectionOf, sourcesOf, type TablePlan } from './source.ts'
import type { Table } from './table.ts'
import { inTurns, Snapshot } from './turns.ts'

/** Told what was found damaged. */
export type OnDamage = (reason: string) => void

/** Rows read in one turn of the loop: at first, where each must be looked at, and at most. */
const SOME = 50
const SLICE = 200
const PAGE = 1000

/** What waits to be written to a collection, by id. */
type Waiting = ReadonlyMap<number | string, Change>

const NONE: Waiting = new Map()
const any = () => true

interface Walk extends Stretch {
  readonly plan: TablePlan
}

/** Reads a file of read models, and what waits to be written to it. */
export class Reader {
  readonly #db: Database
  readonly #path: string
  readonly #onDamage: OnDamage
  readonly #tables: Tables
  readonly #file: FileReader
  readonly #snapshot: Snapshot | undefined
  readonly #memory: Memory | undefined
  /** Reads that go on over turns of the loop. */
  #underway = 0
  #isClosed = false

  /** @param memory what is read from it; with it what is read in one turn of the loop sees one state, until `endTurn` */
  constructor(db: Database, path: string, tables: Tables, onDamage: OnDamage, memory?: Memory) {
    this.#db = db
    this.#path = path
    this.#onDamage = onDamage
    this.#tables = tables
    this.#file = new FileReader(db)
    this.#memory = memory
    this.#snapshot = memory && new Snapshot(db)
  }

  /** @throws {Error} when there is no such collection */
  table(collection: string): Table {
    const table = this.#tables.get(collection)
    if (!table) throw new Error(`the read models have no collection ${JSON.stringify(collection)}`)
    return table
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.#guarded(() => this.#get(this.table(collection), id))
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    const table = this.table(collection)
    return this.#guarded(() => ids.map((id) => this.#get(table, id)))
  }

  find(collection: string, query: Query): MaybePromise<Document[]> {
    const table = this.table(collection)
    const { where, sort, after, limit = Number.MAX_SAFE_INTEGER } = query
    const ids = idsOf(where)
    if (ids) return this.#guarded(() => this.#findAmong(table, ids, query))
    const plan = this.#guarded(() => this.#file.plan(table, where, sort?.by ?? 'id'))
    if (!plan) throw new Error(`no index serves ${JSON.stringify(query)} on ${table.name}`)
    const behind = after === undefined ? undefined : this.#guarded(() => this.#placeOf(table, plan, after))
    if (behind === 'unknown' || limit <= 0) return []
    const walk = { plan, ...(sort && { sort }), behind, limit }
    const found: Document[] = []
    return goOn(
      this.#walk(table, walk, (document) => found.push(document)),
      (waiting) => {
        const matches = predicateOf(where) ?? any
        const others = entering(documentsIn(waiting), found, walk).filter(matches)
        return others.length === 0 ? found : inOrder([...found, ...others], walk)
      },
    )
  }

  /** Number of matches, up to `atMost`. Loads documents only where an index leaves a question. @throws {Error} when none serves. */
  count(collection: string, where: Where, atMost = Number.MAX_SAFE_INTEGER): MaybePromise<number> {
    const table = this.table(collection)
    const ids = idsOf(where)
    if (ids) return this.#guarded(() => Math.min(this.#among(table, ids, where).length, atMost))
    const plan = this.#guarded(() => this.#file.plan(table, where, undefined))
    if (!plan) throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${table.name}`)
    const sources = sourcesOf(table, plan)
    if (atMost <= 0 || sources.length === 0) return 0
    const matches = predicateOf(where) ?? any
    const matching = (waiting: Waiting) => [...documentsIn(waiting)].filter(matches).length
    if (Object.keys(plan.residual).length === 0 && sources.length <= MOST_PARTS)
      return this.#guarded(() => {
        const waiting = this.#waiting(table)
        const superseded = [...waiting.keys()]
          .flatMap((id) => this.#file.document(table, id)?.document ?? [])
          .filter(matches).length
        const inFile = this.#file.count(sources, atMost + superseded)
        return Math.min(inFile - superseded + matching(waiting), atMost)
      })
    let total = 0
    const walked = this.#walk(table, { plan, behind: undefined, limit: atMost }, () => ++total)
    return goOn(walked, (waiting) => Math.min(total + matching(waiting), atMost))
  }

  /** How SQLite carries out the parts of a query. */
  explain(collection: string, { where, sort, after }: Query): string[] {
    const table = this.table(collection)
    if (idsOf(where)) return []
    const plan = this.#file.plan(table, where, sort?.by ?? 'id')
    const behind = plan && after !== undefined ? this.#placeOf(table, plan, after) : undefined
    if (!plan || behind === 'unknown') throw new Error('there is nothing to explain')
    return sourcesOf(table, plan).flatMap((source) => {
      const selection = selectionOf(source, sort?.descending ?? false, behind)
      if (!selection) return []
      const text = `EXPLAIN QUERY PLAN SELECT ${source.column}, id ${selection.text} LIMIT ? + 0`
      return this.#file
        .all<[number, number, number, string]>({ text, values: [...selection.values, 1] })
        .map((row) => row[3])
    })
  }

  /** Reads under way are finished first. */
  closeReading(): void {
    this.#isClosed = true
    this.endTurn()
    if (this.#underway === 0 && this.#db.isOpen) this.#db.close()
  }

  /** Tells of damage. @returns what to throw */
  damaged(error: unknown): StorageUnavailable {
    this.#onDamage(error instanceof Error ? error.message : String(error))
    const what = `The read models ${this.#path} cannot be used any more`
    const remedy = 'they are damaged. Restart the service, which builds them anew.'
    return new StorageUnavailable(what, 'damaged', error, remedy)
  }

  /**
   * Visits the documents of the file that match, in order, in as many turns of the loop as it takes; but not those for which something waits,
   * which it gives.
   */
  #walk(table: Table, walk: Walk, visit: (document: Document) => number): MaybePromise<Waiting> {
    const { plan, sort, behind, limit } = walk
    const matches = predicateOf(plan.residual)
    const sources = sourcesOf(table, plan)
    let waiting = this.#waiting(table)
    let size = matches ? Math.min(Math.max(limit, SOME), SLICE) : Math.min(limit, PAGE)
    let after = behind
    /** @returns whether that was the last page */
    const step = (): boolean => {
      const rows = this.#file.page(table, sources, sort?.descending ?? false, after, size)
      for (const [value, id, text] of rows) {
        after = [value, id]
        const document = parse(table, text)
        if (!waiting.has(document.id) && (matches?.(document) ?? true) && visit(document) >= limit) return true
      }
      if (rows.length < size) return true
      size = matches ? SLICE : PAGE
      return false
    }
    const going = inTurns(() => this.#guarded(step))
    if (!going) return waiting
    // Some of it comes into the file while this goes on.
    waiting = new Map(waiting)
    this.#underway++
    return going
      .finally(() => {
        this.#underway--
        if (this.#isClosed) this.closeReading()
      })
      .then(() => waiting)
  }

  #waiting({ name }: Table): Waiting {
    return this.#memory?.pending.of(name) ?? NONE
  }

  /** Where the document of this id stands in the order of a plan; `unknown` when it is gone, and with it the sort value. */
  #placeOf(table: Table, plan: TablePlan, id: number | string): Place | 'unknown' {
    if (!plan.index?.sort || !plan.sorted) return placeBehind(table, id)
    const document = this.#get(table, id)
    return document ? place(document, plan.index.sort) : 'unknown'
  }

  /** They are few enough to be sorted here. */
  #findAmong(table: Table, ids: readonly (number | string)[], query: Query): Document[] {
    const { where, sort, after, limit = Number.MAX_SAFE_INTEGER } = query
    const isById = sort === undefined || sort.by === 'id'
    const last = after === undefined || isById ? undefined : this.#get(table, after)
    if (after !== undefined && !isById && !last) return []
    const behind = last ? place(last, sort?.by) : after === undefined ? undefined : placeBehind(table, after)
    return inOrder(this.#among(table, ids, where), { ...(sort && { sort }), behind, limit })
  }

  #among(table: Table, ids: readonly (number | string)[], where: Where): Document[] {
    const matches = predicateOf(where)
    const documents = ids.flatMap((id) => this.#get(table, id) ?? [])
    return matches ? documents.filter(matches) : documents
  }

  #get(table: Table, id: number | string): Document | undefined {
    // A column of integers would take the text of a number for the number.
    if (table.integerIds && typeof id !== 'number') return undefined
    const known = this.#memory?.get(table.name, id)
    if (known !== undefined) return known ?? undefined
    const read = this.#file.document(table, id)
    if (read) this.#memory?.keep(table.name, read.document, read.characters)
    return read?.document
  }

  /** Position of the newest event in a document, or -1. */
  protected positionOf(table: Table, id: number | string): number {
    return this.#waiting(table).get(id)?.position ?? this.#file.position(table, id)
  }

  /** From here on reads see what has been written meanwhile. */
  protected endTurn(): void {
    this.#snapshot?.end()
  }

  #guarded<T>(read: () => T): T {
    try {
      this.#snapshot?.begin()
      return read()
    } catch (error) {
      this.endTurn()
      if (error instanceof DamagedDocument || troubleOf(error) === 'damaged') throw this.damaged(error)
      throw asUnavailable(`The read models ${this.#path} could not be read`, error)
    }
  }
}
