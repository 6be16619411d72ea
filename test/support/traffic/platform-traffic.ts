import { ok } from '../client.ts'
import { connect, issueToken, makeApplication } from '../platform.ts'
import type { Tenant } from '../service.ts'

/** An application gets a new secret. It is connected twice, the second time with fewer scopes, so that a token ends. */
export const platformTraffic = async (tenant: Tenant): Promise<void> => {
  const application = Number((await makeApplication(tenant)).id)
  const wide = await tenant.withScopes(['write'], 'team')
  ok(await wide.post(`/platform_applications/${application}/rotate_secret`, undefined))
  const connection = await connect(tenant, ['read', 'write'], application)
  await issueToken(tenant, connection)
  await connect(tenant, ['contacts:read'], application)
  await issueToken(tenant, connection, { kind: 'refresh', scopes: ['contacts:read'] })
  ok(await tenant.api.delete(`/platform_applications/connections/${connection}`))
}
