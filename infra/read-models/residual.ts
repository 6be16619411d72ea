import { Context } from 'mingo/core'
import { $eq, $gt, $gte, $in, $lt, $lte, $ne, $nin } from 'mingo/operators/query/comparison'
import { $exists } from 'mingo/operators/query/element'
import { Query } from 'mingo/query'
import type { Document, Where } from '../../domain/kernel/ports/read-models.ts'

export type Predicate = (document: Document) => boolean

const context = Context.init({ query: { $eq, $gt, $gte, $in, $lt, $lte, $ne, $nin, $exists } })
const matchesAll: Predicate = () => true
const MOST_COMPILED = 256
const compiled = new Map<string, Predicate>()

/** Returns the test for the conditions, `undefined` without conditions. Tests are cached: compiling one costs more than running it. */
export function predicateOf(where: Where): Predicate | undefined {
  if (Object.keys(where).length === 0) return undefined
  const text = JSON.stringify(where)
  const known = compiled.get(text)
  if (known) return known
  const query = new Query<Document>(where, { context })
  const predicate: Predicate = (document) => query.test(document)
  if (compiled.size >= MOST_COMPILED) compiled.clear()
  compiled.set(text, predicate)
  return predicate
}

/** Like `predicateOf`, but returns a test that every document passes when there are no conditions. */
export const matcherOf = (where: Where): Predicate => predicateOf(where) ?? matchesAll
