import type { SqlValue } from '../../sqlite/binding.ts'
import type { Scalar, ValueRange } from '../conditions.ts'
import type { Plan } from '../plan.ts'
import { compare, type Encoded, encode, FALSE, NOTHING, TRUE } from './encoding.ts'
import type { Table, TableIndex } from './table.ts'

/** Position of a document in an order: its sort value (`NOTHING` in an order by id alone), then its id. */
export type SortKey = readonly [Encoded, Encoded]

export type TablePlan = Plan<TableIndex>

/** Rows of one index that are in the wanted order: those of one combination of leading values. */
export interface Source {
  /** SQL name of the table, pinned to the index. */
  readonly from: string
  readonly equal: readonly string[]
  readonly values: readonly Encoded[]
  /** Column that orders and narrows the rows, before the id. */
  readonly column: string
  /** Sort value of all rows, where they are ordered by id alone. */
  readonly fixed: Encoded | undefined
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

interface Bound {
  readonly value: Encoded
  readonly inclusive: boolean
  /** Bound of the id among the rows that have the value. */
  readonly id?: Encoded
}

/** Text of a statement, whole or from `FROM` on, and the values to bind. */
export interface Selection {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Returns the sources that a plan reads. Together they have each document once if there is only one combination. */
export const sourcesOf = (table: Table, { index, points, sorted, stretch }: TablePlan): readonly Source[] => {
  const fields = index?.fields.length ?? 0
  const isBound = index?.sort === undefined || (points[0]?.length ?? 0) > fields
  const column = isBound ? 'id' : table.column(index.sort)
  const bounds = boundsOf(stretch, isBound && table.integerIds)
  if (!bounds) return []
  const main = index?.columns.length ? `${table.sql} INDEXED BY ${index.sql}` : table.sql
  const tables = index?.multivalued ? [main, index.entries] : [main]
  return points.filter(isJson).flatMap((point) => {
    const values = point.map(encode)
    const equal = [...(index?.fields ?? []), ...(isBound && index?.sort ? [index.sort] : [])].map((f) =>
      table.column(f),
    )
    const fixed = isBound ? (sorted ? values.at(-1)! : NOTHING) : undefined
    return tables.map((from): Source => ({ from, equal, values, column, fixed, ...bounds }))
  })
}

/** Returns the selection of a source behind a sort key, `undefined` where nothing can be there. */
export const selectionOf = (
  source: Source,
  descending: boolean,
  behind: SortKey | undefined,
): Selection | undefined => {
  const start = behind && boundAt(source, descending, behind)
  if (start === 'none') return undefined
  const low = descending || !start ? source.low : tighter(start, source.low, 1)
  const high = descending && start ? tighter(start, source.high, -1) : source.high
  const conditions = source.equal.map((column) => `${column} = ?`)
  const values: Encoded[] = [...source.values]
  for (const [bound, operator] of [[low, '>'] as const, [high, '<'] as const]) {
    if (!bound) continue
    const { value, inclusive, id } = bound
    if (id === undefined) conditions.push(`${source.column} ${operator}${inclusive ? '=' : ''} ?`)
    else conditions.push(`(${source.column}, id) ${operator} (?, ?)`)
    values.push(value, ...(id === undefined ? [] : [id]))
  }
  const direction = descending ? ' DESC' : ''
  const order = [...new Set([source.column, 'id'])].map((column) => `${column}${direction}`)
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return { text: `FROM ${source.from}${where} ORDER BY ${order}`, values }
}

/** Turns a sort key into a bound. `none` when the whole source lies before the key, `undefined` when all of it lies behind. */
const boundAt = ({ fixed }: Source, descending: boolean, [value, id]: SortKey): Bound | undefined | 'none' => {
  if (fixed === undefined) return { value, id, inclusive: false }
  const ahead = compare(fixed, value) * (descending ? -1 : 1)
  if (ahead === 0) return { value: id, inclusive: false }
  return ahead < 0 ? 'none' : undefined
}

/** Returns the tighter bound. SQLite searches by one bound on each side: it would read and discard the rows between two. */
const tighter = (start: Bound, bound: Bound | undefined, direction: 1 | -1): Bound => {
  const ahead = bound ? compare(start.value, bound.value) * direction : 1
  return ahead > 0 || (ahead === 0 && bound?.inclusive) ? start : (bound ?? start)
}

type Bounds = Pick<Source, 'low' | 'high'>

/** Returns the bounds of a range, where it is open those of its type. `undefined` when nothing can lie in it. */
const boundsOf = (stretch: ValueRange | undefined, ofIntegers: boolean): Bounds | undefined => {
  const { low, high } = stretch ?? {}
  const value = low?.value ?? high?.value
  if (value === undefined) return { low: undefined, high: undefined }
  // An integer column would take the text of a number for the number.
  if (ofIntegers && typeof value !== 'number') return undefined
  const typeBounds = boundsOfType(value)
  if (Number.isNaN(low?.value) || Number.isNaN(high?.value)) return undefined
  return {
    low: low && low.value !== NOTHING ? { ...low, value: encodeBound(low.value) } : typeBounds.low,
    high: high ? { ...high, value: encodeBound(high.value) } : typeBounds.high,
  }
}

/** Encodes a bound. Unlike in documents, a number may be infinite here. */
const encodeBound = (value: Scalar): Encoded => (typeof value === 'number' ? value : encode(value))

const boundsOfType = (value: Scalar): { readonly low: Bound; readonly high: Bound } => {
  if (typeof value === 'number')
    return { low: { value: NOTHING, inclusive: false }, high: { value: '', inclusive: false } }
  if (typeof value === 'boolean')
    return { low: { value: FALSE, inclusive: true }, high: { value: TRUE, inclusive: true } }
  return { low: { value: '', inclusive: true }, high: { value: new Uint8Array(), inclusive: false } }
}

/** Whether documents can have these values: numbers in documents are finite. */
const isJson = (point: readonly Scalar[]): boolean =>
  point.every((value) => typeof value !== 'number' || Number.isFinite(value))
