import type { Change } from '../../../domain/kernel/ports/read-models.ts'
import { type Encoded, encode, isArray } from './encoding.ts'
import type { Table } from './table.ts'

/** Change as a row of its collection's table. Without a document, the row is deleted. */
export interface Row {
  readonly id: Encoded
  readonly position: number
  readonly document: string | undefined
  readonly columns: readonly Encoded[]
}

/** Rows to write into the table of one collection. */
export interface CollectionRows {
  readonly collection: string
  readonly rows: readonly Row[]
}

/**
 * Builds the row of a change, and marks the table's indexes in which it has arrays.
 * @throws {TypeError} for a value that is not JSON; {Error} for an id of another type than the table's
 */
export const rowOf = (table: Table, { id, document, position }: Change): Row => {
  if (table.integerIds && !Number.isSafeInteger(id)) throw new Error(`${table.name}: the id ${id} is not an integer`)
  if (!document) return { id: encode(id), position, document: undefined, columns: [] }
  const columns = table.paths.map((path) => encode(path.read(document)))
  noteArrays(table, columns)
  return { id: encode(id), position, document: JSON.stringify(document), columns }
}

/** Marks the indexes in which these columns hold an array. Returns whether any of them was not marked before. */
export const noteArrays = (table: Table, columns: readonly Encoded[]): boolean => {
  if (!columns.some(isArray)) return false
  const found = table.indexes.filter((index) => !index.multivalued && holdsArray(index, columns))
  for (const index of found) index.multivalued = true
  return found.length > 0
}

const holdsArray = ({ fields, places }: Table['indexes'][number], columns: readonly Encoded[]): boolean =>
  places.slice(0, fields.length).some((place) => isArray(columns[place]!))
