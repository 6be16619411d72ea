import type { Document, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { Statements } from '../../sqlite/statements.ts'
import { plansOf } from '../plan.ts'
import { parse } from './document.ts'
import { type Encoded, encode } from './encoding.ts'
import { countOf, MOST_PARTS, merged, type PageRow, pageOf } from './page.ts'
import { type Selection, type SortKey, type Source, selectionOf, sourcesOf, type TablePlan } from './source.ts'
import type { Table } from './table.ts'

/** Documents read by one statement. */
const MOST_IDS = 64
/** Entries up to which indexes are compared. */
const ENOUGH = 500

/** What is wanted of some sources. */
interface QueryPart {
  readonly descending: boolean
  readonly after: SortKey | undefined
  readonly limit: number
  /** With the documents. */
  readonly whole: boolean
}

/** Reads what is in a file of read models, a statement at a time. */
export class FileReader {
  readonly #statements: Statements

  constructor(db: Database) {
    this.#statements = new Statements(db)
  }

  /** A document, and how long its text is. @throws {DamagedDocument} */
  document(
    table: Table,
    id: number | string,
  ): { readonly document: Document; readonly characters: number } | undefined {
    const row: [string] | undefined = this.#statements.of(table.byId).get(encode(id))
    return row && { document: parse(table, row[0]), characters: row[0].length }
  }

  /** Some documents of a table whose ids are integers, by their ids. @throws {DamagedDocument} */
  documents(table: Table, ids: readonly (number | string)[]): ReadonlyMap<number | string, Document> {
    const found = new Map<number | string, Document>()
    // A column of integers would take the text of a number for the number.
    const numbers = ids.filter((id) => typeof id === 'number')
    for (let from = 0; from < numbers.length; from += MOST_IDS) {
      const some = numbers.slice(from, from + MOST_IDS)
      // Statements are kept by their text: asking for one of them again makes fewer texts.
      while ((some.length & (some.length - 1)) > 0) some.push(some[0]!)
      const text = `SELECT id, document FROM ${table.sql} WHERE id IN (${some.map(() => '?')})`
      for (const [id, document] of this.all<[number, string]>({ text, values: some }))
        found.set(id, parse(table, document))
    }
    return found
  }

  /** Position of the newest event in a document, or -1. */
  position({ sql }: Table, id: number | string): number {
    const row: [number] | undefined = this.#statements.of(`SELECT position FROM ${sql} WHERE id = ?`).get(encode(id))
    return row?.[0] ?? -1
  }

  /** The next rows of some sources in one order: where they stand, and their documents, if they are wanted. */
  page<Row extends PageRow | SortKey>(
    table: Table,
    sources: readonly Source[],
    { descending, after, limit, whole }: QueryPart,
  ): Row[] {
    const pages: Row[][] = []
    for (let from = 0; from < sources.length; from += MOST_PARTS) {
      const page = pageOf(table, sources.slice(from, from + MOST_PARTS), descending, after, limit, whole)
      if (page) pages.push(this.all<Row>(page))
    }
    return pages.length > 1 ? merged(pages, descending, limit) : (pages[0] ?? [])
  }

  /** All rows of a selection. */
  all<Row>({ text, values }: Selection): Row[] {
    return this.#statements.of(text).all(...values) as Row[]
  }

  /** Documents in some sources, no further than to a number. */
  count(sources: readonly Source[], atMost: number): number {
    return sources.length === 0 ? 0 : this.all<[number]>(countOf(sources, atMost))[0]![0]
  }

  /** How many of the next documents of a source in the order of ids there are, and the last of them. */
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

  /** How SQLite carries out the search of a source. */
  explain(source: Source, descending: boolean, behind: SortKey | undefined): string[] {
    const selection = selectionOf(source, descending, behind)
    if (!selection) return []
    const text = `EXPLAIN QUERY PLAN SELECT ${source.column}, id ${selection.text} LIMIT ? + 0`
    return this.all<[number, number, number, string]>({ text, values: [...selection.values, 1] }).map((row) => row[3])
  }

  /** Of plans that look equally good the one with the fewest entries: which field tells most cannot be known beforehand. */
  plan(table: Table, where: Where, sort: string | undefined): TablePlan | undefined {
    const plans = plansOf(table.indexes, where, sort)
    if (plans.length < 2) return plans[0]
    const entries = plans.map((plan) => this.count(sourcesOf(table, plan).slice(0, MOST_PARTS), ENOUGH))
    return plans[entries.indexOf(Math.min(...entries))]
  }
}
