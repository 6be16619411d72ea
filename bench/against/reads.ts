import { CONNECTIONS, readsOf } from '../measures/reads.ts'
import { compare, cpuNotes, shell, warm } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth, withServices } from './sides.ts'

/** (b) Contacts read over HTTP. */
export const reads = (duel: Duel): Promise<Compared> =>
  withServices(async (start) => {
    const both = await forBoth(duel, async (side) => {
      const set = await side.data.small()
      const service = await start(side, set.directory)
      const target = readsOf(service.ready.origin, set)
      await warm(target)
      return { service, target }
    })
    const rows = await compare(duel.effort.rounds, async (name) => {
      const { service, target } = both[name]
      const { perSecond, cpu } = await shell(service, target, CONNECTIONS, duel.effort.seconds)
      return [
        { label: 'rate', unit: 'requests/s', value: perSecond },
        { label: 'CPU', unit: 'µs/request', value: cpu },
      ]
    })
    return { benchmark: 'b', title: `GET /contacts/{id}, ${CONNECTIONS} connections`, rows, notes: cpuNotes }
  })
