import type { Document, Place } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from '../field-path.ts'
import { encode, NOTHING } from './encoding.ts'
import type { SortKey } from './source.ts'
import type { Table } from './table.ts'

/** Returns the sort key of a document in an order by a field. */
export const sortKeyOf = (document: Document, sort = 'id'): SortKey => [
  sort === 'id' ? NOTHING : encode(new FieldPath(sort).read(document)),
  encode(document.id),
]

/** Returns the sort key of a place in an order by a field. In a column of integers, a text comes behind every id. */
export const placeSortKey = (table: Table, { id, value }: Place, sort = 'id'): SortKey => [
  sort === 'id' ? NOTHING : encode(value),
  table.integerIds && typeof id !== 'number' ? Number.POSITIVE_INFINITY : encode(id),
]
