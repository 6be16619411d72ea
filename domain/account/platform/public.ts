import { type Ask, ask, within } from '../../kernel/decide/ask.ts'
import type { Documents } from '../../kernel/decide/command.ts'
import { readEverywhere } from '../../kernel/decide/rules.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { type ApplicationRecord, platformApplication } from './application/model.ts'
import { type ConnectionRecord, connection, type PlatformTokenRecord, platformToken } from './connection/model.ts'
import { connections } from './connection/rules.ts'

export { type ApplicationRecord, platformApplication } from './application/model.ts'
export { clientSecretOf } from './application/secret.ts'
export { type ConnectionRecord, connection, type PlatformTokenRecord, platformToken } from './connection/model.ts'
export { connections, MOST_TOKENS, REQUESTABLE_SCOPES } from './connection/rules.ts'

/** Who connects an application with which workspace. */
export interface Connecting {
  readonly applicationId: number
  readonly userId: number
  /** Of the user, in the team of the workspace. */
  readonly membershipId: number
  readonly workspaceId: number
}

/** Beginning of every platform token of a kind, by which it is told from tokens of other kinds. */
export const TOKEN_PREFIXES = { access: 'mrp_', refresh: 'mrr_' } as const

/** Returns the application of a client id. */
export const applicationOf = async (documents: Documents, clientId: string): Promise<ApplicationRecord | undefined> => {
  const [found] = await readEverywhere(documents).find(platformApplication, {
    where: { client_id: clientId },
    limit: 1,
  })
  return found
}

/** Returns the connection of an application, a person and a workspace. */
export const connectionOf = async (
  documents: Documents,
  { applicationId, membershipId, workspaceId }: Omit<Connecting, 'userId'>,
): Promise<ConnectionRecord | undefined> => {
  const where = { membership_id: membershipId, platform_application_id: applicationId, workspace_id: workspaceId }
  const [found] = await readEverywhere(documents).find(connection, { where, limit: 1 })
  return found as ConnectionRecord | undefined
}

/** Whether a person ended a connection along with a new password. The policy that clears it away comes later. */
export const isDisconnected = ({ id }: Pick<Document, 'id'>, credentials: Document | undefined): boolean =>
  Array.isArray(credentials?.disconnected) && credentials.disconnected.includes(id)

/** Whether a key that an application got by its secret is older than the present one. The policy that revokes it comes later. */
export const isOfFormerSecret = (key: Document, { secret_rotated_at }: Document): boolean =>
  typeof secret_rotated_at === 'string' && String(key.created_at) < secret_rotated_at

/** Returns the command that connects, under an id that was minted for it. Where the person has connected the application before, its scopes become these. */
export const connecting = (
  id: number,
  { applicationId, userId, membershipId, workspaceId }: Connecting,
  scopes: readonly string[],
): Ask => {
  const wanted = { platform_application_id: applicationId, user_id: userId, membership_id: membershipId, scopes }
  return ask(connections, id, 'create', wanted, { isNew: true, ifTaken: 'reconnect', workspaceId })
}

/** Returns the command that disconnects: all tokens of the connection end with it. */
export const disconnecting = ({ id, team_id, workspace_id }: Document): Ask => ({
  ...ask(connections, Number(id), 'remove', {}),
  of: { teamId: Number(team_id), workspaceId: Number(workspace_id) },
})

/** Returns the token of a digest. */
export const tokenOf = async (documents: Documents, hash: string): Promise<PlatformTokenRecord | undefined> => {
  const [found] = await readEverywhere(documents).find(platformToken, { where: { hash }, limit: 1 })
  return found
}

/** Returns the command that issues a token, under an id that was minted for it. It allows no more than the connection. */
export const issuing = (
  { id, workspace_id }: Pick<ConnectionRecord, 'id' | 'workspace_id'>,
  tokenId: number,
  token: Pick<PlatformTokenRecord, 'hash' | 'kind' | 'scopes'>,
): Ask => ask(within(connections, id, platformToken), tokenId, 'create', token, { workspaceId: workspace_id })

/** Returns the command that revokes a token. */
export const revoking = ({ id, connection_id }: Pick<PlatformTokenRecord, 'id' | 'connection_id'>): Ask =>
  ask(within(connections, connection_id, platformToken), id, 'remove', {})
