import { timesOf, whileRunning } from '../beside.ts'
import { run } from '../child.ts'
import { fire } from '../load.ts'
import { millraceFile } from '../places.ts'
import type { Probe } from '../probe.ts'
import { warm } from '../request-load.ts'
import { readsOf } from '../targets.ts'

const READERS = 8

/** (l) Whether reads are delayed by a rebuild, from its beginning until its documents are live. */
export const readBesideRebuild: Probe = {
  benchmark: 'l',
  title: ({ million }) =>
    `GET /contacts/{id}, ${READERS} connections, while ${million.toLocaleString('en-GB')} events are rebuilt`,
  async prepare({ effort, data, root, start }) {
    const set = await data.history()
    const { ready } = await start(set.directory)
    const reads = readsOf(ready.origin, set)
    await warm(reads)
    const rebuild = () =>
      run<{ readonly eventsPerSecond: number }>(millraceFile(root), {
        args: ['rebuild', '--data', set.directory, '--json'],
      })
    return {
      async read() {
        const alone = timesOf((await fire(reads, READERS, effort.seconds)).latencies)
        const { latencies, other } = await whileRunning(reads, READERS, effort.seconds, rebuild())
        const beside = timesOf(latencies)
        return [
          { label: 'reads, p50, alone', unit: 'ms', value: alone.p50 },
          { label: 'reads, p50, beside the rebuild', unit: 'ms', value: beside.p50 },
          { label: 'reads, p99, alone', unit: 'ms', value: alone.p99 },
          { label: 'reads, p99, beside the rebuild', unit: 'ms', value: beside.p99 },
          { label: 'slowest read, alone', unit: 'ms', value: alone.slowest },
          { label: 'slowest read, beside the rebuild', unit: 'ms', value: beside.slowest },
          { label: 'rebuild beside the reads', unit: 'events/s', value: other.eventsPerSecond },
        ]
      },
    }
  },
  targets: ['reads, p99, alone', 'reads, p99, beside the rebuild', 'slowest read, beside the rebuild'].map((of) => ({
    says: `${of}, ${READERS} connections`,
    of,
  })),
  mostRounds: 3,
  warmUp: false,
}
