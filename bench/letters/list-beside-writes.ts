import { fire } from '../load.ts'
import type { Probe, Reading } from '../probe.ts'
import { warm } from '../request-load.ts'
import { quantile } from '../statistics.ts'
import { pagesOf, postsTo } from '../targets.ts'

const WRITERS = 8
const READERS = [1, 8] as const

const label = (readers: number): string => `list, ${readers} at a time, p50`
const ratioLabel = (readers: number): string => `${label(readers)}, beside writes to alone`

/** (k) How a stream of creates slows down lists of the same workspace. */
export const listBesideWrites: Probe = {
  benchmark: 'k',
  title: () => `a page of 20, ${READERS.join(' and ')} connections, while ${WRITERS} create contacts`,
  async prepare({ effort, data, start }) {
    const set = await data.fresh()
    const { ready } = await start(set.directory)
    const [pages, creates] = [pagesOf(ready.origin, set), postsTo(ready.origin, set)]
    await warm(pages)
    await warm(creates)
    const both = async (readers: number): Promise<readonly Reading[]> => {
      const alone = await fire(pages, readers, effort.seconds)
      const [listed, written] = await Promise.all([
        fire(pages, readers, effort.seconds),
        fire(creates, WRITERS, effort.seconds),
      ])
      const [before, beside] = [quantile(alone.latencies, 0.5), quantile(listed.latencies, 0.5)]
      return [
        { label: `${label(readers)}, alone`, unit: 'ms', value: before },
        { label: `${label(readers)}, beside writes`, unit: 'ms', value: beside },
        { label: ratioLabel(readers), unit: '×', value: beside / before },
        { label: `creates beside ${readers}`, unit: 'requests/s', value: written.perSecond },
      ]
    }
    return {
      async read() {
        const readings: Reading[] = []
        for (const readers of READERS) readings.push(...(await both(readers)))
        return readings
      },
    }
  },
  targets: READERS.map((readers) => ({
    says: `p50 of a list beside writes, ${readers} at a time, to alone`,
    of: ratioLabel(readers),
    atMost: 2,
  })),
}
