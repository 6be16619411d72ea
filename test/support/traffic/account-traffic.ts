import { invitation, membership } from '../../../domain/account/team-model.ts'
import { teams } from '../../../domain/account/team-rules.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { type ApiClient, ok } from '../client.ts'
import { memberOf } from '../records/account.ts'
import { recordMakers } from '../records.ts'
import type { Tenant, TestService } from '../service.ts'

/** People are invited, some by a second link; they join, get other roles, and leave. */
const peopleTraffic = async (tenant: Tenant, ofTeam: ApiClient): Promise<void> => {
  const { teamId, carryOut, mint } = tenant
  if (!carryOut || !mint) throw new Error('invitations are accepted within the process of the service')
  const invited = within(teams, teamId, invitation)
  const withdrawn = await recordMakers.invitation!.make(tenant)
  await carryOut(ask(invited, withdrawn, 'renew', {}))
  ok(await ofTeam.delete(`/invitations/${withdrawn}`))
  const joined = await memberOf(tenant)
  ok(await ofTeam.delete(`/memberships/${joined.id}`))
  const again = { email: joined.email, role_ids: ['member'] }
  const { id } = ok(await ofTeam.post(`/teams/${teamId}/invitations`, { invitation: again }))
  const back = await mint(membership)
  await carryOut(ask(invited, id, 'accept', { user_id: joined.userId, number: 1 }, { ids: [back] }))
  ok(await ofTeam.put(`/memberships/${back}`, { membership: { role_ids: ['admin'] } }))
}

/** A team and its workspace are renamed, what agents do is confirmed in a browser, a key is revoked, and people come and go. */
export const accountTraffic = async (tenant: Tenant, { background }: TestService): Promise<void> => {
  const { api, teamId, workspaceId } = tenant
  const wide = await tenant.withScopes(['account:write'], 'team')
  ok(await wide.put(`/teams/${teamId}`, { team: { name: 'Renamed', locale: 'pt' } }))
  ok(await api.put(`/workspaces/${workspaceId}`, { workspace: { name: 'Renamed' } }))
  ok(await api.put(`/workspaces/${workspaceId}`, { workspace: { subdomain: `moved-${workspaceId}` } }))
  ok(await api.put(`/workspaces/${workspaceId}/agents`, { agents: { confirmed_in: 'browser' } }))
  const key = await background.accounts.issueKey({ teamId, workspaceId, scopes: ['read'], label: 'Short-lived' })
  await background.accounts.revokeKey(key.id)
  await peopleTraffic(tenant, wide)
}

/** A workspace gives its subdomain up, and that is free 90 days later. */
export const subdomainTraffic = async ({ api, workspaceId }: Tenant): Promise<void> => {
  const workspace = `/workspaces/${workspaceId}`
  const clock = `${workspace}/test_clock`
  ok(await api.put(workspace, { workspace: { subdomain: `gone-from-${workspaceId}` } }))
  const to = new Date(ok(await api.get(clock)).now)
  to.setUTCDate(to.getUTCDate() + 91)
  ok(await api.post(clock, { to: to.toISOString() }))
  while (ok(await api.get(clock)).state === 'advancing') await new Promise((go) => setTimeout(go, 10))
}
