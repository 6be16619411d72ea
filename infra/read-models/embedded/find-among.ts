import type { Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from './field-path.ts'
import { KeyBuffer } from './key-buffer.ts'
import { predicateOf } from './residual.ts'
import type { StoredCollection } from './stored-collection.ts'

const key = KeyBuffer.allocate()

/** The matches among documents with these ids, in order: they are few enough to be sorted here. */
export function findAmong(collection: StoredCollection, ids: readonly (number | string)[], query: Query): Document[] {
  const { sort, after, limit } = query
  const placeOf = placesBy(sort?.by)
  const direction = sort?.descending ? -1 : 1
  let placed = among(collection, ids, query.where).map((document) => ({ document, place: placeOf(document) }))
  placed.sort((a, b) => direction * Buffer.compare(a.place, b.place))
  if (after !== undefined) {
    const last = sort === undefined || sort.by === 'id' ? { id: after } : collection.get(after)
    if (!last) return []
    const place = placeOf(last)
    placed = placed.filter((other) => direction * Buffer.compare(other.place, place) > 0)
  }
  return placed.slice(0, limit).map(({ document }) => document)
}

/** The matches among documents with these ids, in no order. */
export function among(collection: StoredCollection, ids: readonly (number | string)[], where: Where): Document[] {
  const matches = predicateOf(where)
  return ids.flatMap((id) => {
    const document = collection.get(id)
    return document && (!matches || matches(document)) ? [document] : []
  })
}

function placesBy(sort: string | undefined): (document: Document) => Buffer {
  const path = sort === undefined || sort === 'id' ? undefined : new FieldPath(sort)
  return (document) => {
    key.used = 0
    if (path) key.value(path.read(document))
    key.id(document.id)
    return key.copy()
  }
}
