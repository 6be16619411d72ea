import type { Document as Bson, Filter } from 'mongodb'
import type { Condition, Where } from '../../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'
import { REMOVED, spell, storedPath } from './stored-form.ts'

/** Documents under ids of either type. */
export interface Stored extends Bson {
  readonly _id: number | string
}

/** These documents. By its id alone, every server finds a single one without looking at the others. */
export const withIds = (ids: readonly (number | string)[]): Filter<Stored> => ({
  _id: ids.length === 1 ? ids[0]! : { $in: ids },
})

/** The conditions as MongoDB takes them, and that the document has not been removed. */
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
 * One condition for each operator: for a field that holds an array, not every server tries them on the elements one by one when
 * they come together. One left open would vanish on the way to the server, and then everything matches: it is for null.
 */
const conditionsOf = (condition: Condition | undefined): readonly Json[] => {
  if (!isOperators(condition)) return [spell(condition as Json | undefined) ?? null]
  return Object.entries(condition).map(([operator, operand]) => againstNull(operator, spell(operand) ?? null))
}

/** Comparisons with null, on which servers disagree, in words on which they agree: only null is neither more nor less. */
const againstNull = (operator: string, operand: Json): Json => {
  if (operand !== null || !/^\$[gl]te?$/.test(operator)) return { [operator]: operand }
  return operator.endsWith('e') ? null : { $in: [] }
}

/** Whether only a document that has the field can match: what a removed one leaves behind has none. */
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
