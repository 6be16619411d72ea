import type { Command } from 'commander'
import type { ControlClient } from '../../control/client.ts'
import type { ShownName, ShownRecord } from '../../operator/domains.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { settingsOf, withControl } from '../session.ts'
import { linesOf } from '../tables.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly mail?: boolean
  readonly json?: boolean
}

const NAME_HEADINGS = ['NAME', 'FOR', 'STATUS']
const RECORD_HEADINGS = ['TYPE', 'NAME', 'VALUE', 'SEEN']

const statusOf = ({ ready, kind }: ShownName): string => {
  if (!ready) return 'not ready'
  return kind === 'mail' ? 'ready' : 'connected'
}

const recordCells = ({ type, name, value, verified }: ShownRecord): readonly string[] => [
  ...[type, name, value],
  verified ? 'yes' : 'no',
]

/** Returns a name with the records to publish, and what to do next. */
const detailsOf = (shown: ShownName): string =>
  `${shown.name} (${shown.kind}): ${statusOf(shown)}\n` +
  (shown.records.length === 0 ? '' : linesOf([RECORD_HEADINGS, ...shown.records.map(recordCells)])) +
  shown.next_steps.map((step) => `- ${step}\n`).join('')

const run = (flags: Flags, action: (client: ControlClient, path: string) => Promise<void>): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const { id } = await chooseWorkspace(client, flags.workspace)
    await action(client, `/workspaces/${id}/domains`)
  })

const print = (shown: readonly ShownName[], { json }: Flags): void => {
  process.stdout.write(json ? `${JSON.stringify(shown)}\n` : shown.map(detailsOf).join('\n'))
}

const connect = (name: string, flags: Flags): Promise<void> =>
  run(flags, async (client, path) =>
    print([await client.ask<ShownName>('POST', path, { name, kind: flags.mail ? 'mail' : 'website' })], flags),
  )

const verify = (name: string, flags: Flags): Promise<void> =>
  run(flags, async (client, path) =>
    print(await client.ask<readonly ShownName[]>('POST', `${path}/verify`, { name }), flags),
  )

const list = (flags: Flags): Promise<void> =>
  run(flags, async (client, path) => {
    const all = await client.ask<readonly ShownName[]>('GET', path)
    const rows = all.map((one) => [one.name, one.kind, statusOf(one)])
    process.stdout.write(flags.json ? `${JSON.stringify(all)}\n` : linesOf([NAME_HEADINGS, ...rows]))
  })

export const addDomains = (program: Command): void => {
  const domains = program.command('domains').description('names that workspaces serve pages at and send mail from')
  const add = (usage: string, about: string): Command =>
    domains
      .command(usage)
      .description(about)
      .option('--workspace <id>', 'default: the only one there is')
      .option('--data <directory>', 'data directory')
      .option('--json', 'print JSON')
  add('connect <name>', 'ask for a name, and show the records to publish')
    .option('--mail', 'to send mail from: a root domain')
    .action(connect)
  add('verify <name>', 'look the records of a name up').action(verify)
  add('list', 'the names of a workspace').action(list)
}
