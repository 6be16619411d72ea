import { run } from '../child.ts'
import { watchCpu } from '../cpu.ts'
import { programFile } from '../places.ts'
import type { Probe, Reading } from '../probe.ts'
import { canHoldTo } from '../processors.ts'
import type { Pace } from '../programs/rebuild.ts'
import { inTurn } from '../rounds.ts'

const SCAN = 'read and decoded'
const ON_ONE = 'rebuild, one processor'
const ON_TWO = 'rebuild, two processors'

/** (d) How fast the read models are built anew, beside only reading the same log. */
export const rebuild: Probe = {
  benchmark: 'd',
  title: ({ million }) =>
    `rebuild over ${million.toLocaleString('en-GB')} events: contacts created, changed, tagged; opportunities opened, moved`,
  async prepare({ data, root, profile }) {
    const { directory } = await data.history()
    const pace = async (
      label: string,
      what: 'scan' | 'rebuild',
      options: { readonly processors?: number; readonly profile?: string | undefined } = {},
    ): Promise<readonly Reading[]> => {
      const { watch, before } = watchCpu()
      const { events, perSecond } = await run<Pace>(programFile('rebuild', root), {
        args: [directory, what],
        watch,
        ...options,
      })
      const cpu = before(events / perSecond)
      return [
        { label, unit: 'events/s', value: perSecond },
        { label: `${label}, CPU`, unit: 'µs/event', value: cpu && cpu / events },
      ]
    }
    // Where a process cannot be held to some processors, or there are no two, it has what there is.
    const held = canHoldTo(2)
    return {
      read: (round) =>
        inTurn(round, [
          () => pace(SCAN, 'scan'),
          ...(held ? [() => pace(ON_ONE, 'rebuild', { processors: 1 })] : []),
          () => pace(held ? ON_TWO : 'rebuild', 'rebuild', { ...(held && { processors: 2 }), profile }),
        ]),
      notes: () =>
        held ? [] : ['The rebuild was not held to one and two processors: that needs Linux and two of them.'],
    }
  },
  wishes: [
    { says: ON_ONE, of: ON_ONE, atLeast: 30_000, goal: 50_000 },
    { says: ON_TWO, of: ON_TWO, atLeast: 50_000, goal: 90_000 },
    { says: 'sequential reading of the log, decoded', of: SCAN, atLeast: 120_000, goal: 200_000 },
  ],
  mostRounds: 3,
  // Each program is new, as a rebuild is.
  warmUp: false,
}
