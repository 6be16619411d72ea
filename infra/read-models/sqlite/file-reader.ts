import type { Document, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { Statements } from '../../sqlite/statements.ts'
import { plansOf } from '../plan.ts'
import { parse } from './document.ts'
import { type Encoded, encode } from './encoding.ts'
import { countOf, MAX_SOURCES, merged, type PageRow, pageOf } from './page.ts'
import { type Selection, type SortKey, type Source, selectionOf, sourcesOf, type TablePlan } from './source.ts'
import type { Table } from './table.ts'

/** Highest number of documents that one statement reads by id. */
const MOST_IDS = 64
/** Number of entries up to which plans are compared. */
const MOST_COMPARED = 500

/** Page to read from sources. */
interface PageRequest {
  readonly descending: boolean
  readonly after: SortKey | undefined
  readonly limit: number
  /** Whether the documents are read as well, not only the sort keys. */
  readonly whole: boolean
}

/** Reads a file of read models, one statement at a time. */
export class FileReader {
  readonly #statements: Statements

  constructor(db: Database) {
    this.#statements = new Statements(db)
  }

  /** Returns a document and the length of its text. @throws {DamagedDocument} */
  document(
    table: Table,
    id: number | string,
  ): { readonly document: Document; readonly characters: number } | undefined {
    const row: [string] | undefined = this.#statements.of(table.byId).get(encode(id))
    return row && { document: parse(table, row[0]), characters: row[0].length }
  }

  /** Returns documents by id. The table's ids must be integers. @throws {DamagedDocument} */
  documents(table: Table, ids: readonly (number | string)[]): ReadonlyMap<number | string, Document> {
    const found = new Map<number | string, Document>()
    // An integer column would take the text of a number for the number.
    const numbers = ids.filter((id) => typeof id === 'number')
    for (let from = 0; from < numbers.length; from += MOST_IDS) {
      const chunk = numbers.slice(from, from + MOST_IDS)
      // Statements are cached by their text. Repeating an id up to a power of two limits the number of texts.
      while ((chunk.length & (chunk.length - 1)) > 0) chunk.push(chunk[0]!)
      const text = `SELECT id, document FROM ${table.sql} WHERE id IN (${chunk.map(() => '?')})`
      for (const [id, document] of this.all<[number, string]>({ text, values: chunk }))
        found.set(id, parse(table, document))
    }
    return found
  }

  /** Returns the position of the newest event in a document, or -1. */
  position({ sql }: Table, id: number | string): number {
    const row: [number] | undefined = this.#statements.of(`SELECT position FROM ${sql} WHERE id = ?`).get(encode(id))
    return row?.[0] ?? -1
  }

  /** Returns the next rows of several sources in one order: their sort keys and, with `whole`, their documents. */
  page<Row extends PageRow | SortKey>(
    table: Table,
    sources: readonly Source[],
    { descending, after, limit, whole }: PageRequest,
  ): Row[] {
    const pages: Row[][] = []
    for (let from = 0; from < sources.length; from += MAX_SOURCES) {
      const page = pageOf(table, sources.slice(from, from + MAX_SOURCES), descending, after, limit, whole)
      if (page) pages.push(this.all<Row>(page))
    }
    return pages.length > 1 ? merged(pages, descending, limit) : (pages[0] ?? [])
  }

  /** Returns all rows of a selection. */
  all<Row>({ text, values }: Selection): Row[] {
    return this.#statements.of(text).all(...values) as Row[]
  }

  /** Counts the documents in some sources, up to `atMost`. */
  count(sources: readonly Source[], atMost: number): number {
    return sources.length === 0 ? 0 : this.all<[number]>(countOf(sources, atMost))[0]![0]
  }

  /** Counts the next documents of a source in the order of ids, up to `atMost`. Returns the last id as well, null without any. */
  countBehind(
    source: Source,
    after: SortKey | undefined,
    atMost: number,
  ): readonly [count: number, last: Encoded | null] {
    const selection = selectionOf(source, false, after)
    if (!selection) return [0, null]
    const text = `SELECT count(*), max(id) FROM (SELECT id ${selection.text} LIMIT ? + 0)`
    return this.all<[number, Encoded | null]>({ text, values: [...selection.values, atMost] })[0]!
  }

  /** Returns SQLite's query plan for a source. */
  explain(source: Source, descending: boolean, behind: SortKey | undefined): string[] {
    const selection = selectionOf(source, descending, behind)
    if (!selection) return []
    const text = `EXPLAIN QUERY PLAN SELECT ${source.column}, id ${selection.text} LIMIT ? + 0`
    return this.all<[number, number, number, string]>({ text, values: [...selection.values, 1] }).map((row) => row[3])
  }

  /**
   * Returns the plan for a query, `undefined` when no index serves it. Of plans that look equally good it takes the one with the
   * fewest entries: which field is the most selective cannot be known beforehand.
   */
  plan(table: Table, where: Where, sort: string | undefined): TablePlan | undefined {
    const plans = plansOf(table.indexes, where, sort)
    if (plans.length < 2) return plans[0]
    const entries = plans.map((plan) => this.count(sourcesOf(table, plan).slice(0, MAX_SOURCES), MOST_COMPARED))
    return plans[entries.indexOf(Math.min(...entries))]
  }
}
