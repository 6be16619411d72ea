import type { Probe } from '../probe.ts'
import { ratesOf } from '../rates.ts'
import { firstPageOf, pagesOf } from '../targets.ts'
import { walk } from '../walk.ts'

const CONNECTIONS = 64
const PAGE = 20
const SAME = 'the same page'
const SPREAD = 'pages spread over 100,000 contacts'

/** (i) The rate of pages of 20: one that all clients read, and pages that were not read recently. */
export const listRates: Probe = {
  benchmark: 'i',
  title: () => `a page of ${PAGE} contacts, ${CONNECTIONS} connections`,
  async prepare(context) {
    const set = await context.data.middle()
    const service = await context.start(set.directory)
    const { origin } = service.ready
    const starts = (await walk(origin, set)).filter((_, at) => at % PAGE === 0)
    return ratesOf(context, service, [
      { label: SAME, connections: CONNECTIONS, target: firstPageOf(origin, set), beside: 'GET' },
      { label: SPREAD, connections: CONNECTIONS, target: pagesOf(origin, set, starts), beside: 'GET' },
    ])
  },
  targets: [],
  targetsBeforeSqlite: [
    { says: `list of ${PAGE}, ${SAME}, to the rate before SQLite`, of: SAME, atLeast: 4, goal: 5 },
    { says: `list of ${PAGE}, ${SPREAD}, to the rate before SQLite`, of: SPREAD, atLeast: 1.2, goal: 1.8 },
  ],
}
