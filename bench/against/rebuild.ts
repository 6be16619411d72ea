import { run } from '../child.ts'
import { watchCpu } from '../cpu.ts'
import { MOST_ROUNDS } from '../measures/rebuild.ts'
import { programFile } from '../places.ts'
import type { Pace } from '../programs/rebuild.ts'
import { evenly } from '../rounds.ts'
import { compare, cpuNotes, type Reading } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth } from './sides.ts'

/** (d) The read models built anew, and the log only read. */
export const rebuild = async (duel: Duel): Promise<Compared> => {
  const { effort, sides } = duel
  const sets = await forBoth(duel, (side) => side.data.history())
  const pace = async (name: 'ours' | 'theirs', what: 'scan' | 'rebuild'): Promise<readonly Reading[]> => {
    const { watch, before } = watchCpu()
    const args = [sets[name].directory, what]
    const { events, perSecond } = await run<Pace>(programFile('rebuild', sides[name].root), { args, watch })
    const cpu = before(events / perSecond)
    return [
      { label: what, unit: 'events/s', value: perSecond },
      { label: `${what}, CPU`, unit: 'µs/event', value: cpu === undefined ? undefined : cpu / events },
    ]
  }
  const rows = await compare(
    Math.min(effort.rounds, evenly(MOST_ROUNDS)),
    async (name) => [...(await pace(name, 'rebuild')), ...(await pace(name, 'scan'))],
    { warmUp: false },
  )
  const { events } = sets.ours
  return { benchmark: 'd', title: `rebuild over ${events.toLocaleString('en-GB')} events`, rows, notes: cpuNotes }
}
