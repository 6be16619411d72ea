import type { Reading } from './reading.ts'
import { selectionOf, sourcesOf, type TablePlan } from './source.ts'

/** Entries up to which indexes are compared. */
const ENOUGH = 500

/** Of plans that look equally good, the one whose index has the fewest entries: which field tells most cannot be known beforehand. */
export const cheapest = (reading: Reading, plans: readonly TablePlan[]): TablePlan | undefined => {
  let best = plans[0]
  if (plans.length < 2) return best
  let least = ENOUGH
  for (const plan of plans) {
    const entries = countEntries(reading, plan, least)
    if (entries < least) [best, least] = [plan, entries]
  }
  return best
}

/** How many entries a plan reads, counting no further than `atMost`. */
const countEntries = (reading: Reading, plan: TablePlan, atMost: number): number => {
  let total = 0
  for (const source of sourcesOf(reading.table, plan)) {
    if (total >= atMost) break
    const selection = selectionOf(source, false, undefined)
    if (selection) total += reading.countRows(selection, atMost - total)
  }
  return total
}
