import { ok } from '../client.ts'
import { advanceBy, populated } from '../notices.ts'
import type { Tenant } from '../service.ts'

const DAY_MS = 24 * 60 * 60_000

/** A member is mentioned, and digests of a community fall due, are put off since the zone has changed, and are turned off and on. */
export const noticeTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const inZone = async (time_zone: string) =>
    ok(await api.put(`/workspaces/${workspaceId}`, { workspace: { time_zone } }))
  await inZone('Tokyo')
  const { make, communityId, spaceId, ids } = await populated(tenant, ['Ada', 'Bob'], { notifications: 'essential' })
  await make.post(spaceId, { contact_id: ids.Ada, body: `<p><span data-mention="${ids.Bob}">Bob</span></p>` })
  await advanceBy(tenant, DAY_MS)
  // Eight o'clock in Tokyo is the afternoon of the same day there.
  await inZone('Pacific Time (US & Canada)')
  await advanceBy(tenant, DAY_MS)
  for (const send_digest_email of [false, true])
    ok(await api.put(`/communities/${communityId}`, { community: { send_digest_email } }))
}
