import type { Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from '../field-path.ts'
import { idsOf, plansOf } from '../plan.ts'
import { predicateOf } from '../residual.ts'
import { cheapest } from './cheapest.ts'
import { compare, encode, NOTHING } from './encoding.ts'
import type { Reading } from './reading.ts'
import type { Work } from './slices.ts'
import { type Place, sourcesOf, type TablePlan } from './source.ts'
import { Walk } from './walk.ts'

/** Documents after which others may have their turn. */
const STEP = 10
/** Rows read at first where not every one will match. */
const SOME = 50

/** The documents that match, in order. @throws {Error} when no index serves the query. */
export function* find(reading: Reading, query: Query): Work<Document[]> {
  const ids = idsOf(query.where)
  if (ids) return yield* findAmong(reading, ids, query)
  const { where, sort, after, limit = Number.MAX_SAFE_INTEGER } = query
  const plan = cheapest(reading, plansOf(reading.table.indexes, where, sort?.by ?? 'id'))
  if (!plan) throw new Error(`no index serves ${JSON.stringify(query)} on ${reading.table.name}`)
  const place = after === undefined ? undefined : placeIn(reading, plan, after)
  if (place === 'unknown' || limit <= 0) return []
  const matches = predicateOf(plan.residual)
  const wanted = matches ? Math.max(limit, SOME) : limit
  const walk = walkOf(reading, plan, { descending: sort?.descending ?? false, after: place, wanted })
  const found: Document[] = []
  for (let met = 1; found.length < limit; met++) {
    const entry = walk.next()
    if (!entry) break
    const document = reading.documentOf(entry)
    if (document && (!matches || matches(document))) found.push(document)
    if (met % STEP === 0 && (yield)) walk.restart()
  }
  return found
}

/** The rows that a plan leads to, in its order. */
export const walkOf = (
  { rows, table }: Reading,
  plan: TablePlan,
  how: { readonly descending: boolean; readonly after: Place | undefined; readonly wanted: number },
): Walk => new Walk({ ...how, rows, sources: sourcesOf(table, plan), documents: true })

/** Where in the order of the plan the document of this id stands; `unknown` when that cannot be known because it is gone. */
export const placeIn = (reading: Reading, plan: TablePlan, id: number | string): Place | 'unknown' => {
  if (plan.index?.sort && plan.sorted) {
    const document = reading.get(id)
    return document ? placeOf(document, plan.index.sort) : 'unknown'
  }
  // In a column of integers, a text stands behind everything.
  return [NOTHING, reading.table.integerIds && typeof id !== 'number' ? Number.POSITIVE_INFINITY : encode(id)]
}

/** The matches among documents with these ids. */
export function* among(reading: Reading, ids: readonly (number | string)[], where: Where): Work<Document[]> {
  const matches = predicateOf(where)
  const found: Document[] = []
  for (const [n, id] of ids.entries()) {
    const document = reading.get(id)
    if (document && (!matches || matches(document))) found.push(document)
    if (n % STEP === STEP - 1) yield
  }
  return found
}

/** They are few enough to be sorted here. */
function* findAmong(reading: Reading, ids: readonly (number | string)[], query: Query): Work<Document[]> {
  const { sort, after, limit, where } = query
  const direction = sort?.descending ? -1 : 1
  const order = (a: Place, b: Place) => direction * (compare(a[0], b[0]) || compare(a[1], b[1]))
  const documents = yield* among(reading, ids, where)
  let placed = documents.map((document) => ({ document, place: placeOf(document, sort?.by) }))
  placed.sort((a, b) => order(a.place, b.place))
  if (after !== undefined) {
    const isById = sort === undefined || sort.by === 'id'
    const last = isById ? { id: after } : reading.get(after)
    if (!last) return []
    const place = placeOf(last, sort?.by)
    placed = placed.filter((other) => order(other.place, place) > 0)
  }
  return placed.slice(0, limit).map(({ document }) => document)
}

const placeOf = (document: Document, sort = 'id'): Place => [
  sort === 'id' ? NOTHING : encode(new FieldPath(sort).read(document)),
  encode(document.id),
]
