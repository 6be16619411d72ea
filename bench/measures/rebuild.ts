import { run } from '../child.ts'
import { programFile } from '../places.ts'
import type { Pace } from '../programs/rebuild.ts'
import type { Finding } from '../report.ts'
import { interleave, percent } from '../rounds.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

export const MOST_ROUNDS = 3

/** (d) How fast the read models are built anew, beside only reading the same log. */
export const rebuild = async ({ effort, data, profile }: Setting): Promise<Finding> => {
  const { directory, events } = await data.history()
  const pace = (what: 'scan' | 'rebuild') => async () =>
    (
      await run<Pace>(programFile('rebuild'), {
        args: [directory, what],
        profile: what === 'rebuild' ? profile : undefined,
      })
    ).perSecond
  const rounds = Math.min(effort.rounds, MOST_ROUNDS)
  const values = await interleave(rounds, { scan: pace('scan'), rebuild: pace('rebuild') }, { warmUp: false })
  return {
    benchmark: 'd',
    title: `rebuild over ${events.toLocaleString('en-GB')} events: contacts created, changed, tagged; opportunities opened, moved`,
    figures: [
      { label: 'scan and decode', unit: 'events/s', values: values.scan },
      { label: 'rebuild', unit: 'events/s', values: values.rebuild },
      {
        label: 'rebuild, share of the scan',
        unit: '%',
        values: percent(values.rebuild, values.scan),
      },
    ],
    targets: [{ says: 'rebuild', value: median(values.rebuild), unit: 'events/s', atLeast: 100_000 }],
  }
}
