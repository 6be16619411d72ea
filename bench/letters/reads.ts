import type { Probe } from '../probe.ts'
import { ratesOf, shareLabel } from '../rates.ts'
import { readsOf } from '../targets.ts'
import { walk } from '../walk.ts'

const CONNECTIONS = 64
const HOT = 'GET, 500 hot contacts'
const IN_TURN = 'GET, 100,000 contacts in turn'

/** (b) The cost of a read, compared with an answer that is only serialised to JSON. */
export const reads: Probe = {
  benchmark: 'b',
  title: () => `GET /contacts/{id}, ${CONNECTIONS} connections`,
  async prepare(context) {
    const set = await context.data.middle()
    const service = await context.start(set.directory)
    const { origin } = service.ready
    const all = await walk(origin, set)
    return ratesOf(context, service, [
      { label: HOT, connections: CONNECTIONS, target: readsOf(origin, set), beside: 'GET' },
      { label: IN_TURN, connections: CONNECTIONS, target: readsOf(origin, set, all), beside: 'GET' },
    ])
  },
  targets: [
    { says: "read, 500 hot contacts, share of bare's rate", of: shareLabel(HOT), atLeast: 80, goal: 100 },
    { says: "read, 100,000 contacts in turn, share of bare's rate", of: shareLabel(IN_TURN), atLeast: 35, goal: 50 },
  ],
}
