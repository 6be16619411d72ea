import { ok } from '../client.ts'
import { BUSINESS } from '../records/emails.ts'
import { recordMakers } from '../records.ts'
import { publishText } from '../servers/name-server.ts'
import type { Tenant } from '../service.ts'

/** A sending domain is verified and rotates its key; a sender moves to it. */
export const mailTraffic = async (tenant: Tenant): Promise<void> => {
  const { api } = tenant
  for (const footer_alignment of ['left', 'right']) {
    const marketing_setting = { ...BUSINESS, footer_alignment }
    ok(await api.put(`/workspaces/${tenant.workspaceId}/emails/settings`, { marketing_setting }))
  }
  const id = await recordMakers['emails/domain']!.make(tenant)
  const sender = await recordMakers['emails/address']!.make(tenant)
  const emails_address = { name: 'Shop', label: 'Main', emails_domain_id: id }
  ok(await api.put(`/emails/addresses/${sender}`, { emails_address }))
  const rotate = async () => ok(await api.post(`/emails/domains/${id}/rotate_dkim`))
  const verify = async (shown: Record<string, { name: string; value: string }>) => {
    for (const kind of ['dkim_record', 'spf_record', 'dmarc_record']) publishText(shown[kind]!.name, shown[kind]!.value)
    ok(await api.post(`/emails/domains/${id}/verify`))
  }
  await verify(await rotate())
  await verify(await rotate())
}
