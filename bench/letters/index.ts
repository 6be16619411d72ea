import type { Probe } from '../probe.ts'
import { commands } from './commands.ts'
import { costs } from './costs.ts'
import { firstPaint } from './first-paint.ts'
import { footprint } from './footprint.ts'
import { funnelStatistics } from './funnel-statistics.ts'
import { hostedPage } from './hosted-page.ts'
import { listBesideWrites } from './list-beside-writes.ts'
import { listOfOrders } from './list-of-orders.ts'
import { listRates } from './list-rates.ts'
import { lists } from './lists.ts'
import { mails } from './mails.ts'
import { mixed } from './mixed.ts'
import { readBesideFilter } from './read-beside-filter.ts'
import { readBesideRebuild } from './read-beside-rebuild.ts'
import { reads } from './reads.ts'
import { rebuild } from './rebuild.ts'
import { slowDisk } from './slow-disk.ts'
import { structure } from './structure.ts'
import { submits } from './submits.ts'
import { visits } from './visits.ts'
import { writes } from './writes.ts'

/** Every benchmark by its letter. */
export const PROBES: ReadonlyMap<string, Probe> = new Map(
  [
    writes,
    reads,
    lists,
    rebuild,
    commands,
    footprint,
    structure,
    slowDisk,
    listRates,
    mixed,
    listBesideWrites,
    readBesideRebuild,
    readBesideFilter,
    costs,
    listOfOrders,
    visits,
    funnelStatistics,
    hostedPage,
    submits,
    firstPaint,
    mails,
  ].map((probe) => [probe.benchmark, probe]),
)

/** The probes of these letters, separated by commas. @throws {Error} naming an unknown letter */
export const chosen = (letters: string | undefined): readonly Probe[] => {
  if (letters === undefined) return [...PROBES.values()]
  return letters.split(',').map((letter) => {
    const probe = PROBES.get(letter.trim())
    if (!probe) throw new Error(`there is no benchmark ${letter}; there are ${[...PROBES.keys()].join(', ')}`)
    return probe
  })
}
