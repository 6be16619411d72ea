import type { Collection, Filter, Sort } from 'mongodb'
import type { CollectionSpec, Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from '../field-path.ts'
import { isServed } from '../plan.ts'
import { filterOf, type Stored } from './filter.ts'
import { filtersAfter } from './keyset.ts'
import { fromStored, storedPath } from './stored-form.ts'

/** Finds the documents that match, in order. @throws {Error} when no declared index serves the query */
export const find = async (stored: Collection<Stored>, spec: CollectionSpec, query: Query): Promise<Document[]> => {
  const { where, sort, after, limit = Number.POSITIVE_INFINITY } = query
  if (!isServed(spec.indexes, where, sort?.by ?? 'id')) {
    throw new Error(`no index serves ${JSON.stringify(query)} on ${spec.name}`)
  }
  if (limit <= 0) return []
  const filter = filterOf(where)
  const filters = after === undefined ? [filter] : await filtersBehind(stored, filter, query, after)
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

const filtersBehind = async (
  stored: Collection<Stored>,
  filter: Filter<Stored>,
  { sort }: Query,
  after: number | string,
): Promise<Filter<Stored>[]> => {
  const sortValue = sort === undefined || sort.by === 'id' ? after : await sortValueOf(stored, sort.by, after)
  if (sortValue === undefined) return []
  const stretches = filtersAfter(storedPath(sort?.by ?? 'id'), sortValue, after, sort?.descending ?? false)
  return stretches.map((stretch) => ({ $and: [filter, stretch] }))
}

/** Returns the sort value of a document, or `undefined` when the document no longer exists. */
const sortValueOf = async (stored: Collection<Stored>, sort: string, id: number | string): Promise<unknown> => {
  const document = fromStored((await stored.findOne({ _id: id })) ?? undefined)
  return document && new FieldPath(sort).read(document)
}
