import { run } from '../child.ts'
import { watchCpu } from '../cpu.ts'
import { programFile } from '../places.ts'
import type { Probe, Reading } from '../probe.ts'
import { canHoldTo } from '../processors.ts'
import type { Pace } from '../programs/rebuild.ts'
import { inTurn } from '../rounds.ts'

const SCAN = 'read and decoded'
const BY_ONE = 'rebuild, one thread'
const BY_TWO = 'rebuild, two threads'
const HELD = 'rebuild, held to one processor'

/** (d) The speed of rebuilding the read models, compared with only reading the same log. */
export const rebuild: Probe = {
  benchmark: 'd',
  title: ({ million }) =>
    `rebuild over ${million.toLocaleString('en-GB')} events: contacts created, changed, tagged; opportunities opened, moved`,
  async prepare({ data, root, profile }) {
    const { directory } = await data.history()
    const pace = async (
      label: string,
      what: readonly string[],
      options: { readonly processors?: number; readonly profile?: string | undefined } = {},
    ): Promise<readonly Reading[]> => {
      const { watch, before } = watchCpu()
      const { events, perSecond } = await run<Pace>(programFile('rebuild', root), {
        args: [directory, ...what],
        watch,
        ...options,
      })
      const cpu = before(events / perSecond)
      return [
        { label, unit: 'events/s', value: perSecond },
        { label: `${label}, CPU`, unit: 'µs/event', value: cpu && cpu / events },
      ]
    }
    const canHold = canHoldTo(1)
    return {
      read: (round) =>
        inTurn(round, [
          () => pace(SCAN, ['scan']),
          () => pace(BY_ONE, ['rebuild', '1'], { profile }),
          () => pace(BY_TWO, ['rebuild', '2']),
          ...(canHold ? [() => pace(HELD, ['rebuild'], { processors: 1 })] : []),
        ]),
      notes: () => (canHold ? [] : ['The rebuild was not held to one processor: that needs Linux.']),
    }
  },
  targets: [
    { says: BY_ONE, of: BY_ONE, atLeast: 30_000, goal: 50_000 },
    { says: BY_TWO, of: BY_TWO, atLeast: 50_000, goal: 90_000 },
    { says: 'sequential reading of the log, decoded', of: SCAN, atLeast: 120_000, goal: 200_000 },
  ],
  mostRounds: 3,
  // Each program is a new process, as a rebuild is.
  warmUp: false,
}
