import type { Statements } from '../../../sqlite/statements.ts'
import { compare, type Encoded, elementsOf, isArray } from '../encoding.ts'
import { noteArrays, type Row } from '../row.ts'
import type { Table, TableIndex } from '../table.ts'

/** Writes rows of one table, with the entries of arrays. Use it within a transaction. */
export class TableWriter {
  readonly table: Table
  /** Whether an array came into an index that has none according to the catalog. */
  changed = false
  readonly #statements: Statements
  readonly #reading: string
  readonly #inserting: string
  readonly #entries: readonly EntryTexts[]

  constructor(statements: Statements, table: Table) {
    const { sql, columns, indexes } = table
    this.#statements = statements
    this.table = table
    this.#reading = `SELECT ${['position', ...columns]} FROM ${sql} WHERE id = ?`
    this.#inserting = `INSERT INTO ${sql} VALUES (?, ?, ?${', ?'.repeat(columns.length)})`
    this.#entries = indexes.map(entryTexts)
  }

  /** Stores or removes one document, unless the stored version is as new or newer. */
  write(row: Row): void {
    const known: [number, ...Encoded[]] | undefined = this.#statements.of(this.#reading).get(row.id)
    const [position, ...before] = known ?? [-1]
    if (position >= row.position) return
    if (noteArrays(this.table, row.columns)) this.changed = true
    if (row.document === undefined) {
      if (known) this.#run(`DELETE FROM ${this.table.sql} WHERE id = ?`, [row.id])
    } else if (known) this.#update(row, row.document, before)
    else this.#insert(row, row.document)
    for (const entries of this.#entries) if (entries.index.multivalued) this.#writeEntries(entries, row, before)
  }

  #insert({ id, position, columns }: Row, document: string): void {
    this.#run(this.#inserting, [id, position, ...columns, document])
  }

  /** Sets only the columns that differ: SQLite rewrites the index entries of every column that is set, even to the same value. */
  #update({ id, position, columns }: Row, document: string, before: readonly Encoded[]): void {
    const differing = columns.flatMap((column, n) => (compare(column, before[n]!) === 0 ? [] : [n]))
    const set = [...differing.map((n) => this.table.columns[n]), 'position', 'document'].map(
      (column) => `${column} = ?`,
    )
    const values = [...differing.map((n) => columns[n]!), position, document, id]
    this.#run(`UPDATE ${this.table.sql} SET ${set} WHERE id = ?`, values)
  }

  #writeEntries({ index, removing, adding }: EntryTexts, { id, columns }: Row, before: readonly Encoded[]): void {
    for (const entry of entriesOf(index, before)) this.#run(removing, [...entry, id])
    for (const entry of entriesOf(index, columns)) this.#run(adding, [...entry, id])
  }

  #run(text: string, values: readonly Encoded[]): void {
    this.#statements.of(text).run(...values)
  }
}

/** Statements on the table of entries of an index. */
export interface EntryTexts {
  readonly index: TableIndex
  readonly removing: string
  readonly adding: string
}

export const entryTexts = (index: TableIndex): EntryTexts => {
  const names = [...index.columns, 'id']
  return {
    index,
    removing: `DELETE FROM ${index.entries} WHERE ${names.map((name) => `${name} = ?`).join(' AND ')}`,
    adding: `INSERT INTO ${index.entries} VALUES (${names.map(() => '?')})`,
  }
}

/** Returns every combination of elements when one of the fields holds an array, else none. An array in the sort value is not expanded. */
export const entriesOf = ({ places, fields }: TableIndex, columns: readonly Encoded[]): readonly Encoded[][] => {
  const values = columns.length === 0 ? [] : places.map((place) => columns[place]!)
  if (!values.slice(0, fields.length).some(isArray)) return []
  return values.reduce<Encoded[][]>(
    (rows, value, n) => {
      const elements = (n < fields.length && elementsOf(value)) || [value]
      return rows.flatMap((row) => elements.map((element) => [...row, element]))
    },
    [[]],
  )
}
