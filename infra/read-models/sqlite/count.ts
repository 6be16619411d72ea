import type { Where } from '../../../domain/kernel/ports/read-models.ts'
import { idsOf, plansOf } from '../plan.ts'
import { predicateOf } from '../residual.ts'
import { cheapest } from './cheapest.ts'
import { among, walkOf } from './find.ts'
import type { Reading } from './reading.ts'
import type { Work } from './slices.ts'
import { selectionOf, sourcesOf, type TablePlan } from './source.ts'

/** Documents after which others may have their turn. */
const STEP = 10

/** Number of matches, up to `atMost`. Loads documents only where an index leaves a question. @throws {Error} when none serves. */
export function* count(reading: Reading, where: Where, atMost = Number.MAX_SAFE_INTEGER): Work<number> {
  const ids = idsOf(where)
  if (ids) return Math.min((yield* among(reading, ids, where)).length, atMost)
  const plan = cheapest(reading, plansOf(reading.table.indexes, where, undefined))
  if (!plan) throw new Error(`no index serves a count of ${JSON.stringify(where)} on ${reading.table.name}`)
  const isDistinct = plan.points.length <= 1 || !plan.index?.multivalued
  if (!isDistinct || Object.keys(plan.residual).length > 0) return yield* countOneByOne(reading, plan, atMost)
  let total = 0
  for (const source of sourcesOf(reading.table, plan)) {
    const selection = selectionOf(source, false, undefined)
    if (selection) total += reading.countRows(selection, atMost - total)
    yield
  }
  return total
}

function* countOneByOne(reading: Reading, plan: TablePlan, atMost: number): Work<number> {
  const walk = walkOf(reading, plan, { descending: false, after: undefined, wanted: Number.MAX_SAFE_INTEGER })
  const matches = predicateOf(plan.residual)
  let total = 0
  for (let met = 1; total < atMost; met++) {
    const entry = walk.next()
    if (!entry) break
    const document = matches && reading.documentOf(entry)
    if (!matches || (document && matches(document))) total++
    if (met % STEP === 0 && (yield)) walk.restart()
  }
  return total
}
