import { ok } from './client.ts'
import { communitiesOf } from './communities.ts'
import { eventually } from './eventually.ts'
import type { Tenant } from './service.ts'

/** Advances the clock of a test workspace, and waits until what fell due is done. */
export const advanceBy = async ({ api, workspaceId }: Tenant, ms: number): Promise<void> => {
  const clock = `/workspaces/${workspaceId}/test_clock`
  const { now } = ok(await api.get(clock))
  await api.post(clock, { to: new Date(Date.parse(String(now)) + ms).toISOString() })
  await eventually(async () => {
    if (ok(await api.get(clock)).state === 'advancing') throw new Error('it is being advanced')
  })
}

/** Makes a community with a space and named members, all of whom are in it. */
export const populated = async (tenant: Tenant, names: readonly string[], fields: object = {}) => {
  const make = communitiesOf(tenant)
  const { id: communityId } = await make.community({ send_membership_email: false, ...fields })
  const { id: groupId } = await make.group(communityId)
  const { id: spaceId } = await make.space(groupId)
  const ids: Record<string, number> = {}
  const memberships: Record<string, number> = {}
  for (const name of names) {
    const contact = { email_address: `${name.toLowerCase()}@secret.example`, first_name: name }
    const { id } = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact }))
    ids[name] = Number(id)
    memberships[name] = Number(ok(await make.join(communityId, Number(id), { space_ids: [spaceId] })).id)
  }
  return {
    make,
    communityId: Number(communityId),
    groupId: Number(groupId),
    spaceId: Number(spaceId),
    ids,
    memberships,
  }
}
