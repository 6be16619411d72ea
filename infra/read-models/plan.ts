import type { Index, Place, Query, Where } from '../../domain/kernel/ports/read-models.ts'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'
import { type EqualityValues, pointsOf, type Scalar, stretchOf, type ValueRange } from './conditions.ts'

/** Use of an index for a query. Without `index`, the primary key serves it. */
export interface Plan<I extends Index = Index> {
  readonly index: I | undefined
  /** Fields that the points give values for, in the same order. */
  readonly bound: readonly string[]
  /** Combinations of values for the leading fields of the index. */
  readonly points: readonly (readonly Scalar[])[]
  /** Whether the entries are ordered by sort value and id, rather than by id alone. */
  readonly sorted: boolean
  /** Range of the value that follows the points in the index. */
  readonly stretch: ValueRange | undefined
  /** Conditions that remain to be checked on each document. */
  readonly residual: Where
}

/**
 * Returns the best plans for conditions in an order by `sort` (`undefined`: in any order), one for each set of fields that
 * equally good indexes bind. Returns none when no index serves. An index serves when all its fields are bound by equality and its
 * entries come in the wanted order.
 */
export const plansOf = <I extends Index>(
  indexes: readonly I[],
  where: Where,
  sort: string | undefined,
): readonly Plan<I>[] => {
  const shape = shapeOf(where, sort)
  if (shape === undefined) return bestOf(indexes, where, sort)
  const known = getOrInsert(chosen, indexes, () => new Map<string, readonly (Index | undefined)[]>())
  const serving = getOrInsert(known, shape, () => bestOf(indexes, where, sort).map(({ index }) => index))
  return serving.flatMap((index) => planBy(index as I | undefined, where, sort) ?? [])
}

/** Indexes that serve best, by the shape of the conditions. Which do depends on the fields alone, where each equals a value. */
const chosen = new WeakMap<readonly Index[], Map<string, readonly (Index | undefined)[]>>()

/** Returns the shape of conditions that each name one value; `undefined` for others. */
const shapeOf = (where: Where, sort: string | undefined): string | undefined => {
  let shape = sort ?? ''
  for (const field in where) {
    const value = where[field]
    if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
    shape += `\0${field}`
  }
  return shape
}

const bestOf = <I extends Index>(indexes: readonly I[], where: Where, sort: string | undefined): readonly Plan<I>[] => {
  const plans = [undefined, ...indexes].flatMap((index) => planBy(index, where, sort) ?? [])
  const most = Math.max(...plans.map(worth))
  const best = plans.filter((plan) => worth(plan) === most)
  return best.filter((plan, n) => n === best.findIndex((other) => bindAlike(plan, other)))
}

/** Returns the ids that the conditions allow, `undefined` when they do not limit the id. */
export const idsOf = (where: Where): readonly (number | string)[] | undefined =>
  pointsOf(where.id)?.values.filter((value) => typeof value === 'number' || typeof value === 'string')

/** Returns the place behind which a query continues. @throws {Error} for an id alone in an order by another field */
export const placeIn = ({ sort, after }: Query): Place | undefined => {
  if (typeof after === 'object') return after
  if (after === undefined) return undefined
  if (sort !== undefined && sort.by !== 'id') throw new Error(`an id alone is no place in an order by ${sort.by}`)
  return { id: after }
}

/** Whether the ids or a declared index serve a query, for stores that plan by themselves. */
export const isServed = (indexes: readonly Index[], where: Where, sort: string | undefined): boolean =>
  idsOf(where) !== undefined || plansOf(indexes, where, sort).length > 0

const bindAlike = (a: Plan, b: Plan): boolean => a.bound.toSorted().join('\0') === b.bound.toSorted().join('\0')

const worth = ({ bound, stretch, index }: Plan): number => (index ? bound.length + (stretch ? 0.5 : 0) : 0)

const planBy = <I extends Index>(index: I | undefined, where: Where, sort: string | undefined): Plan<I> | undefined => {
  const bound: [string, EqualityValues][] = []
  for (const field of index?.fields ?? []) {
    const points = pointsOf(where[field])
    if (!points) return undefined
    bound.push([field, points])
  }
  const sortPoints = index?.sort === undefined ? undefined : pointsOf(where[index.sort])
  if (index?.sort !== undefined && sortPoints) bound.push([index.sort, sortPoints])
  const last = index?.sort === undefined || sortPoints ? 'id' : index.sort
  if (sort !== undefined && sort !== last && sort !== index?.sort) return undefined
  if (!index && Object.keys(where).some((field) => field !== 'id')) return undefined
  const stretch = stretchOf(where[last])
  const settled = new Set(bound.flatMap(([field, points]) => (points.settled ? [field] : [])))
  if (stretch?.settled) settled.add(last)
  return {
    index,
    bound: bound.map(([field]) => field),
    points: combinations(bound.map(([, points]) => points.values)),
    sorted: index?.sort !== undefined && (!sortPoints || sort === index.sort),
    stretch,
    residual: Object.fromEntries(Object.entries(where).filter(([field]) => !settled.has(field))),
  }
}

const combinations = (columns: readonly (readonly Scalar[])[]): Scalar[][] =>
  columns.reduce<Scalar[][]>((rows, values) => rows.flatMap((row) => values.map((value) => [...row, value])), [[]])
