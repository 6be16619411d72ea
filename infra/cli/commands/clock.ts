import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
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

const advanceClock = (flags: Flags & { readonly to: string }): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const path = await pathFor(client, flags)
    await client.ask('POST', path, { to: flags.to })
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
    .requiredOption('--to <time>', 'ISO 8601; after what the clock shows, by at most ten years')
    .option('--workspace <id>', 'default: the only one there is')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(advanceClock)
}
