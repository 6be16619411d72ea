import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from '../field-path.ts'
import { encode, NOTHING } from './encoding.ts'
import type { SortKey } from './source.ts'
import type { Table } from './table.ts'

/** Where a document stands in an order by a field. */
export const place = (document: Document, sort = 'id'): SortKey => [
  sort === 'id' ? NOTHING : encode(new FieldPath(sort).read(document)),
  encode(document.id),
]

/** Where an id stands in the order by id alone; behind everything in a column of integers, when it is a text. */
export const placeBehind = (table: Table, id: number | string): SortKey => [
  NOTHING,
  table.integerIds && typeof id !== 'number' ? Number.POSITIVE_INFINITY : encode(id),
]
