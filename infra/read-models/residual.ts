import { Context } from 'mingo/core'
import { $eq, $gt, $gte, $in, $lt, $lte, $ne, $nin } from 'mingo/operators/query/comparison'
import { $exists } from 'mingo/operators/query/element'
import { Query } from 'mingo/query'
import type { Document, Where } from '../../domain/kernel/ports/read-models.ts'

export type Predicate = (document: Document) => boolean

const context = Context.init({ query: { $eq, $gt, $gte, $in, $lt, $lte, $ne, $nin, $exists } })
const any: Predicate = () => true
const KEPT = 256
const compiled = new Map<string, Predicate>()

/** The test that documents must pass for the conditions; `undefined` when there are none. Compiling costs more than testing. */
export function predicateOf(where: Where): Predicate | undefined {
  if (Object.keys(where).length === 0) return undefined
  const text = JSON.stringify(where)
  const known = compiled.get(text)
  if (known) return known
  const query = new Query<Document>(where, { context })
  const predicate: Predicate = (document) => query.test(document)
  if (compiled.size >= KEPT) compiled.clear()
  compiled.set(text, predicate)
  return predicate
}

/** The same, also where there is nothing to pass. */
export const matcherOf = (where: Where): Predicate => predicateOf(where) ?? any
