import { fire } from '../load.ts'
import { type Probe, ProbeSkipped } from '../probe.ts'
import { warm } from '../request-load.ts'
import { SYNC_DELAY_MS, slowSync } from '../slow-sync.ts'
import { median, quantile } from '../statistics.ts'
import { postsTo, readsOf } from '../targets.ts'

const READERS = 8
const WRITERS = 8

/** A note when the writes do not show the delay: a store could sync in a way that the library does not catch. */
const delayNotes = (writes: readonly number[]): readonly string[] =>
  median(writes) < SYNC_DELAY_MS
    ? [
        'The writes were quicker than the delay: the store syncs in a way that was not delayed, and the figures mean nothing.',
      ]
    : []

/** (h) Whether reads are delayed by the disk syncs of writes. */
export const slowDisk: Probe = {
  benchmark: 'h',
  title: () =>
    `a disk that needs ${SYNC_DELAY_MS} ms more for each sync: GET /contacts/{id}, ${READERS} connections, while ${WRITERS} create contacts`,
  async prepare({ effort, data, start, scratch }) {
    const slow = await slowSync(await scratch('slow-sync'))
    if ('missing' in slow) throw new ProbeSkipped(slow.missing)
    const set = await data.fresh()
    const { ready } = await start(set.directory, { env: slow.env })
    const reads = readsOf(ready.origin, set)
    await warm(reads)
    const writeTimes: number[] = []
    return {
      async read() {
        const alone = await fire(reads, READERS, effort.seconds)
        const [read, written] = await Promise.all([
          fire(reads, READERS, effort.seconds),
          fire(postsTo(ready.origin, set), WRITERS, effort.seconds),
        ])
        const write = quantile(written.latencies, 0.5)
        writeTimes.push(write)
        return [
          { label: 'reads, p99, nobody writing', unit: 'ms', value: quantile(alone.latencies, 0.99) },
          { label: 'reads, p50', unit: 'ms', value: quantile(read.latencies, 0.5) },
          { label: 'reads, p99', unit: 'ms', value: quantile(read.latencies, 0.99) },
          { label: 'writes', unit: 'requests/s', value: written.perSecond },
          { label: 'writes, p50', unit: 'ms', value: write },
        ]
      },
      notes: () => delayNotes(writeTimes),
    }
  },
  targets: [{ says: "reads' p99 beside writers, slow disk", of: 'reads, p99', atMost: 20 }],
}
