import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ControlClient } from '../../control/client.ts'
import type { ShownClock } from '../../operator/test-clocks.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly json?: boolean
}

const LOOK_MS = 200

const DURATION = /^([1-9]\d{0,4})([smhdw])$/
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads a duration such as `90m` or `2d`, in milliseconds. */
const durationIn = (text: string): number => {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (ms > 0) return ms
  throw new InvalidArgumentError('Give a number of s, m, h, d or w, such as 90m or 2d.')
}

const pathFor = async (client: ControlClient, { workspace }: Flags): Promise<string> =>
  `/workspaces/${(await chooseWorkspace(client, workspace)).id}/test_clock`

const print = (clock: ShownClock, { json }: Flags): void => {
  const { workspace_id, now, to } = clock
  const text = `workspace ${workspace_id}: ${now}${to === null ? '' : `, on its way to ${to}`}`
  process.stdout.write(`${json ? JSON.stringify(clock) : text}\n`)
}

const showClock = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) =>
    print(await client.ask<ShownClock>('GET', await pathFor(client, flags)), flags),
  )

/** Where to advance a clock to. */
interface Goal {
  readonly to?: string
  readonly by?: number
}

const goalOf = async (client: ControlClient, path: string, { to, by }: Goal): Promise<string> => {
  if (to !== undefined) return to
  if (by === undefined) throw new Error('say how far to advance it, with --by or --to')
  const { now } = await client.ask<ShownClock>('GET', path)
  return new Date(Date.parse(now) + by).toISOString()
}

const advanceClock = (flags: Flags & Goal): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const path = await pathFor(client, flags)
    await client.ask('POST', path, { to: await goalOf(client, path, flags) })
    let clock = await client.ask<ShownClock>('GET', path)
    while (clock.state === 'advancing') {
      await sleep(LOOK_MS)
      clock = await client.ask<ShownClock>('GET', path)
    }
    print(clock, flags)
  })

export const addClock = (program: Command): void => {
  const clock = program.command('clock').description('clocks of workspaces that were made with --test')
  clock
    .command('show')
    .description('what the clock of a test workspace shows')
    .option('--workspace <id>', 'default: the only one there is')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(showClock)
  clock
    .command('advance')
    .description('let everything happen that is due until then, and wait for it')
    .addOption(
      new Option('--by <duration>', 'such as 90m, 2d or 4w; at most ten years').argParser(durationIn).conflicts('to'),
    )
    .option('--to <time>', 'instead, a time after what the clock shows, in ISO 8601')
    .option('--workspace <id>', 'default: the only one there is')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(advanceClock)
}
