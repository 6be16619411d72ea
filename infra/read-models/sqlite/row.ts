import type { Change } from '../../../domain/kernel/ports/read-models.ts'
import { type Encoded, encode, isArray } from './encoding.ts'
import type { Table } from './table.ts'

/** A change as the table of its collection takes it; without a document, the row goes. */
export interface Row {
  readonly id: Encoded
  readonly position: number
  readonly document: string | undefined
  readonly columns: readonly Encoded[]
}

/** What is written into the table of one collection. */
export interface CollectionRows {
  readonly collection: string
  readonly rows: readonly Row[]
}

/** The row of a change; the table then knows which of its indexes have arrays. @throws {TypeError} for what is no JSON */
export const rowOf = (table: Table, { id, document, position }: Change): Row => {
  if (table.integerIds && !Number.isSafeInteger(id)) throw new Error(`${table.name}: the id ${id} is not an integer`)
  if (!document) return { id: encode(id), position, document: undefined, columns: [] }
  const columns = table.paths.map((path) => encode(path.read(document)))
  noteArrays(table, columns)
  return { id: encode(id), position, document: JSON.stringify(document), columns }
}

/** Marks the indexes in which these columns hold an array. Gives whether any of them was not marked. */
export const noteArrays = (table: Table, columns: readonly Encoded[]): boolean => {
  if (!columns.some(isArray)) return false
  const found = table.indexes.filter((index) => !index.multivalued && holdsArray(index, columns))
  for (const index of found) index.multivalued = true
  return found.length > 0
}

const holdsArray = ({ fields, places }: Table['indexes'][number], columns: readonly Encoded[]): boolean =>
  places.slice(0, fields.length).some((place) => isArray(columns[place]!))
