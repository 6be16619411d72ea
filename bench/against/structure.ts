import { structureOf, TITLE } from '../measures/structure.ts'
import { compare, cpuNotes, shell, warm } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth, withServices } from './sides.ts'

/** (g) The structure of a large funnel, one request after the other. */
export const structure = (duel: Duel): Promise<Compared> =>
  withServices(async (start) => {
    const { effort, scratch, tell } = duel
    const both = await forBoth(duel, async (side, name) => {
      const service = await start(side, await scratch(`${name}-structure`), { demo: true })
      const target = await structureOf(service.ready, tell)
      await warm(target)
      return { service, target }
    })
    const rows = await compare(effort.rounds, async (name) => {
      const { service, target } = both[name]
      const { p50, cpu } = await shell(service, target, 1, effort.seconds)
      return [
        { label: 'p50', unit: 'ms', value: p50 },
        { label: 'CPU', unit: 'µs/request', value: cpu },
      ]
    })
    return { benchmark: 'g', title: TITLE, rows, notes: cpuNotes }
  })
