import type { Document, MaybePromise, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../sqlite/failures.ts'
import { Statements } from '../../sqlite/statements.ts'
import { idsOf, plansOf } from '../plan.ts'
import { predicateOf } from '../residual.ts'
import type { Tables } from './catalog.ts'
import { DamagedDocument, parse } from './document.ts'
import { encode } from './encoding.ts'
import { comparePlaces, countOf, MOST_PARTS, merged, type PageRow, pageOf } from './page.ts'
import { place, placeBehind } from './place.ts'
import { type Place, type Selection, type Source, selectionOf, sourcesOf, type TablePlan } from './source.ts'
import type { Table } from './table.ts'
import { Snapshot, takingTurns } from './turns.ts'

/** Told what was found damaged. */
export type OnDamage = (reason: string) => void

/** Rows read in one turn of the loop: at first, where each must be looked at, and at most. */
const SOME = 50
const SLICE = 200
const PAGE = 1000
/** Entries up to which indexes are compared. */
const ENOUGH = 500

interface Walk {
  readonly plan: TablePlan
  readonly descending: boolean
  readonly after: Place | undefined
  /** How many documents will do. */
  readonly limit: number
}

/** Reads a file of read models. */
export class Reader {
  readonly #db: Database
  readonly #file: string
  readonly #onDamage: OnDamage
  readonly #tables: Tables
  readonly #statements: Statements
  readonly #snapshot: Snapshot | undefined
  /** Reads that go on over turns of the loop. */
  #underway = 0
  #isClosed = false

  /** @param inTurns whether what is read in one turn of the loop sees one state, until `endTurn` */
  constructor(db: Database, file: string, tables: Tables, onDamage: OnDamage, inTurns: boolean) {
    this.#db = db
    this.#file = file
    this.#onDamage = onDamage
    this.#tables = tables
    this.#statements = new Statements(db)
    this.#snapshot = inTurns ? new Snapshot(db) : undefined
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
    const plan = this.#plan(table, where, sort?.by ?? 'id')
    if (!plan) throw new Error(`no index serves ${JSON.stringify(query)} on ${table.name}`)
    const behind = after === undefined ? undefined : this.#guarded(() => this.#placeOf(table, plan, after))
    const found: Document[] = []
    if (behind === 'unknown' || limit <= 0) return found
    const walk = { plan, descending: sort?.descending ?? false, after: behind, limit }
    return this.#walk(table, walk, (document) => found.push(document), found)
  }

  /** Number of matches, up to `atMost`. Loads documents only where an index leaves a question. @throws {Error} when none serves. */
  count(collection: string, where: Where, atMost = Number.MAX_SAFE_INTEGER): MaybePromise<number> {
    const table = this.table(collection)
    const ids = idsOf(where)
    if (ids) return this.#guarded(() => Math.min(this.#among(table, ids, where).length, atMost))
    const plan = this.#plan(table, where, undefined)
    if (!plan) throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${table.name}`)
    const sources = sourcesOf(table, plan)
    if (atMost <= 0 || sources.length === 0) return 0
    if (Object.keys(plan.residual).length === 0 && sources.length <= MOST_PARTS)
      return this.#guarded(() => this.#count(sources, atMost))
    let total = 0
    const walk = { plan, descending: false, after: undefined, limit: atMost }
    const counted = this.#walk(table, walk, () => ++total, undefined)
    return counted instanceof Promise ? counted.then(() => total) : total
  }

  /** How SQLite carries out the parts of a query. */
  explain(collection: string, { where, sort, after }: Query): string[] {
    const table = this.table(collection)
    if (idsOf(where)) return []
    const plan = this.#plan(table, where, sort?.by ?? 'id')
    const behind = plan && after !== undefined ? this.#placeOf(table, plan, after) : undefined
    if (!plan || behind === 'unknown') throw new Error('there is nothing to explain')
    return sourcesOf(table, plan).flatMap((source) => {
      const selection = selectionOf(source, sort?.descending ?? false, behind)
      if (!selection) return []
      const text = `EXPLAIN QUERY PLAN SELECT ${source.column}, id ${selection.text} LIMIT ? + 0`
      return this.#all<[number, number, number, string]>({ text, values: [...selection.values, 1] }).map(
        (row) => row[3],
      )
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
    const what = `The read models ${this.#file} cannot be used any more`
    const remedy = 'they are damaged. Restart the service, which builds them anew.'
    return new StorageUnavailable(what, 'damaged', error, remedy)
  }

  /** Visits the documents that match, in order, a page a turn of the loop. @param result what is given in the end */
  #walk<T>(table: Table, { plan, descending, after, limit }: Walk, visit: (document: Document) => number, result: T) {
    const matches = predicateOf(plan.residual)
    const sources = sourcesOf(table, plan)
    let behind = after
    let size = matches ? Math.min(Math.max(limit, SOME), SLICE) : Math.min(limit, PAGE)
    /** @returns whether that was the last page */
    const step = (): boolean => {
      const rows = this.#page(table, sources, descending, behind, size)
      for (const [value, id, text] of rows) {
        behind = [value, id]
        const document = parse(table, text)
        if ((!matches || matches(document)) && visit(document) >= limit) return true
      }
      if (rows.length < size) return true
      size = matches ? SLICE : PAGE
      return false
    }
    if (this.#guarded(step)) return result
    this.#underway++
    return takingTurns(() => this.#guarded(step)).then(
      () => this.#finished(result),
      (error: unknown) => {
        this.#finished(undefined)
        throw error
      },
    )
  }

  #finished<T>(result: T): T {
    this.#underway--
    if (this.#isClosed) this.closeReading()
    return result
  }

  #page(table: Table, sources: readonly Source[], descending: boolean, after: Place | undefined, limit: number) {
    const pages: PageRow[][] = []
    for (let from = 0; from < sources.length; from += MOST_PARTS) {
      const page = pageOf(table, sources.slice(from, from + MOST_PARTS), descending, after, limit)
      if (page) pages.push(this.#all<PageRow>(page))
    }
    return pages.length > 1 ? merged(pages, descending, limit) : (pages[0] ?? [])
  }

  #count(sources: readonly Source[], atMost: number): number {
    return sources.length === 0 ? 0 : this.#all<[number]>(countOf(sources, atMost))[0]![0]
  }

  /** Of plans that look equally good the one with the fewest entries: which field tells most cannot be known beforehand. */
  #plan(table: Table, where: Where, sort: string | undefined): TablePlan | undefined {
    const plans = plansOf(table.indexes, where, sort)
    if (plans.length < 2) return plans[0]
    const entries = plans.map((plan) =>
      this.#guarded(() => this.#count(sourcesOf(table, plan).slice(0, MOST_PARTS), ENOUGH)),
    )
    return plans[entries.indexOf(Math.min(...entries))]
  }

  /** Where the document of this id stands in the order of a plan; `unknown` when it is gone, and with it the sort value. */
  #placeOf(table: Table, plan: TablePlan, id: number | string): Place | 'unknown' {
    if (!plan.index?.sort || !plan.sorted) return placeBehind(table, id)
    const document = this.#get(table, id)
    return document ? place(document, plan.index.sort) : 'unknown'
  }

  /** They are few enough to be sorted here. */
  #findAmong(table: Table, ids: readonly (number | string)[], { where, sort, after, limit }: Query): Document[] {
    const order = (a: Place, b: Place) => comparePlaces(a, b) * (sort?.descending ? -1 : 1)
    const placed = this.#among(table, ids, where).map((document) => ({ document, at: place(document, sort?.by) }))
    placed.sort((a, b) => order(a.at, b.at))
    const isById = sort === undefined || sort.by === 'id'
    const last = after === undefined ? undefined : isById ? { id: after } : this.#get(table, after)
    if (after !== undefined && !last) return []
    const rest = last ? placed.filter(({ at }) => order(at, place(last, sort?.by)) > 0) : placed
    return rest.slice(0, limit).map(({ document }) => document)
  }

  #among(table: Table, ids: readonly (number | string)[], where: Where): Document[] {
    const matches = predicateOf(where)
    const documents = ids.flatMap((id) => this.#get(table, id) ?? [])
    return matches ? documents.filter(matches) : documents
  }

  #get(table: Table, id: number | string): Document | undefined {
    // A column of integers would take the text of a number for the number.
    if (table.integerIds && typeof id !== 'number') return undefined
    const row: [string] | undefined = this.#statements.of(table.byId).get(encode(id))
    return row && parse(table, row[0])
  }

  #all<Row>({ text, values }: Selection): Row[] {
    return this.#statements.of(text).all(...values) as Row[]
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
      throw asUnavailable(`The read models ${this.#file} could not be read`, error)
    }
  }
}
