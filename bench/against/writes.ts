import { CONNECTIONS, postsTo } from '../measures/writes.ts'
import { compare, cpuNotes, shell, warm } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth, withServices } from './sides.ts'

/** (a) Contacts created over HTTP, many at a time and one after the other. */
export const writes = (duel: Duel): Promise<Compared> =>
  withServices(async (start) => {
    const { effort, scratch } = duel
    const both = await forBoth(duel, async (side, name) => {
      const service = await start(side, await scratch(`${name}-writes`), { demo: true })
      const { origin: api, workspace_id, api_key } = service.ready
      const target = postsTo(api, workspace_id!, api_key!)
      await warm(target)
      return { service, target }
    })
    const rows = await compare(effort.rounds, async (name) => {
      const { service, target } = both[name]
      const many = await shell(service, target, CONNECTIONS, effort.seconds)
      const lone = await shell(service, target, 1, effort.seconds)
      return [
        { label: `${CONNECTIONS} connections`, unit: 'requests/s', value: many.perSecond },
        { label: `${CONNECTIONS} connections, CPU`, unit: 'µs/request', value: many.cpu },
        { label: 'a lone create, 1 connection', unit: 'requests/s', value: lone.perSecond },
        { label: 'a lone create, CPU', unit: 'µs/request', value: lone.cpu },
      ]
    })
    return { benchmark: 'a', title: 'POST contacts', rows, notes: cpuNotes }
  })
