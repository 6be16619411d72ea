import type { Command } from 'commander'
import { makesInstallation } from '../installation.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly name: string
  readonly subdomain?: string
  readonly currency: string
  readonly teamId?: string
  readonly teamName?: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly test?: true
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)

const createWorkspace = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const [firstName = '', ...lastNames] = flags.ownerName.split(' ')
    const owner = { email: flags.ownerEmail, firstName, lastName: lastNames.join(' ') }
    const team = flags.teamId
      ? { team_id: Number(flags.teamId) }
      : { team: { name: flags.teamName ?? flags.name, owner } }
    const subdomain = flags.subdomain ?? slug(flags.name)
    const body = {
      ...team,
      name: flags.name,
      subdomain,
      currency: flags.currency.toUpperCase(),
      test: flags.test ?? false,
    }
    const made = await client.ask('POST', '/workspaces', body)
    process.stdout.write(`${JSON.stringify(made)}\n`)
  })

export const addWorkspace = (program: Command): void => {
  const workspace = program.command('workspace').description('workspaces')
  makesInstallation(workspace.command('create'))
    .description('open a workspace, in a team of its own unless --team-id names one')
    .requiredOption('--name <name>', 'name of the workspace')
    .option('--subdomain <name>', 'default: made from the name')
    .option('--currency <code>', 'ISO 4217 code', 'USD')
    .option('--team-id <id>', 'an existing team')
    .option('--team-name <name>', 'name of the new team; default: that of the workspace')
    .option('--owner-email <address>', "e-mail address of the new team's owner", 'owner@example.com')
    .option('--owner-name <name>', "name of the new team's owner", 'Owner')
    .option('--test', 'with a clock that can be advanced (`millrace clock`); it stays a test workspace')
    .option('--data <directory>', 'data directory')
    .action(createWorkspace)
}
