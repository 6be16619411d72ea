import { readsOf } from '../measures/reads.ts'
import { delayNotes, readWhileWriting, type SlowDisk, TITLE, withoutSlowDisk } from '../measures/slow-disk.ts'
import { slowSync } from '../slow-sync.ts'
import { compare, warm } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth, withServices } from './sides.ts'

/** (h) Reads beside the writers of a disk that is slow to sync. */
export const slowDisk = (duel: Duel): Promise<Compared> =>
  withServices(async (start) => {
    const { effort, scratch } = duel
    const slow = await slowSync(await scratch('slow-sync'))
    if ('missing' in slow) return { ...withoutSlowDisk(slow), rows: [] }
    const both = await forBoth(duel, async (side) => {
      const set = await side.data.fresh()
      const service = await start(side, set.directory, { env: slow.env })
      await warm(readsOf(service.ready.origin, set))
      return { service, set }
    })
    const seen: SlowDisk[] = []
    const rows = await compare(effort.rounds, async (name) => {
      const { service, set } = both[name]
      const value = await readWhileWriting(service.ready, set, effort.seconds)
      seen.push(value)
      return [
        { label: 'reads, p99, nobody writing', unit: 'ms', value: value.quiet },
        { label: 'reads, p50', unit: 'ms', value: value.p50 },
        { label: 'reads, p99', unit: 'ms', value: value.p99 },
        { label: 'writes', unit: 'requests/s', value: value.writes },
        { label: 'writes, p50', unit: 'ms', value: value.write },
      ]
    })
    return { benchmark: 'h', title: TITLE, rows, notes: delayNotes(seen) }
  })
