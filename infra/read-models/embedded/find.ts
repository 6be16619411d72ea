import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { findAmong } from './find-among.ts'
import { KeyBuffer } from './key-buffer.ts'
import { idsOf, type Plan, planOf } from './plan.ts'
import { idIn, rangesOf } from './ranges.ts'
import { predicateOf } from './residual.ts'
import { scan } from './scan.ts'
import type { StoredCollection } from './stored-collection.ts'

const key = KeyBuffer.allocate()

/** The documents that match, in order. @throws {Error} when no index serves the query. */
export function find(collection: StoredCollection, query: Query): Document[] {
  const ids = idsOf(query.where)
  if (ids) return findAmong(collection, ids, query)
  const plan = planOf(collection.indexes, query.where, query.sort?.by ?? 'id')
  if (!plan) throw new Error(`no index serves ${JSON.stringify(query)} on ${collection.name}`)
  const { after, limit = Number.POSITIVE_INFINITY } = query
  const mark = after === undefined ? undefined : placeOf(collection, plan, after)
  if (mark === null || limit <= 0) return []
  return collect(collection, plan, query.sort?.descending ?? false, mark, limit)
}

function collect(
  from: StoredCollection,
  plan: Plan,
  descending: boolean,
  after: Buffer | undefined,
  limit: number,
): Document[] {
  const matches = predicateOf(plan.residual)
  const found: Document[] = []
  const keys = plan.index ? from.entries : from.documents
  for (const { key, range } of scan(keys, rangesOf(plan, descending, after), descending)) {
    const document = from.get(idIn(key, range, plan))
    if (!document || (matches && !matches(document))) continue
    found.push(document)
    if (found.length >= limit) break
  }
  return found
}

/** Where in the order of the plan the document stands; `null` when that cannot be known because it is gone. */
function placeOf(collection: StoredCollection, plan: Plan, id: number | string): Buffer | null {
  if (plan.index && plan.sorted) {
    const document = collection.get(id)
    return document ? plan.index.order(document) : null
  }
  key.used = 0
  key.id(id)
  return key.copy()
}
