import type { Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../../domain/kernel/values/maybe-promise.ts'
import type { Database } from '../../sqlite/binding.ts'
import { idsOf, placeIn } from '../plan.ts'
import { matcherOf, predicateOf } from '../residual.ts'
import { parse } from './document.ts'
import { FileReader } from './file-reader.ts'
import type { Tables } from './generations/catalog.ts'
import { type OnDamage, OpenViews } from './generations/open-views.ts'
import { documentsForPage, inOrder, type Keyed, type PageWindow, withSortKeys } from './order.ts'
import { MAX_SOURCES, type PageRow } from './page.ts'
import { placeSortKey } from './place.ts'
import { type SortKey, type Source, sourcesOf, type TablePlan } from './source.ts'
import type { Table } from './table.ts'
import type { Memory } from './writing/memory.ts'
import { documentsIn, NOTHING, type PendingChanges } from './writing/pending.ts'

/** Rows read at once: least and most where each document is checked, most where none is, and most where rows are only counted. */
const LEAST_CHECKED = 50
const MOST_CHECKED = 200
const MOST_READ = 1000
const MOST_COUNTED = 20_000
/** Number of ids from which on documents are read by one statement and not cached: such reads go through many documents. */
const MANY_IDS = 6

interface Scan extends PageWindow {
  readonly plan: TablePlan
}

/** Returns the sort key of the place behind which a query continues. */
const behindIn = (table: Table, query: Query): SortKey | undefined => {
  const place = placeIn(query)
  return place && placeSortKey(table, place, query.sort?.by)
}

/** Reads a file of read models, together with the changes that wait to be written to it. */
export class Reader extends OpenViews {
  readonly #tables: Tables
  readonly #file: FileReader
  readonly #memory: Memory | undefined

  /** @param memory pending changes and cached documents; with it, all reads in one turn of the event loop see one state, until `endTurn` */
  constructor(db: Database, path: string, tables: Tables, onDamage: OnDamage, memory?: Memory) {
    super(db, path, onDamage, memory !== undefined)
    this.#tables = tables
    this.#file = new FileReader(db)
    this.#memory = memory
  }

  /** Returns the table of a collection. @throws {Error} when there is no such collection */
  table(collection: string): Table {
    const table = this.#tables.get(collection)
    if (!table) throw new Error(`the read models have no collection ${JSON.stringify(collection)}`)
    return table
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.guarded(() => this.#get(this.table(collection), id))
  }

  getMany(collection: string, ids: readonly (number | string)[]): (Document | undefined)[] {
    const table = this.table(collection)
    if (ids.length < MANY_IDS || !table.integerIds) return this.guarded(() => ids.map((id) => this.#get(table, id)))
    const known = ids.map((id) => this.#memory?.get(table.name, id))
    const missing = ids.filter((_, n) => known[n] === undefined)
    const read = this.guarded(() => this.#file.documents(table, missing))
    return ids.map((id, n) => (known[n] === undefined ? read.get(id) : (known[n] ?? undefined)))
  }

  find(collection: string, query: Query): MaybePromise<Document[]> {
    const table = this.table(collection)
    const ids = idsOf(query.where)
    if (ids) return this.guarded(() => this.#findAmong(table, ids, query))
    const scan = this.#scanOf(table, query)
    if (!scan) return []
    const found: Keyed<Document>[] = []
    const scanned = this.#scan(table, scan, (document) => found.push(document))
    return mapMaybe(scanned, (waiting) => {
      const others = this.#entering(waiting, found, scan, query.where)
      return others.length === 0 ? found.map(({ item }) => item) : inOrder([...found, ...others], scan)
    })
  }

  /** Returns the ids that `find` would give. Does not read the documents where an index is enough. */
  findIds(collection: string, query: Query): MaybePromise<(number | string)[]> {
    const table = this.table(collection)
    const scan = idsOf(query.where) || !table.integerIds ? undefined : this.#scanOf(table, query)
    if (!scan || Object.keys(scan.plan.residual).length > 0 || scan.limit > MOST_READ)
      return mapMaybe(this.find(collection, query), (documents) => documents.map(({ id }) => id))
    return this.guarded(() => {
      const waiting = this.#waiting(table)
      const found = this.#idsInFile(table, scan, waiting)
      const others = this.#entering(waiting, found, scan, query.where)
      if (others.length === 0) return found.map(({ item }) => item)
      return inOrder([...found, ...others.map(({ at, item }) => ({ at, item: item.id }))], scan)
    })
  }

  /** Counts the matches, up to `atMost`. Reads documents only where no index decides. @throws {Error} when no index serves */
  count(collection: string, where: Where, atMost = Number.MAX_SAFE_INTEGER): MaybePromise<number> {
    const table = this.table(collection)
    const ids = idsOf(where)
    if (ids) return this.guarded(() => Math.min(this.#among(table, ids, where).length, atMost))
    const plan = this.guarded(() => this.#file.plan(table, where, undefined))
    if (!plan) throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${table.name}`)
    const sources = sourcesOf(table, plan)
    if (atMost <= 0 || sources.length === 0) return 0
    const matches = matcherOf(where)
    const matching = (waiting: PendingChanges) => [...documentsIn(waiting)].filter(matches).length
    if (Object.keys(plan.residual).length === 0 && sources.length <= MAX_SOURCES) {
      const waiting = new Map(this.#waiting(table))
      const superseded = this.guarded(
        () =>
          [...waiting.keys()].flatMap((id) => this.#file.document(table, id)?.document ?? []).filter(matches).length,
      )
      return mapMaybe(this.#countInFile(sources, atMost + superseded), (inFile) =>
        Math.min(inFile - superseded + matching(waiting), atMost),
      )
    }
    let total = 0
    const scanned = this.#scan(table, { plan, behind: undefined, limit: atMost }, () => ++total)
    return mapMaybe(scanned, (waiting) => Math.min(total + matching(waiting), atMost))
  }

  /** Returns SQLite's query plans for a query, one for each step of each source. */
  explain(collection: string, query: Query): string[] {
    const { where, sort } = query
    const table = this.table(collection)
    if (idsOf(where)) return []
    const plan = this.#file.plan(table, where, sort?.by ?? 'id')
    if (!plan) throw new Error('there is nothing to explain')
    const behind = behindIn(table, query)
    return sourcesOf(table, plan).flatMap((source) => this.#file.explain(source, sort?.descending ?? false, behind))
  }

  /**
   * Visits the matching documents of the file in order, over as many turns of the event loop as it takes. Skips documents with a pending
   * change, and returns the pending changes.
   */
  #scan(table: Table, scan: Scan, visit: (found: Keyed<Document>) => number): MaybePromise<PendingChanges> {
    const { plan, sort, behind, limit } = scan
    const matches = predicateOf(plan.residual)
    const sources = sourcesOf(table, plan)
    let waiting = this.#waiting(table)
    let size = matches ? Math.min(Math.max(limit, LEAST_CHECKED), MOST_CHECKED) : Math.min(limit, MOST_READ)
    let after = behind
    /** @returns whether that was the last page */
    const step = (): boolean => {
      const request = { descending: sort?.descending ?? false, after, limit: size, whole: true }
      const rows = this.#file.page<PageRow>(table, sources, request)
      for (const [value, id, text] of rows) {
        after = [value, id]
        const item = parse(table, text)
        if (!waiting.has(item.id) && (matches?.(item) ?? true) && visit({ at: after, item }) >= limit) return true
      }
      if (rows.length < size) return true
      size = matches ? MOST_CHECKED : MOST_READ
      return false
    }
    const laterTurns = this.inTurns(step)
    if (!laterTurns) return waiting
    // A copy: some of the pending changes reach the file while the scan is under way.
    waiting = new Map(waiting)
    return laterTurns.then(() => waiting)
  }

  /** Returns the ids that the file has for a scan. The table's ids must be integers: sort keys hold those unencoded. */
  #idsInFile(table: Table, { plan, sort, behind, limit }: Scan, waiting: PendingChanges): Keyed<number | string>[] {
    const sources = sourcesOf(table, plan)
    const found: Keyed<number | string>[] = []
    for (let after = behind; ; ) {
      const request = { descending: sort?.descending ?? false, after, limit, whole: false }
      const rows = this.#file.page<SortKey>(table, sources, request)
      for (const at of rows) {
        const item = Number(at[1])
        if (!waiting.has(item) && found.length < limit) found.push({ at, item })
      }
      if (rows.length < limit || found.length === limit) return found
      after = rows.at(-1)
    }
  }

  /** Returns the scan for a query, `undefined` where it finds nothing. @throws {Error} when no index serves it */
  #scanOf(table: Table, query: Query): Scan | undefined {
    const { where, sort, limit = Number.MAX_SAFE_INTEGER } = query
    const plan = this.guarded(() => this.#file.plan(table, where, sort?.by ?? 'id'))
    if (!plan) throw new Error(`no index serves ${JSON.stringify({ where, sort })} on ${table.name}`)
    return limit <= 0 ? undefined : { plan, ...(sort && { sort }), behind: behindIn(table, query), limit }
  }

  /** Returns the pending documents that match and belong in a page that was found in the file. */
  #entering(waiting: PendingChanges, found: readonly Keyed<unknown>[], scan: Scan, where: Where): Keyed<Document>[] {
    if (waiting.size === 0) return []
    const matches = matcherOf(where)
    return documentsForPage(documentsIn(waiting), found, scan).filter(({ item }) => matches(item))
  }

  /** Counts a single source ordered by id over several turns of the event loop. A count of several sources cannot be divided. */
  #countInFile(sources: readonly Source[], atMost: number): MaybePromise<number> {
    const [source, ...others] = sources
    if (others.length > 0 || source?.fixed === undefined) return this.guarded(() => this.#file.count(sources, atMost))
    const { fixed } = source
    let total = 0
    let after: SortKey | undefined
    const laterTurns = this.inTurns(() => {
      const size = Math.min(MOST_COUNTED, atMost - total)
      const [count, last] = this.#file.countBehind(source, after, size)
      total += count
      if (last !== null) after = [fixed, last]
      return count < size || total === atMost
    })
    return laterTurns ? laterTurns.then(() => total) : total
  }

  #waiting({ name }: Table): PendingChanges {
    return this.#memory?.pending.of(name) ?? NOTHING
  }

  /** Finds documents by id. They are few enough to be sorted in memory. */
  #findAmong(table: Table, ids: readonly (number | string)[], query: Query): Document[] {
    const { where, sort, limit = Number.MAX_SAFE_INTEGER } = query
    const stretch = { ...(sort && { sort }), behind: behindIn(table, query), limit }
    return inOrder(withSortKeys(this.#among(table, ids, where), stretch), stretch)
  }

  #among(table: Table, ids: readonly (number | string)[], where: Where): Document[] {
    return ids.flatMap((id) => this.#get(table, id) ?? []).filter(matcherOf(where))
  }

  #get(table: Table, id: number | string): Document | undefined {
    // An integer column would take the text of a number for the number.
    if (table.integerIds && typeof id !== 'number') return undefined
    const known = this.#memory?.get(table.name, id)
    if (known !== undefined) return known ?? undefined
    const read = this.#file.document(table, id)
    if (read) this.#memory?.keep(table.name, read.document, read.characters)
    return read?.document
  }

  /** Returns the position of the newest event in a document, or -1. */
  protected positionOf(table: Table, id: number | string): number {
    return this.#waiting(table).get(id)?.position ?? this.#file.position(table, id)
  }
}
