import type { AdapterPayload } from 'oidc-provider'
import {
  applicationOf,
  clientSecretOf,
  connection,
  isDisconnected,
  platformApplication,
  TOKEN_PREFIXES,
  tokenOf,
} from '../../../domain/account/platform/public.ts'
import { credential } from '../../../domain/account/public.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { findAfterCatchUp } from '../../read-your-writes.ts'
import type { Service } from '../../service.ts'
import { hashToken } from '../../token-hash.ts'
import { holderText } from '../holder.ts'
import type { Resources } from '../resources.ts'
import type { CommandService } from './carry-out.ts'

/** What begins the id of a grant that is a connection of a platform application. */
const CONNECTION = 'connection_'

export type PlatformService = CommandService & Pick<Service, 'everywhere' | 'log' | 'secrets'>

/** Dependencies of what the library reads and writes of platform applications. */
export interface PlatformDeps {
  readonly service: PlatformService
  readonly resources: Resources
}

/** Records of platform applications do not expire; the library wants a time. Seconds since 1970, in the year 2255. */
export const NEVER = 9_000_000_000

/** Returns the id of the grant that a connection is. */
export const grantOf = (connectionId: number): string => CONNECTION + connectionId

/** Returns the id of the connection that a grant is; `undefined` for any other grant. */
export const connectionIn = (grantId: string | undefined): number | undefined =>
  grantId?.startsWith(CONNECTION) ? Number(grantId.slice(CONNECTION.length)) : undefined

/** Whether the adapter of platform applications has a record: a connection, or a token by how it begins. */
export const isOfPlatform = (id: string): boolean =>
  id.startsWith(CONNECTION) || id.startsWith(TOKEN_PREFIXES.access) || id.startsWith(TOKEN_PREFIXES.refresh)

/** Returns what the library knows of a platform application. */
export const applicationMetadata = async (
  { everywhere: live, secrets, log, progress }: PlatformService,
  clientId: string,
): Promise<AdapterPayload | undefined> => {
  const found = await findAfterCatchUp({ log, progress }, () => applicationOf(live, clientId))
  if (!found) return undefined
  const { name, redirect_uris, confidential } = found
  const secret = clientSecretOf(secrets, found)
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirect_uris],
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token', ...(confidential ? ['password'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: confidential ? 'client_secret_post' : 'none',
    ...(secret !== null && { client_secret: hashToken(secret) }),
  }
}

/** Returns what is the same in all that the library knows of a connection. */
const ofConnection = async ({ service: { everywhere: live } }: PlatformDeps, held: Document) => {
  const application = await live.get(platformApplication.name, Number(held.platform_application_id))
  return (
    application && {
      accountId: holderText({ userId: Number(held.user_id), workspaceId: Number(held.workspace_id), generation: 0 }),
      clientId: String(application.client_id),
      grantId: grantOf(Number(held.id)),
      iat: Math.floor(Date.parse(String(held.created_at)) / 1000),
      exp: NEVER,
    }
  )
}

/** Returns a connection, also where another process has only just written it. */
export const connectionOf = async ({ service }: PlatformDeps, id: number): Promise<Document | undefined> => {
  const held = await findAfterCatchUp(service, () => service.everywhere.get(connection.name, id))
  const of = held && (await service.everywhere.get(credential.name, Number(held.user_id)))
  return held && isDisconnected(held, of) ? undefined : held
}

const scopesOf = (held: Document): string => ((held.scopes ?? []) as readonly string[]).join(' ')

/** Returns a connection as the grant that the library takes it for. */
export const grantPayload = async (deps: PlatformDeps, id: string): Promise<AdapterPayload | undefined> => {
  const held = await connectionOf(deps, connectionIn(id) ?? 0)
  const shared = held && (await ofConnection(deps, held))
  if (!shared) return undefined
  const { grantId: _, ...rest } = shared
  return { ...rest, kind: 'Grant', jti: id, resources: { [deps.resources.api]: scopesOf(held) } }
}

/** Returns a token of a platform application as the library takes it. @param kind the one that it looks for */
export const tokenPayload = async (
  deps: PlatformDeps,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> => {
  const { service, resources } = deps
  const token = await findAfterCatchUp(service, () => tokenOf(service.everywhere, hashToken(id)))
  const held = token && (await connectionOf(deps, token.connection_id ?? 0))
  const shared = held && (await ofConnection(deps, held))
  if (!token || !shared) return undefined
  const scope = token.scopes.join(' ')
  if (token.kind === 'access')
    return kind === 'AccessToken' ? { ...shared, kind, jti: id, scope, aud: resources.api } : undefined
  return kind === 'RefreshToken' ? { ...shared, kind, jti: id, scope, resource: resources.api } : undefined
}
