import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import { among } from './find-among.ts'
import { idsOf, planOf } from './plan.ts'
import { idIn, rangesOf } from './ranges.ts'
import { type Predicate, predicateOf } from './residual.ts'
import { countKeys, type Keys, scan } from './scan.ts'
import type { StoredCollection } from './stored-collection.ts'

/** Number of matches, up to `atMost`. Loads documents only where an index leaves a question. @throws {Error} when none serves. */
export function count(collection: StoredCollection, where: Where, atMost: number): number {
  const ids = idsOf(where)
  if (ids) return Math.min(among(collection, ids, where).length, atMost)
  const plan = planOf(collection.indexes, where, undefined)
  if (!plan) throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${collection.name}`)
  const keys: Keys = plan.index ? collection.entries : collection.documents
  const ranges = rangesOf(plan, false, undefined)
  const matches = predicateOf(plan.residual)
  const distinct = ranges.length <= 1 || !plan.index?.multivalued
  if (distinct && !matches) return countKeys(keys, ranges, atMost)
  let total = 0
  for (const { key, range } of scan(keys, ranges, false)) {
    if (total >= atMost) break
    if (!matches || passes(collection, idIn(key, range, plan), matches)) total++
  }
  return total
}

function passes(collection: StoredCollection, id: number | string, matches: Predicate): boolean {
  const document = collection.get(id)
  return document !== undefined && matches(document)
}
