import { ok } from '../client.ts'
import { recordMakers } from '../records.ts'
import type { Tenant } from '../service.ts'

/** An invoice is fulfilled, and one of its two fulfilments cancelled. Another invoice is restocked, and the restock cancelled. */
export const fulfillmentTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const path = `/workspaces/${workspaceId}/fulfillments`
  const wanted = await recordMakers.fulfillment!.fields!(tenant)
  const first = ok(await api.post(path, { fulfillment: wanted }))
  ok(await api.post(path, { fulfillment: wanted }))
  ok(await api.put(`/fulfillments/${first.id}`, { fulfillment: { tracking_url: 'https://example.com/JD-2' } }))
  ok(await api.post(`/fulfillments/${first.id}/cancel`))
  const id = await recordMakers['orders/invoices/restock']!.make(tenant)
  ok(await api.post(`/orders/invoices/restocks/${id}/cancel`))
}
