import type { Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../../domain/kernel/values/maybe-promise.ts'
import type { Database } from '../../sqlite/binding.ts'
import { idsOf } from '../plan.ts'
import { matcherOf, predicateOf } from '../residual.ts'
import { parse } from './document.ts'
import { FileReader } from './file-reader.ts'
import type { Tables } from './generations/catalog.ts'
import { type OnDamage, OpenViews } from './generations/open-views.ts'
import { entering, inOrder, type Placed, placed, type Stretch } from './order.ts'
import { MOST_PARTS, type PageRow } from './page.ts'
import { place, placeBehind } from './place.ts'
import { type SortKey, type Source, sourcesOf, type TablePlan } from './source.ts'
import type { Table } from './table.ts'
import type { Memory } from './writing/memory.ts'
import { documentsIn, NOTHING, type Waiting } from './writing/pending.ts'

/** Rows read at once: at first, where each must be looked at, at most, and where they are only counted. */
const SOME = 50
const SLICE = 200
const PAGE = 1000
const COUNTED = 20_000
/** From so many on documents are read by one statement, and not kept: there are more where they come from. */
const TOGETHER = 6

interface Walk extends Stretch {
  readonly plan: TablePlan
}

/** Reads a file of read models, and what waits to be written to it. */
export class Reader extends OpenViews {
  readonly #tables: Tables
  readonly #file: FileReader
  readonly #memory: Memory | undefined

  /** @param memory what is read from it; with it what is read in one turn of the loop sees one state, until `endTurn` */
  constructor(db: Database, path: string, tables: Tables, onDamage: OnDamage, memory?: Memory) {
    super(db, path, onDamage, memory !== undefined)
    this.#tables = tables
    this.#file = new FileReader(db)
    this.#memory = memory
  }

  /** @throws {Error} when there is no such collection */
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
    if (ids.length < TOGETHER || !table.integerIds) return this.guarded(() => ids.map((id) => this.#get(table, id)))
    const known = ids.map((id) => this.#memory?.get(table.name, id))
    const missing = ids.filter((_, n) => known[n] === undefined)
    const read = this.guarded(() => this.#file.documents(table, missing))
    return ids.map((id, n) => (known[n] === undefined ? read.get(id) : (known[n] ?? undefined)))
  }

  find(collection: string, query: Query): MaybePromise<Document[]> {
    const table = this.table(collection)
    const ids = idsOf(query.where)
    if (ids) return this.guarded(() => this.#findAmong(table, ids, query))
    const walk = this.#walkOf(table, query)
    if (!walk) return []
    const found: Placed<Document>[] = []
    const walked = this.#walk(table, walk, (document) => found.push(document))
    return mapMaybe(walked, (waiting) => {
      const others = this.#entering(waiting, found, walk, query.where)
      return others.length === 0 ? found.map(({ item }) => item) : inOrder([...found, ...others], walk)
    })
  }

  /** Ids of what `find` would give, without the documents where an index answers for them. */
  findIds(collection: string, query: Query): MaybePromise<(number | string)[]> {
    const table = this.table(collection)
    const walk = idsOf(query.where) || !table.integerIds ? undefined : this.#walkOf(table, query)
    if (!walk || Object.keys(walk.plan.residual).length > 0 || walk.limit > PAGE)
      return mapMaybe(this.find(collection, query), (documents) => documents.map(({ id }) => id))
    return this.guarded(() => {
      const waiting = this.#waiting(table)
      const found = this.#idsInFile(table, walk, waiting)
      const others = this.#entering(waiting, found, walk, query.where)
      if (others.length === 0) return found.map(({ item }) => item)
      return inOrder([...found, ...others.map(({ at, item }) => ({ at, item: item.id }))], walk)
    })
  }

  /** Number of matches, up to `atMost`. Loads documents only where an index leaves a question. @throws {Error} when none serves. */
  count(collection: string, where: Where, atMost = Number.MAX_SAFE_INTEGER): MaybePromise<number> {
    const table = this.table(collection)
    const ids = idsOf(where)
    if (ids) return this.guarded(() => Math.min(this.#among(table, ids, where).length, atMost))
    const plan = this.guarded(() => this.#file.plan(table, where, undefined))
    if (!plan) throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${table.name}`)
    const sources = sourcesOf(table, plan)
    if (atMost <= 0 || sources.length === 0) return 0
    const matches = matcherOf(where)
    const matching = (waiting: Waiting) => [...documentsIn(waiting)].filter(matches).length
    if (Object.keys(plan.residual).length === 0 && sources.length <= MOST_PARTS) {
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
    const walked = this.#walk(table, { plan, behind: undefined, limit: atMost }, () => ++total)
    return mapMaybe(walked, (waiting) => Math.min(total + matching(waiting), atMost))
  }

  /** How SQLite carries out the parts of a query. */
  explain(collection: string, { where, sort, after }: Query): string[] {
    const table = this.table(collection)
    if (idsOf(where)) return []
    const plan = this.#file.plan(table, where, sort?.by ?? 'id')
    const behind = plan && after !== undefined ? this.#placeOf(table, plan, after) : undefined
    if (!plan || behind === 'unknown') throw new Error('there is nothing to explain')
    return sourcesOf(table, plan).flatMap((source) => this.#file.explain(source, sort?.descending ?? false, behind))
  }

  /**
   * Visits the documents of the file that match, in order, in as many turns of the loop as it takes; but not those for which something waits,
   * which it gives.
   */
  #walk(table: Table, walk: Walk, visit: (found: Placed<Document>) => number): MaybePromise<Waiting> {
    const { plan, sort, behind, limit } = walk
    const matches = predicateOf(plan.residual)
    const sources = sourcesOf(table, plan)
    let waiting = this.#waiting(table)
    let size = matches ? Math.min(Math.max(limit, SOME), SLICE) : Math.min(limit, PAGE)
    let after = behind
    /** @returns whether that was the last page */
    const step = (): boolean => {
      const part = { descending: sort?.descending ?? false, after, limit: size, whole: true }
      const rows = this.#file.page<PageRow>(table, sources, part)
      for (const [value, id, text] of rows) {
        after = [value, id]
        const item = parse(table, text)
        if (!waiting.has(item.id) && (matches?.(item) ?? true) && visit({ at: after, item }) >= limit) return true
      }
      if (rows.length < size) return true
      size = matches ? SLICE : PAGE
      return false
    }
    const going = this.inTurns(step)
    if (!going) return waiting
    // Some of it comes into the file while this goes on.
    waiting = new Map(waiting)
    return going.then(() => waiting)
  }

  /** In a table whose ids are integers, which stand in their places as they are. */
  #idsInFile(table: Table, { plan, sort, behind, limit }: Walk, waiting: Waiting): Placed<number | string>[] {
    const sources = sourcesOf(table, plan)
    const found: Placed<number | string>[] = []
    for (let after = behind; ; ) {
      const part = { descending: sort?.descending ?? false, after, limit, whole: false }
      const rows = this.#file.page<SortKey>(table, sources, part)
      for (const at of rows) {
        const item = Number(at[1])
        if (!waiting.has(item) && found.length < limit) found.push({ at, item })
      }
      if (rows.length < limit || found.length === limit) return found
      after = rows.at(-1)
    }
  }

  /** How a query is walked; `undefined` where it finds nothing. @throws {Error} when no index serves it */
  #walkOf(table: Table, { where, sort, after, limit = Number.MAX_SAFE_INTEGER }: Query): Walk | undefined {
    const plan = this.guarded(() => this.#file.plan(table, where, sort?.by ?? 'id'))
    if (!plan) throw new Error(`no index serves ${JSON.stringify({ where, sort })} on ${table.name}`)
    const behind = after === undefined ? undefined : this.guarded(() => this.#placeOf(table, plan, after))
    return behind === 'unknown' || limit <= 0 ? undefined : { plan, ...(sort && { sort }), behind, limit }
  }

  /** What waits and matches, and comes into a page that was found in the file. */
  #entering(waiting: Waiting, found: readonly Placed<unknown>[], walk: Walk, where: Where): Placed<Document>[] {
    if (waiting.size === 0) return []
    const matches = matcherOf(where)
    return entering(documentsIn(waiting), found, walk).filter(({ item }) => matches(item))
  }

  /** In several turns of the loop where one order by ids has many; a count of several sources together cannot be divided. */
  #countInFile(sources: readonly Source[], atMost: number): MaybePromise<number> {
    const [source, ...others] = sources
    if (others.length > 0 || source?.fixed === undefined) return this.guarded(() => this.#file.count(sources, atMost))
    const { fixed } = source
    let total = 0
    let after: SortKey | undefined
    const going = this.inTurns(() => {
      const size = Math.min(COUNTED, atMost - total)
      const [count, last] = this.#file.countBehind(source, after, size)
      total += count
      if (last !== null) after = [fixed, last]
      return count < size || total === atMost
    })
    return going ? going.then(() => total) : total
  }

  #waiting({ name }: Table): Waiting {
    return this.#memory?.pending.of(name) ?? NOTHING
  }

  /** Where the document of this id stands in the order of a plan; `unknown` when it is gone, and with it the sort value. */
  #placeOf(table: Table, plan: TablePlan, id: number | string): SortKey | 'unknown' {
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
    const stretch = { ...(sort && { sort }), behind, limit }
    return inOrder(placed(this.#among(table, ids, where), stretch), stretch)
  }

  #among(table: Table, ids: readonly (number | string)[], where: Where): Document[] {
    return ids.flatMap((id) => this.#get(table, id) ?? []).filter(matcherOf(where))
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
}
