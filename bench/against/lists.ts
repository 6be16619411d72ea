import type { DataSet } from '../data-sets.ts'
import { CONNECTIONS, pagesOf } from '../measures/lists.ts'
import { compare, cpuNotes, shell, warm } from './compare.ts'
import type { Compared } from './report.ts'
import { type Duel, forBoth, type Side, withServices } from './sides.ts'

/** (c) Pages of a short and of a long list, and how much longer those of the long one take. */
export const lists = (duel: Duel): Promise<Compared> =>
  withServices(async (start) => {
    const { effort } = duel
    const listOf = async (side: Side, set: DataSet) => {
      const service = await start(side, set.directory)
      const target = pagesOf(service.ready.origin, set)
      await warm(target)
      return () => shell(service, target, CONNECTIONS, effort.seconds)
    }
    const both = await forBoth(duel, async (side) => ({
      small: await listOf(side, await side.data.small()),
      large: await listOf(side, await side.data.large()),
    }))
    const many = `${effort.million.toLocaleString('en-GB')} contacts`
    const rows = await compare(effort.rounds, async (name) => {
      const small = await both[name].small()
      const large = await both[name].large()
      return [
        { label: 'p50 with 1,000 contacts', unit: 'ms', value: small.p50 },
        { label: `p50 with ${many}`, unit: 'ms', value: large.p50 },
        { label: 'p50, large to small', unit: '×', value: large.p50 / small.p50 },
        { label: 'CPU with 1,000 contacts', unit: 'µs/request', value: small.cpu },
        { label: `CPU with ${many}`, unit: 'µs/request', value: large.cpu },
      ]
    })
    return { benchmark: 'c', title: 'a page of 20 anywhere in the list, 1 connection', rows, notes: cpuNotes }
  })
