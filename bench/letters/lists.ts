import { fire, type Target } from '../load.ts'
import type { Probe, Reading, Service } from '../probe.ts'
import { type LoadResult, measureLoad, warm } from '../request-load.ts'
import { inTurn } from '../rounds.ts'
import { pagesOf, postsTo } from '../targets.ts'

const CREATES = 300
const WARMING_CREATES = 2000
const WARMING_CONNECTIONS = 64

const readingsOf = (what: string, few: LoadResult, many: LoadResult): readonly Reading[] => [
  { label: `${what}, p50 with few`, unit: 'ms', value: few.p50 },
  { label: `${what}, p50 with many`, unit: 'ms', value: many.p50 },
  { label: `${what}, p50 with many to few`, unit: '×', value: many.p50 / few.p50 },
  { label: `${what}, p99 with few`, unit: 'ms', value: few.p99 },
  { label: `${what}, p99 with many`, unit: 'ms', value: many.p99 },
  { label: `${what}, CPU with few`, unit: 'µs/request', value: few.cpu },
  { label: `${what}, CPU with many`, unit: 'µs/request', value: many.cpu },
]

/** (c) Growth of the time for a page of 20, and for a create, with the number of contacts. */
export const lists: Probe = {
  benchmark: 'c',
  title: ({ million }) =>
    `a page of 20 anywhere in the list, and a create, 1 connection: ${million.toLocaleString('en-GB')} contacts beside 1,000`,
  async prepare({ data, start, effort }) {
    const sets = { small: await data.small(), large: await data.large(), written: await data.fresh() }
    // Created contacts must not lengthen the list of a thousand.
    const [small, large, written] = [
      await start(sets.small.directory),
      await start(sets.large.directory),
      await start(sets.written.directory),
    ]
    const pages = { small: pagesOf(small.ready.origin, sets.small), large: pagesOf(large.ready.origin, sets.large) }
    const creates = {
      small: postsTo(written.ready.origin, sets.written),
      large: postsTo(large.ready.origin, sets.large),
    }
    for (const target of Object.values(pages)) await warm(target)
    for (const target of Object.values(creates))
      await fire(target, WARMING_CONNECTIONS, effort.seconds, { requests: WARMING_CREATES })
    const pair = async (round: number, what: string, few: Service, targets: typeof pages, requests?: number) => {
      const shot = (service: Service, target: Target) => async () => [
        await measureLoad(service, target, 1, effort.seconds, { requests }),
      ]
      const [ofFew, ofMany] = await inTurn(round, [shot(few, targets.small), shot(large, targets.large)])
      return readingsOf(what, ofFew!, ofMany!)
    }
    return {
      read: async (round) => [
        ...(await pair(round, 'list', small, pages)),
        ...(await pair(round, 'create', written, creates, CREATES)),
      ],
    }
  },
  targets: [
    { says: 'p50 of a list, many contacts to 1,000', of: 'list, p50 with many to few', atMost: 1.25, goal: 1.1 },
    { says: 'p50 of a create, many contacts to 1,000', of: 'create, p50 with many to few', atMost: 1.25, goal: 1.1 },
  ],
}
