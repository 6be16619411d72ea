import type { Filter } from 'mongodb'
import type { Stored } from './filter.ts'

type Scalar = null | boolean | number | string

/** Types in MongoDB's order, each with a condition that exactly its values meet. A missing value counts as null. */
const TYPES: readonly { readonly is: (value: Scalar) => boolean; readonly all: unknown }[] = [
  { is: (value) => value === null, all: null },
  { is: (value) => typeof value === 'number', all: { $gte: -Number.MAX_VALUE } },
  { is: (value) => typeof value === 'string', all: { $gte: '' } },
  { is: (value) => typeof value === 'boolean', all: { $in: [false, true] } },
]

/**
 * Returns the conditions for what lies behind a document in an order, to be queried one after the other: a comparison only finds values
 * of its own type. Each condition is one stretch of an index, and a page seldom reaches past the first two.
 *
 * @param path the sort field, `_id` included
 * @throws {Error} for a sort value that is an array or an object
 */
export const filtersAfter = (
  path: string,
  value: unknown,
  id: number | string,
  descending: boolean,
): readonly Filter<Stored>[] => {
  if (!isScalar(value)) throw new Error(`cannot continue behind the document ${id}: its ${path} is not a single value`)
  const operator = descending ? '$lt' : '$gt'
  const type = TYPES.findIndex(({ is }) => is(value))
  const others = descending ? TYPES.slice(0, type) : TYPES.slice(type + 1)
  return [
    ...(path === '_id' ? [] : filtersAfter('_id', id, id, descending).map((tie) => ({ [path]: value, ...tie }))),
    ...(value === null ? [] : [{ [path]: { [operator]: value } }]),
    ...(others.length === 0 ? [] : [{ $or: others.map(({ all }) => ({ [path]: all })) }]),
  ]
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['boolean', 'number', 'string'].includes(typeof value)
