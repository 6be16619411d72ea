import { timesOf, whileRunning } from '../beside.ts'
import type { DataSet } from '../data-sets.ts'
import { fire } from '../load.ts'
import type { Probe } from '../probe.ts'
import { warm } from '../request-load.ts'
import { quantile } from '../statistics.ts'
import { readsOf } from '../targets.ts'

const READERS = 8

/** Matches no contact, and no index helps: every contact is examined. */
const NOBODY = 'created before 2001-01-01'
/** Status of the answer when a filter takes too long. */
const STOPPED = 422

const filterOf = async (api: string, { token, workspaceId }: DataSet): Promise<() => Promise<number>> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const workspace = `${api}/api/v2/workspaces/${workspaceId}/contacts`
  const body = JSON.stringify({ text: NOBODY })
  const made = await fetch(`${workspace}/filters`, { method: 'POST', headers, body })
  if (!made.ok) throw new Error(`the filter was refused: ${made.status} ${await made.text()}`)
  const { stable_id } = (await made.json()) as { readonly stable_id: string }
  return async () => {
    const answer = await fetch(`${workspace}?stable_id=${stable_id}`, { headers })
    const text = await answer.text()
    if (!answer.ok && answer.status !== STOPPED) throw new Error(`the list was answered with ${answer.status} ${text}`)
    return answer.status
  }
}

/** (m) Whether reads are delayed by a filter that examines every contact of a large workspace. */
export const readBesideFilter: Probe = {
  benchmark: 'm',
  title: ({ million }) =>
    `GET /contacts/{id}, ${READERS} connections, while somebody filters ${million.toLocaleString('en-GB')} contacts without an index`,
  async prepare({ effort, data, start }) {
    const set = await data.large()
    const { ready } = await start(set.directory)
    const reads = readsOf(ready.origin, set)
    await warm(reads)
    const filter = await filterOf(ready.origin, set)
    let stopped = 0
    const filtering = async () => {
      const took: number[] = []
      for (const end = performance.now() + effort.seconds * 1000; performance.now() < end; ) {
        const begun = performance.now()
        if ((await filter()) === STOPPED) stopped++
        took.push(performance.now() - begun)
      }
      return took
    }
    return {
      async read() {
        const alone = timesOf((await fire(reads, READERS, effort.seconds)).latencies)
        const { latencies, other } = await whileRunning(reads, READERS, effort.seconds, filtering())
        const beside = timesOf(latencies)
        return [
          { label: 'reads, p99, alone', unit: 'ms', value: alone.p99 },
          { label: 'reads, p99, beside the filter', unit: 'ms', value: beside.p99 },
          { label: 'slowest read, alone', unit: 'ms', value: alone.slowest },
          { label: 'slowest read, beside the filter', unit: 'ms', value: beside.slowest },
          { label: 'the filter itself', unit: 'ms', value: quantile(other, 0.5) },
        ]
      },
      notes: () => (stopped > 0 ? [`The service stopped the filter ${stopped} times because it took too long.`] : []),
    }
  },
  targets: [
    { says: 'p99 of reads beside a filter without an index', of: 'reads, p99, beside the filter', atMost: 20 },
    { says: 'slowest read beside a filter without an index', of: 'slowest read, beside the filter', atMost: 20 },
  ],
}
