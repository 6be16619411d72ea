import { look, MOST_ROUNDS } from '../measures/footprint.ts'
import type { Resident } from '../memory.ts'
import { evenly } from '../rounds.ts'
import { compare, type Reading } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth } from './sides.ts'

const memory = (label: string, { total, anonymous }: Resident): readonly Reading[] => [
  { label: `memory, ${label}`, unit: 'MiB', value: total },
  { label: '  of which anonymous', unit: 'MiB', value: anonymous },
]

/** (f) Start-up and resident memory, empty and with the large data set. */
export const footprint = async (duel: Duel): Promise<Compared> => {
  const { effort, sides, scratch } = duel
  const sets = await forBoth(duel, (side) => side.data.large())
  const many = `${effort.million.toLocaleString('en-GB')} contacts`
  const rows = await compare(Math.min(effort.rounds, evenly(MOST_ROUNDS)), async (name) => {
    const { root } = sides[name]
    const set = sets[name]
    const empty = await look(await scratch(`${name}-empty`), { demo: true, root })
    const large = await look(set.directory, { root }, { set, seconds: effort.seconds })
    return [
      { label: 'start-up, empty, with the demo workspace', unit: 'ms', value: empty.startedIn },
      { label: `start-up, ${many}`, unit: 'ms', value: large.startedIn },
      ...memory('empty', empty.idle),
      ...memory(`${many}, idle`, large.idle),
      ...memory('after reading all over', large.used!),
    ]
  })
  return { benchmark: 'f', title: 'start-up and resident memory', rows }
}
