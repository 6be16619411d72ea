import { type Command, InvalidArgumentError } from 'commander'
import type { RebuildProgress } from '../../../projections/rebuild.ts'
import { settingsOf, withControl } from '../session.ts'

type Line = RebuildProgress & { readonly done?: boolean; readonly error?: string }

interface Flags {
  readonly data?: string
  readonly json?: boolean
  readonly threads?: number
}

const MOST_THREADS = 64

const threadsIn = (text: string): number => {
  if (/^\d+$/.test(text) && Number(text) <= MOST_THREADS) return Number(text)
  throw new InvalidArgumentError(`Give a whole number from 0 to ${MOST_THREADS}.`)
}

const rebuild = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const { Presets, SingleBar } = await import('cli-progress')
    const bar = new SingleBar(
      { format: '{bar} {percentage}%  {events} events  {rate}/s  ETA {eta_formatted}' },
      Presets.shades_classic,
    )
    if (!flags.json) bar.start(1, 0, { events: 0, rate: 0 })
    const path = flags.threads === undefined ? '/rebuild' : `/rebuild?threads=${flags.threads}`
    for await (const line of client.lines<Line>('POST', path)) {
      if (line.error !== undefined) throw new Error(line.error)
      if (flags.json) process.stdout.write(`${JSON.stringify(line)}\n`)
      else {
        bar.setTotal(Math.max(1, line.target))
        bar.update(Math.max(0, line.position), { events: line.events, rate: line.eventsPerSecond })
      }
      if (line.done && !flags.json) {
        bar.stop()
        process.stdout.write(`Rebuilt from ${line.events} events at ${line.eventsPerSecond} events/s.\n`)
      }
    }
  })

export const addRebuild = (program: Command): void => {
  program
    .command('rebuild')
    .description('build the read models anew from the log, beside the live ones, and swap them')
    .option('--data <directory>', 'data directory')
    .option(
      '--threads <number>',
      'how many threads fold streams, on embedded stores; 0: none, in the order of the log (default: as suits machine and log)',
      threadsIn,
    )
    .option('--json', 'print progress as JSON lines')
    .action(rebuild)
}
