import type { Collection, Filter, Sort } from 'mongodb'
import type { CollectionSpec, Document, Place, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { isServed, placeIn } from '../plan.ts'
import { filterOf, type Stored } from './filter.ts'
import { filtersAfter } from './keyset.ts'
import { fromStored, storedPath } from './stored-form.ts'

/** Finds the documents that match, in order. @throws {Error} when no declared index serves the query */
export const find = async (stored: Collection<Stored>, spec: CollectionSpec, query: Query): Promise<Document[]> => {
  const { where, sort, limit = Number.POSITIVE_INFINITY } = query
  if (!isServed(spec.indexes, where, sort?.by ?? 'id')) {
    throw new Error(`no index serves ${JSON.stringify(query)} on ${spec.name}`)
  }
  if (limit <= 0) return []
  const filter = filterOf(where)
  const place = placeIn(query)
  const filters = place ? filtersBehind(filter, query, place) : [filter]
  const found: Stored[] = []
  for (const one of filters) {
    const rest = limit - found.length
    const cursor = stored.find(one, { sort: orderOf(sort), ...(Number.isFinite(rest) && { limit: rest }) })
    found.push(...(await cursor.toArray()))
    if (found.length >= limit) break
  }
  return found.map(fromStored).filter((document) => document !== undefined)
}

/** Counts the matches, up to `atMost`. @throws {Error} when no declared index serves the query */
export const count = async (
  stored: Collection<Stored>,
  spec: CollectionSpec,
  where: Where,
  atMost = Number.POSITIVE_INFINITY,
): Promise<number> => {
  if (!isServed(spec.indexes, where, undefined)) {
    throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${spec.name}`)
  }
  if (atMost <= 0) return 0
  return stored.countDocuments(filterOf(where), Number.isFinite(atMost) ? { limit: atMost } : {})
}

const orderOf = (sort: Query['sort']): Sort => {
  const direction = sort?.descending ? -1 : 1
  return sort === undefined || sort.by === 'id'
    ? { _id: direction }
    : { [storedPath(sort.by)]: direction, _id: direction }
}

const filtersBehind = (
  filter: Filter<Stored>,
  { sort }: Query,
  { id, value = null }: Place,
): readonly Filter<Stored>[] => {
  const by = sort?.by ?? 'id'
  const stretches = filtersAfter(storedPath(by), by === 'id' ? id : value, id, sort?.descending ?? false)
  return stretches.map((stretch) => ({ $and: [filter, stretch] }))
}
