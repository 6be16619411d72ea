import type { Document as Bson, Filter } from 'mongodb'
import type { Condition, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'
import { encodeValue, REMOVED, storedPath } from './stored-form.ts'

/** Stored document. Its id is a number or a text. */
export interface Stored extends Bson {
  readonly _id: number | string
}

/** Returns the filter for these ids. By a plain id, every server finds a single document without looking at the others. */
export const withIds = (ids: readonly (number | string)[]): Filter<Stored> => ({
  _id: ids.length === 1 ? ids[0]! : { $in: ids },
})

/** Returns MongoDB's filter for the conditions. It leaves out removed documents. */
export const filterOf = (where: Where): Filter<Stored> => {
  const entries = Object.entries(where)
  const [first = {}, ...more] = entries.flatMap(([field, condition]) =>
    conditionsOf(condition).map((each) => ({ [storedPath(field)]: each })),
  )
  const present = entries.some(([field, condition]) => field !== 'id' && needsValue(condition))
  const all = present ? more : [...more, { [REMOVED]: { $exists: false } }]
  return all.length === 0 ? first : { $and: [first, ...all] }
}

/**
 * Returns one condition for each operator. When operators on a field that holds an array are combined, some servers do not try each of
 * them on every element. An undefined operand is sent as null: it would be lost on the way to the server, and then everything matches.
 */
const conditionsOf = (condition: Condition | undefined): readonly Json[] => {
  if (!isOperators(condition)) return [encodeValue(condition as Json | undefined) ?? null]
  return Object.entries(condition).map(([operator, operand]) => againstNull(operator, encodeValue(operand) ?? null))
}

/** Rewrites comparisons with null, on which servers disagree: only null is `$gte` or `$lte` null, and nothing is `$gt` or `$lt` null. */
const againstNull = (operator: string, operand: Json): Json => {
  if (operand !== null || !/^\$[gl]te?$/.test(operator)) return { [operator]: operand }
  return operator.endsWith('e') ? null : { $in: [] }
}

/** Whether only documents that have the field can match. The mark of a removed document has no fields. */
const needsValue = (condition: Condition | undefined): boolean => {
  if (!isOperators(condition)) return condition !== null && condition !== undefined
  return Object.entries(condition).some(([operator, operand]) => {
    if (operator === '$in') return Array.isArray(operand) && !operand.includes(null)
    if (operator === '$exists') return operand === true
    return /^\$[gl]te?$/.test(operator) && operand !== null && operand !== undefined
  })
}

const isOperators = (
  condition: Condition | undefined,
): condition is { readonly [operator: string]: Json | undefined } =>
  typeof condition === 'object' && condition !== null && Object.keys(condition).some((key) => key.startsWith('$'))
