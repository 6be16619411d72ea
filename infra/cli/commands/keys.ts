import type { Command } from 'commander'
import type { IssuedKey, KeyListing } from '../../operator/accounts.ts'
import { readScopes } from '../../settings.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly team?: boolean
  readonly scopes: string
  readonly label: string
  readonly json?: boolean
}

const createKey = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const { id, team_id } = await chooseWorkspace(client, flags.workspace)
    const body = {
      teamId: team_id,
      workspaceId: flags.team ? null : id,
      scopes: readScopes(flags.scopes),
      label: flags.label,
    }
    const key = await client.ask<IssuedKey>('POST', '/keys', body)
    const text = `API key ${key.id}: ${key.token}\nIt is shown only this once.\n`
    process.stdout.write(flags.json ? `${JSON.stringify(key)}\n` : text)
    for (const warning of key.warnings) process.stderr.write(`millrace: ${warning}\n`)
  })

const listKeys = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const { team_id } = await chooseWorkspace(client, flags.workspace)
    const keys = await client.ask<readonly KeyListing[]>('GET', `/keys?team_id=${team_id}`)
    for (const key of keys) {
      const state = key.revoked_at ? `revoked ${key.revoked_at}` : `since ${key.created_at}`
      const reach = key.workspace_id === null ? 'all workspaces' : `workspace ${key.workspace_id}`
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(key)}\n`
          : `${key.id}  ${key.hint}…  ${reach}  [${key.scopes.join(' ')}]  ${key.label}  ${state}\n`,
      )
    }
  })

const revokeKey = (id: string, flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    await client.ask('DELETE', `/keys/${encodeURIComponent(id)}`)
    process.stdout.write(`API key ${id} is revoked.\n`)
  })

export const addKeys = (program: Command): void => {
  const keys = program.command('keys').description('API keys')
  keys
    .command('create')
    .description('issue a key and show it once')
    .option('--workspace <id>', 'the workspace that it reaches; needed when there are several')
    .option('--team', 'let it reach every workspace of the team')
    .option('--scopes <scopes>', 'what it may do, separated by commas', 'read,write')
    .option('--label <text>', 'what it is for', 'API key')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(createKey)
  keys
    .command('list')
    .description('keys of a team, without their tokens')
    .option('--workspace <id>', 'a workspace of the team; needed when there are several')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON lines')
    .action(listKeys)
  keys
    .command('revoke <id>')
    .description('refuse a key from now on')
    .option('--data <directory>', 'data directory')
    .action(revokeKey)
}
