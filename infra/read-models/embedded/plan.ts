import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import { type Points, pointsOf, type Scalar, type Stretch, stretchOf } from './conditions.ts'
import type { MaintainedIndex } from './index-entries.ts'

/** How an index, or the primary key (without `index`), serves a query. */
export interface Plan {
  readonly index: MaintainedIndex | undefined
  /** One for every combination of values that lead the index. */
  readonly points: readonly (readonly Scalar[])[]
  /** Whether the order of the entries is that of the sort value, then the id, rather than of the id alone. */
  readonly sorted: boolean
  /** Narrows the value behind the points. */
  readonly stretch: Stretch | undefined
  /** What remains to be asked of each document. */
  readonly residual: Where
}

/**
 * The plan for conditions in an order by `sort` (`undefined`: any order will do), or `undefined` when no index serves:
 * an index serves when all its fields are bound by equality and its entries come in the wanted order.
 */
export function planOf(indexes: readonly MaintainedIndex[], where: Where, sort: string | undefined): Plan | undefined {
  let best: { readonly plan: Plan; readonly worth: number } | undefined
  for (const index of [undefined, ...indexes]) {
    const plan = planBy(index, where, sort)
    if (!plan) continue
    const worth = index ? (plan.points[0]?.length ?? index.fields.length) + (plan.stretch ? 0.5 : 0) : 0
    if (!best || worth > best.worth) best = { plan, worth }
  }
  return best?.plan
}

function planBy(index: MaintainedIndex | undefined, where: Where, sort: string | undefined): Plan | undefined {
  const bound: [string, Points][] = []
  for (const field of index?.fields ?? []) {
    const points = pointsOf(where[field])
    if (!points) return undefined
    bound.push([field, points])
  }
  const sortPoints = index?.sort === undefined ? undefined : pointsOf(where[index.sort])
  if (index?.sort !== undefined && sortPoints) bound.push([index.sort, sortPoints])
  const last = index?.sort === undefined || sortPoints ? 'id' : index.sort
  if (sort !== undefined && sort !== last && sort !== index?.sort) return undefined
  const stretch = stretchBehind(where, last)
  const settled = new Set(bound.flatMap(([field, points]) => (points.settled ? [field] : [])))
  if (stretch?.settled) settled.add(last)
  const residual = Object.fromEntries(Object.entries(where).filter(([field]) => !settled.has(field)))
  if (!index && Object.keys(where).some((field) => field !== 'id')) return undefined
  const sorted = index?.sort !== undefined && (!sortPoints || sort === index.sort)
  return { index, points: combinations(bound.map(([, points]) => points.values)), sorted, stretch, residual }
}

/** Ids are not cut in keys as other values are, so that a bound has to be whole. */
function stretchBehind(where: Where, column: string): Stretch | undefined {
  const stretch = stretchOf(where[column])
  return column === 'id' && !stretch?.settled ? undefined : stretch
}

function combinations(columns: readonly (readonly Scalar[])[]): Scalar[][] {
  return columns.reduce<Scalar[][]>(
    (rows, values) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  )
}

/** The ids that the conditions allow, or `undefined` when they leave them open. */
export function idsOf(where: Where): readonly (number | string)[] | undefined {
  const points = pointsOf(where.id)
  return points?.values.filter((value) => typeof value === 'number' || typeof value === 'string')
}
