import type { Statements } from '../../sqlite/statements.ts'
import { compare, type Encoded, elementsOf } from './encoding.ts'
import { noteArrays, type Row } from './row.ts'
import type { Table, TableIndex } from './table.ts'

/** Writes rows of one table, with the entries of arrays; belongs into a transaction. */
export class TableWriter {
  readonly table: Table
  /** Whether an array came into an index that the catalog does not yet know to have any. */
  changed = false
  readonly #statements: Statements
  readonly #reading: string

  constructor(statements: Statements, table: Table) {
    this.#statements = statements
    this.table = table
    this.#reading = `SELECT ${['position', ...table.columns]} FROM ${table.sql} WHERE id = ?`
  }

  /** Stores or removes one document, unless what is there is as new. */
  write(row: Row): void {
    const known: [number, ...Encoded[]] | undefined = this.#statements.of(this.#reading).get(row.id)
    const [position, ...before] = known ?? [-1]
    if (position >= row.position) return
    if (noteArrays(this.table, row.columns)) this.changed = true
    if (row.document === undefined) {
      if (known) this.#run(`DELETE FROM ${this.table.sql} WHERE id = ?`, [row.id])
    } else if (known) this.#update(row, row.document, before)
    else this.#insert(row, row.document)
    for (const index of this.table.indexes) if (index.multivalued) this.#writeEntries(index, row, before)
  }

  #insert({ id, position, columns }: Row, document: string): void {
    const marks = Array.from({ length: columns.length + 3 }, () => '?')
    this.#run(`INSERT INTO ${this.table.sql} VALUES (${marks})`, [id, position, ...columns, document])
  }

  /** Only what differs: SQLite writes the entries of every index over a column that is set, also to what it was. */
  #update({ id, position, columns }: Row, document: string, before: readonly Encoded[]): void {
    const differing = columns.flatMap((column, n) => (compare(column, before[n]!) === 0 ? [] : [n]))
    const set = [...differing.map((n) => this.table.columns[n]), 'position', 'document'].map(
      (column) => `${column} = ?`,
    )
    const values = [...differing.map((n) => columns[n]!), position, document, id]
    this.#run(`UPDATE ${this.table.sql} SET ${set} WHERE id = ?`, values)
  }

  #writeEntries(
    { fields, entries, columns, places }: TableIndex,
    { id, columns: after }: Row,
    before: readonly Encoded[],
  ) {
    const [stale, fresh] = [before, after].map((row) => entriesOf(places, fields.length, row))
    const names = [...columns, 'id']
    const conditions = names.map((name) => `${name} = ?`).join(' AND ')
    for (const entry of stale!) this.#run(`DELETE FROM ${entries} WHERE ${conditions}`, [...entry, id])
    for (const entry of fresh!) this.#run(`INSERT INTO ${entries} VALUES (${names.map(() => '?')})`, [...entry, id])
  }

  #run(text: string, values: readonly Encoded[]): void {
    this.#statements.of(text).run(...values)
  }
}

/** Every combination of elements, when one of the fields holds an array; an array in the sort value stands as it is. */
const entriesOf = (places: readonly number[], fields: number, columns: readonly Encoded[]): readonly Encoded[][] => {
  if (columns.length === 0) return []
  const values = places.map((place) => columns[place]!)
  const elements = values.map((value, n) => (n < fields ? elementsOf(value) : undefined))
  if (elements.every((each) => each === undefined)) return []
  return values.reduce<Encoded[][]>(
    (rows, value, n) => rows.flatMap((row) => (elements[n] ?? [value]).map((element) => [...row, element])),
    [[]],
  )
}
