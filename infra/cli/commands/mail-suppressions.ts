import type { Command } from 'commander'
import type { ControlClient } from '../../control/client.ts'
import type { ShownSuppression } from '../../operator/mail-suppressions.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { settingsOf, withControl } from '../session.ts'
import { linesOf } from '../tables.ts'

interface Flags {
  readonly note?: string
  readonly workspace?: string
  readonly data?: string
  readonly json?: boolean
}

const HEADINGS = ['AT', 'WHAT', 'REASON', 'BY', 'NOTE']

const textOf = ({ reason, unsubscribed_at, log }: ShownSuppression): string => {
  const state = [
    ...(reason === null ? [] : [`Suppressed: ${reason}`]),
    ...(unsubscribed_at === null ? [] : [`Unsubscribed: ${unsubscribed_at}`]),
  ]
  const rows = log.map(({ at, what, reason: why, by, note }) => [at, what, why ?? '-', by ?? '-', note ?? '-'])
  const lines = state.length === 0 ? 'Nothing is against mail to this address.\n' : `${state.join('\n')}\n`
  return lines + (rows.length === 0 ? '' : `\n${linesOf([HEADINGS, ...rows])}`)
}

const run = (flags: Flags, action: (client: ControlClient, workspaceId: number) => Promise<ShownSuppression>) =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const shown = await action(client, (await chooseWorkspace(client, flags.workspace)).id)
    process.stdout.write(flags.json ? `${JSON.stringify(shown)}\n` : textOf(shown))
  })

const show = (address: string, flags: Flags): Promise<void> =>
  run(flags, (client, workspace_id) => client.ask('POST', '/suppressions/show', { workspace_id, address }))

const lift = (address: string, flags: Flags): Promise<void> =>
  run(flags, (client, workspace_id) =>
    client.ask('POST', '/suppressions/lift', { workspace_id, address, note: flags.note ?? '' }),
  )

/** Adds the commands that show why nothing is mailed to an address, and lift that. */
export const addMailSuppressions = (mails: Command): void => {
  mails
    .command('suppression <address>')
    .description('why nothing is mailed to an address, and what was done about that')
    .option('--workspace <id>', 'workspace of the address')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(show)
  mails
    .command('lift <address>')
    .description('let mail go to an address again, except where somebody has unsubscribed')
    .requiredOption('--note <text>', 'why, for whoever looks at it later')
    .option('--workspace <id>', 'workspace of the address')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(lift)
}
