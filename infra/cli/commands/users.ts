import { type Command, Option } from 'commander'
import { ROLES, type Role } from '../../../domain/account/roles.ts'
import { accountsUrlIn } from '../../accounts-url.ts'
import type { Config } from '../../config.ts'
import type { ControlClient } from '../../control/client.ts'
import type { IssuedInvitation, IssuedReset, ListedPerson } from '../../operator/users.ts'
import { settingsOf, withControl } from '../session.ts'
import { linesOf } from '../tables.ts'

interface Flags {
  readonly data?: string
  readonly team?: string
  readonly json?: boolean
}

/** Returns the address at which people open pages: the running service knows its port, another process only what is configured. */
const accountsUrl = async (client: ControlClient, config: Config): Promise<string> => {
  const { accounts } = await client.ask<{ readonly accounts?: string }>('GET', '/status')
  return accounts ?? accountsUrlIn(config, config.port)
}

const teamIn = ({ team }: Flags) => (team === undefined ? {} : { teamId: Number(team) })

const list = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const query = flags.team === undefined ? '' : `?team_id=${encodeURIComponent(flags.team)}`
    const people = await client.ask<readonly ListedPerson[]>('GET', `/users${query}`)
    if (flags.json) {
      for (const person of people) process.stdout.write(`${JSON.stringify(person)}\n`)
      return
    }
    const rows = people.map(({ team_id, user_id, email, name, role_ids, status }) => [
      String(team_id),
      user_id === null ? '–' : String(user_id),
      email,
      name,
      role_ids.join(' '),
      status === 'open' ? 'invited' : status,
    ])
    process.stdout.write(linesOf([['TEAM', 'USER', 'EMAIL', 'NAME', 'ROLES', 'STATUS'], ...rows]))
  })

const invite = (email: string, flags: Flags & { readonly role: Role }): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client, config) => {
    const body = { email, role: flags.role, ...teamIn(flags) }
    const { path, ...invited } = await client.ask<IssuedInvitation>('POST', '/users/invite', body)
    const link = `${await accountsUrl(client, config)}${path}`
    if (flags.json) process.stdout.write(`${JSON.stringify({ ...invited, link })}\n`)
    else if (invited.mailed) process.stdout.write(`${invited.email} is invited, and gets a mail with a link.\n`)
    else
      process.stdout.write(
        `${invited.email} is invited. Hand over this link, which is valid until ${invited.expires_at}:\n${link}\n`,
      )
  })

const reset = (address: string, flags: Flags & { readonly totp?: boolean }): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client, config) => {
    const { path, ...user } = await client.ask<IssuedReset>('POST', '/users/reset', {
      address,
      totp: flags.totp === true,
    })
    const link = `${await accountsUrl(client, config)}${path}`
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ ...user, link })}\n`
        : `${user.email} is signed out everywhere${flags.totp ? ', and is asked for no codes any more' : ''}. Hand over this link, by which a password is chosen, within an hour:\n${link}\n`,
    )
  })

export const addUsers = (program: Command): void => {
  const users = program.command('users').description('people of teams')
  users
    .command('list')
    .description('members, and who is invited')
    .option('--team <id>', 'of this team alone')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON lines')
    .action(list)
  users
    .command('invite <address>')
    .description('invite a person, or give an open invitation another link')
    .option('--team <id>', 'the team; needed when there are several')
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('member'))
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON, with the link')
    .action(invite)
  users
    .command('reset <address>')
    .description('end all sessions and agents of a person, and print a link by which a password is chosen')
    .option('--totp', 'turn codes of an app off as well, for somebody who has lost them and all recovery codes')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON, with the link')
    .action(reset)
}
