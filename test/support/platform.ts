import { randomBytes } from 'node:crypto'
import { hashToken } from '../../api/token-hash.ts'
import {
  connecting,
  issuing,
  type PlatformTokenRecord,
  platformToken,
  TOKEN_PREFIXES,
} from '../../domain/account/platform/public.ts'
import { ok } from './client.ts'
import { unique } from './records/making.ts'
import type { Tenant } from './service.ts'

/** Fields that make a platform application. */
export const applicationFields = (): Record<string, unknown> => ({
  name: unique('Application'),
  redirect_uris: ['https://application.example/callback'],
})

/** Makes a platform application of the tenant's team. */
export const makeApplication = async (tenant: Tenant, fields: object = {}): Promise<Record<string, unknown>> => {
  const api = await tenant.withScopes(['read', 'write'], 'team')
  const body = { platform_application: { ...applicationFields(), ...fields } }
  return ok(await api.post(`/teams/${tenant.teamId}/platform_applications`, body))
}

const carryingOut = ({ carryOut }: Tenant) => {
  if (!carryOut) throw new Error('no request connects an application: it takes a service in this process')
  return carryOut
}

/** Returns the owner of the tenant's team. */
export const ownerOf = async ({ api, teamId }: Tenant): Promise<{ id: number; user_id: number }> =>
  ok(await api.get(`/teams/${teamId}/memberships`))[0]

/** Connects an application with the tenant's workspace for a member of the team, by default its owner. @returns the id of the connection */
export const connect = async (
  tenant: Tenant,
  scopes: readonly string[] = ['read', 'write'],
  applicationId?: number,
  member?: { readonly id: number; readonly userId: number },
): Promise<number> => {
  const { teamId, workspaceId } = tenant
  const owner = await ownerOf(tenant)
  const { id: membershipId, userId } = member ?? { id: owner.id, userId: owner.user_id }
  const id = applicationId ?? Number((await makeApplication(tenant)).id)
  await carryingOut(tenant)({
    ...connecting(0, { applicationId: id, userId, membershipId, workspaceId }, scopes),
    id: 'new',
  })
  const found = ok(await tenant.api.get(`/teams/${teamId}/platform_applications/connections?sort_order=desc`))
  const isOwn = (one: { platform_application_id: number; membership_id: number }) =>
    one.platform_application_id === id && one.membership_id === membershipId
  return found.find(isOwn).id
}

/** Issues a token of a connection. @returns the token, as it is sent */
export const issueToken = async (
  tenant: Tenant,
  connectionId: number,
  { kind = 'access', scopes = ['read', 'write'] }: Partial<Pick<PlatformTokenRecord, 'kind' | 'scopes'>> = {},
): Promise<string> => {
  const token = `${TOKEN_PREFIXES[kind]}${randomBytes(30).toString('base64url')}`
  const of = { id: connectionId, workspace_id: tenant.workspaceId }
  await carryingOut(tenant)(issuing(of, await tenant.mint!(platformToken), { hash: hashToken(token), kind, scopes }))
  return token
}
