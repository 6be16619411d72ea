import type { Filter } from 'mongodb'
import type { Stored } from './filter.ts'

type Scalar = null | boolean | number | string

/** One condition that is met by exactly the values of one type, in MongoDB's order of types. Missing counts as null. */
const TYPES: readonly { readonly is: (value: Scalar) => boolean; readonly all: unknown }[] = [
  { is: (value) => value === null, all: null },
  { is: (value) => typeof value === 'number', all: { $gte: -Number.MAX_VALUE } },
  { is: (value) => typeof value === 'string', all: { $gte: '' } },
  { is: (value) => typeof value === 'boolean', all: { $in: [false, true] } },
]

/**
 * What lies behind a place in an order, as conditions to be asked one after the other. Each is one stretch of an index, and a
 * page seldom reaches past the first two: a comparison only ever finds values of its own type.
 *
 * @param path the sort field, `_id` included
 * @throws {Error} for a sort value that is an array or an object
 */
export const stretchesBehind = (
  path: string,
  value: unknown,
  id: number | string,
  descending: boolean,
): readonly Filter<Stored>[] => {
  if (!isScalar(value)) throw new Error(`cannot continue behind the document ${id}: its ${path} is not a single value`)
  const beyond = descending ? '$lt' : '$gt'
  const type = TYPES.findIndex(({ is }) => is(value))
  const others = descending ? TYPES.slice(0, type) : TYPES.slice(type + 1)
  return [
    ...(path === '_id' ? [] : stretchesBehind('_id', id, id, descending).map((tie) => ({ [path]: value, ...tie }))),
    ...(value === null ? [] : [{ [path]: { [beyond]: value } }]),
    ...(others.length === 0 ? [] : [{ $or: others.map(({ all }) => ({ [path]: all })) }]),
  ]
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['boolean', 'number', 'string'].includes(typeof value)
