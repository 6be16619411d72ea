import type { SqlValue } from '../../sqlite/binding.ts'
import type { Scalar, Stretch } from '../conditions.ts'
import type { Plan } from '../plan.ts'
import { compare, type Encoded, encode, FALSE, NOTHING, TRUE } from './encoding.ts'
import type { Table, TableIndex } from './table.ts'

/** Where in an order something stands: its sort value (`NOTHING` in an order by id alone), then its id. */
export type SortKey = readonly [Encoded, Encoded]

export type TablePlan = Plan<TableIndex>

/** Rows that stand in the wanted order in one index: one combination of values that lead it. */
export interface Source {
  /** The table, pinned to the index. */
  readonly from: string
  readonly equal: readonly string[]
  readonly values: readonly Encoded[]
  /** By what the rows are ordered and narrowed, before the id. */
  readonly column: string
  /** The sort value of all rows, where they are ordered by id alone. */
  readonly fixed: Encoded | undefined
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

interface Bound {
  readonly value: Encoded
  readonly inclusive: boolean
  /** Within the rows that have the value. */
  readonly id?: Encoded
}

/** Text of a statement behind its columns, and what it is given. */
export interface Selection {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Everything that a plan reads; together, each document once if there is but one combination. */
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

/** What to read of a source behind a place; `undefined` where nothing can stand there. */
export const selectionOf = (source: Source, descending: boolean, place: SortKey | undefined): Selection | undefined => {
  const mark = place && markIn(source, descending, place)
  if (mark === 'none') return undefined
  const low = descending || !mark ? source.low : tighter(mark, source.low, 1)
  const high = descending && mark ? tighter(mark, source.high, -1) : source.high
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

/** Where a place lies in a source, seen in its direction. */
const markIn = ({ fixed }: Source, descending: boolean, [value, id]: SortKey): Bound | undefined | 'none' => {
  if (fixed === undefined) return { value, id, inclusive: false }
  const ahead = compare(fixed, value) * (descending ? -1 : 1)
  if (ahead === 0) return { value: id, inclusive: false }
  return ahead < 0 ? 'none' : undefined
}

/** One bound on each side is all that SQLite searches by: it would read and throw away what lies between two of them. */
const tighter = (mark: Bound, bound: Bound | undefined, direction: 1 | -1): Bound => {
  const ahead = bound ? compare(mark.value, bound.value) * direction : 1
  return ahead > 0 || (ahead === 0 && bound?.inclusive) ? mark : (bound ?? mark)
}

type Bounds = Pick<Source, 'low' | 'high'>

/** The ends of a stretch, or else those of its type; `undefined` when there is nothing in it. */
const boundsOf = (stretch: Stretch | undefined, ofIntegers: boolean): Bounds | undefined => {
  const { low, high } = stretch ?? {}
  const value = low?.value ?? high?.value
  if (value === undefined) return { low: undefined, high: undefined }
  // A column of integers would take the text of a number for the number.
  if (ofIntegers && typeof value !== 'number') return undefined
  const ends = endsOf(value)
  if (Number.isNaN(low?.value) || Number.isNaN(high?.value)) return undefined
  return {
    low: low && low.value !== NOTHING ? { ...low, value: bare(low.value) } : ends.low,
    high: high ? { ...high, value: bare(high.value) } : ends.high,
  }
}

/** Unlike in documents, a number may be infinite here. */
const bare = (value: Scalar): Encoded => (typeof value === 'number' ? value : encode(value))

const endsOf = (value: Scalar): { readonly low: Bound; readonly high: Bound } => {
  if (typeof value === 'number')
    return { low: { value: NOTHING, inclusive: false }, high: { value: '', inclusive: false } }
  if (typeof value === 'boolean')
    return { low: { value: FALSE, inclusive: true }, high: { value: TRUE, inclusive: true } }
  return { low: { value: '', inclusive: true }, high: { value: new Uint8Array(), inclusive: false } }
}

/** No document has any other number. */
const isJson = (point: readonly Scalar[]): boolean =>
  point.every((value) => typeof value !== 'number' || Number.isFinite(value))
