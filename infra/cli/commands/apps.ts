import type { Command } from 'commander'
import type { ControlClient } from '../../control/client.ts'
import type { NewApplication, ShownApplication } from '../../operator/applications.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly public?: boolean
  readonly shared?: boolean
  readonly json?: boolean
}

const run = (flags: Flags, action: (client: ControlClient) => Promise<void>): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), action)

const credentialsOf = ({ id, name, client_id, client_secret }: NewApplication): string =>
  `Platform application ${id}: ${name}\nClient id:     ${client_id}\n` +
  (client_secret === null
    ? 'It is public: it has no secret and proves itself by PKCE.\n'
    : `Client secret: ${client_secret}\nThe secret is shown only this once.\n`)

const print = (application: NewApplication, { json }: Flags): void => {
  process.stdout.write(json ? `${JSON.stringify(application)}\n` : credentialsOf(application))
}

const create = (name: string, redirectUris: readonly string[], flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    const { team_id } = await chooseWorkspace(client, flags.workspace)
    const fields = { name, redirect_uris: redirectUris, confidential: !flags.public, shared: flags.shared === true }
    print(await client.ask<NewApplication>('POST', '/applications', { team_id, ...fields }), flags)
  })

const lineOf = ({ id, name, client_id, confidential, shared, connections, redirect_uris }: ShownApplication): string =>
  `${id}  ${client_id}  ${confidential ? 'confidential' : 'public'}  ${shared ? 'shared' : 'own team'}  ` +
  `connections: ${connections}  ${name}  [${redirect_uris.join(' ')}]\n`

const list = (flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    const { team_id } = await chooseWorkspace(client, flags.workspace)
    const all = await client.ask<readonly ShownApplication[]>('GET', `/applications?team_id=${team_id}`)
    for (const one of all) process.stdout.write(flags.json ? `${JSON.stringify(one)}\n` : lineOf(one))
  })

const rotate = (id: string, flags: Flags): Promise<void> =>
  run(flags, async (client) =>
    print(await client.ask<NewApplication>('POST', `/applications/${encodeURIComponent(id)}/rotate`, {}), flags),
  )

const remove = (id: string, flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    await client.ask('DELETE', `/applications/${encodeURIComponent(id)}`)
    process.stdout.write(`Platform application ${id} is removed, and its tokens are refused.\n`)
  })

export const addApps = (program: Command): void => {
  const apps = program.command('apps').description('platform applications, which people connect by OAuth')
  apps
    .command('create <name> <redirect_uris...>')
    .description('register an application, and show its secret once')
    .option('--public', 'it cannot keep a secret, because it runs on the computers of its users')
    .option('--shared', 'members of other teams may connect it, too')
    .option('--workspace <id>', 'a workspace of the team that owns it; needed when there are several')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(create)
  apps
    .command('list')
    .description('applications of a team, without their secrets')
    .option('--workspace <id>', 'a workspace of the team; needed when there are several')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON lines')
    .action(list)
  apps
    .command('rotate <id>')
    .description('make a new secret and show it once; the one before is refused')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(rotate)
  apps
    .command('remove <id>')
    .description('remove an application with all of its connections')
    .option('--data <directory>', 'data directory')
    .action(remove)
}
