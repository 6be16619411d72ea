import type { Condition } from '../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../domain/kernel/values/event.ts'

export type Scalar = null | boolean | number | string

/** Single values, one of which a field must equal. */
export interface EqualityValues {
  readonly values: readonly Scalar[]
  /** Whether the condition demands nothing else: an index then decides it without the documents. */
  readonly settled: boolean
}

/** Range of values of one type in which a field must lie. */
export interface ValueRange {
  readonly low?: Bound
  readonly high?: Bound
  readonly settled: boolean
}

interface Bound {
  readonly value: Scalar
  readonly inclusive: boolean
}

type Operators = { readonly [operator: string]: Json | undefined }

/** Returns the values that an equality or `$in` allows. `undefined` for other conditions and for structured values. */
export const pointsOf = (condition: Condition | undefined): EqualityValues | undefined => {
  const operators = operatorsOf(condition)
  if (!operators) return isScalar(condition) ? { values: [condition], settled: true } : undefined
  const list = operators.$in
  if (!Array.isArray(list) || !list.every(isScalar)) return undefined
  return { values: [...new Set(list)], settled: Object.keys(operators).length === 1 }
}

/** Returns the range that comparisons allow. `undefined` without comparisons, for bounds of differing types, and for null. */
export const stretchOf = (condition: Condition | undefined): ValueRange | undefined => {
  const operators = operatorsOf(condition)
  if (!operators) return undefined
  const low = boundOf(operators, '$gt', '$gte')
  const high = boundOf(operators, '$lt', '$lte')
  const values = [low, high].flatMap((bound) => (bound ? [bound.value] : []))
  if (values.length === 0 || values.some((value) => value === null || typeof value !== typeof values[0]))
    return undefined
  const settled = Object.keys(operators).length === values.length
  return { ...(low && { low }), ...(high && { high }), settled }
}

const boundOf = (operators: Operators, exclusive: string, inclusive: string): Bound | undefined => {
  const name = exclusive in operators ? exclusive : inclusive
  const value = operators[name]
  return isScalar(value) ? { value, inclusive: name === inclusive } : undefined
}

const operatorsOf = (condition: Condition | undefined): Operators | undefined => {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return undefined
  return Object.keys(condition).some((key) => key.startsWith('$')) ? (condition as Operators) : undefined
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['boolean', 'number', 'string'].includes(typeof value)
