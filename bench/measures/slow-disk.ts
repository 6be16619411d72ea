import type { DataSet } from '../data-sets.ts'
import { fire } from '../load.ts'
import type { Finding } from '../report.ts'
import { interleave } from '../rounds.ts'
import { type ServiceReady, startService } from '../service.ts'
import { type SlowSync, SYNC_DELAY_MS, slowSync } from '../slow-sync.ts'
import { median, quantile } from '../statistics.ts'
import { readsOf } from './reads.ts'
import type { Setting } from './setting.ts'
import { postsTo } from './writes.ts'

const READERS = 8
const WRITERS = 8
export const TITLE = `a disk that needs ${SYNC_DELAY_MS} ms more for each sync: GET /contacts/{id}, ${READERS} connections, while ${WRITERS} create contacts`

/** What readers and writers of a slow disk saw. */
export interface SlowDisk {
  /** Milliseconds; reads with nobody writing, and with all writers at work. */
  readonly quiet: number
  readonly p50: number
  readonly p99: number
  readonly writes: number
  readonly write: number
}

/** Reads from a service for so many seconds alone, then for as long beside its writers. */
export const readWhileWriting = async (ready: ServiceReady, set: DataSet, seconds: number): Promise<SlowDisk> => {
  const reads = readsOf(ready.origin, set)
  const alone = await fire(reads, READERS, seconds)
  const [read, written] = await Promise.all([
    fire(reads, READERS, seconds),
    fire(postsTo(ready.origin, set.workspaceId, set.token), WRITERS, seconds),
  ])
  return {
    quiet: quantile(alone.latencies, 0.99),
    p50: quantile(read.latencies, 0.5),
    p99: quantile(read.latencies, 0.99),
    writes: written.perSecond,
    write: quantile(written.latencies, 0.5),
  }
}

/** That the delay arrived must be seen in the writes: a store could sync in a way that the library does not catch. */
export const delayNotes = (values: readonly SlowDisk[]): readonly string[] =>
  median(values.map(({ write }) => write)) < SYNC_DELAY_MS
    ? [
        'The writes were quicker than the delay: the store syncs in a way that was not delayed, and the figures mean nothing.',
      ]
    : []

/** (h) left out. */
export const withoutSlowDisk = (slow: Extract<SlowSync, { missing: string }>) => ({
  benchmark: 'h',
  title: TITLE,
  notes: [`Left out: ${slow.missing}.`],
})

/** (h) Whether reads wait for the syncs of others' writes. */
export const slowDisk = async ({ effort, data, scratch, profile }: Setting): Promise<Finding> => {
  const slow = await slowSync(await scratch('slow-sync'))
  if ('missing' in slow) return { ...withoutSlowDisk(slow), figures: [], targets: [] }
  const set = await data.fresh()
  const service = await startService(set.directory, { profile, env: slow.env })
  try {
    const { reads } = await interleave(effort.rounds, {
      reads: () => readWhileWriting(service.ready, set, effort.seconds),
    })
    const of = (name: keyof SlowDisk) => reads.map((value) => value[name])
    return {
      benchmark: 'h',
      title: TITLE,
      figures: [
        { label: 'reads, p99, nobody writing', unit: 'ms', values: of('quiet') },
        { label: 'reads, p50', unit: 'ms', values: of('p50') },
        { label: 'reads, p99', unit: 'ms', values: of('p99') },
        { label: 'writes', unit: 'requests/s', values: of('writes') },
        { label: 'writes, p50', unit: 'ms', values: of('write') },
      ],
      targets: [{ says: "reads' p99 beside the writers", value: median(of('p99')), unit: 'ms', atMost: 20 }],
      notes: delayNotes(reads),
    }
  } finally {
    await service.stop()
  }
}
