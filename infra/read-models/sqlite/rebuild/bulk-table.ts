import type { Database, Statement } from '../../../sqlite/binding.ts'
import { type Encoded, isArray } from '../encoding.ts'
import { noteArrays } from '../row.ts'
import type { Table, TableIndex } from '../table.ts'
import { entriesOf, entryTexts } from '../writing/table-writer.ts'
import { type PackedRow, unpacked } from './packed-row.ts'

/** Inserts rows of new documents into one table, with the entries of arrays. Use it within a transaction. */
export class BulkTable {
  readonly table: Table
  readonly #inserting: Statement
  readonly #entries: readonly { readonly index: TableIndex; readonly adding: Statement }[]

  constructor(db: Database, table: Table) {
    this.table = table
    const values = `?, ?, ?${', ?'.repeat(table.columns.length)}`
    this.#inserting = db.prepare(`INSERT INTO ${table.sql} VALUES (${values})`)
    this.#entries = table.indexes.map((index) => ({ index, adding: db.prepare(entryTexts(index).adding) }))
  }

  /** @throws {Error} of SQLite, also for a document that exists already */
  insert(rows: readonly PackedRow[]): void {
    for (const packed of rows) {
      const row = unpacked(packed)
      this.#inserting.run(...row)
      if (row.some(isArray)) this.#insertEntries(row[0]!, row.slice(2, -1))
    }
  }

  #insertEntries(id: Encoded, columns: readonly Encoded[]): void {
    noteArrays(this.table, columns)
    for (const { index, adding } of this.#entries)
      for (const entry of entriesOf(index, columns)) adding.run(...entry, id)
  }
}
