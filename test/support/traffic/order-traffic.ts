import { ok } from '../client.ts'
import { recordMakers } from '../records.ts'
import type { Tenant } from '../service.ts'

/** A subscription and an invoice pass through all states that can be set; a tag is added and removed. */
export const orderTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const order = await recordMakers.order!.fields!(tenant)
  const path = `/workspaces/${workspaceId}/orders`
  const placed = ok(await api.post(path, { order: { ...order, order_type: 'subscription-order' } }))
  const told = (fields: object) => api.put(`/orders/${placed.id}`, { order: fields })
  for (const service_status of ['active', 'paused', 'active', 'canceled', 'churned', 'pending', 'completed'])
    ok(await told({ service_status }))
  ok(await told({ notes: 'Called', billing_address_city: 'Bonn' }))
  const orders_invoice = { external_id: 'bill 1', status: 'unpaid' }
  const invoice = ok(await api.post(`/orders/${placed.id}/invoices`, { orders_invoice }))
  const bill = (fields: object) => api.put(`/orders/invoices/${invoice.id}`, { orders_invoice: fields })
  const statuses = ['past-due', 'paid', 'disputed', 'refunded', 'voided', 'unpaid']
  for (const status of statuses) ok(await bill({ status, paid_at: '2026-01-01T00:00:00Z' }))
  ok(await bill({ invoice_number: 'B-1', line_items_attributes: [{ id: invoice.line_items[0].id, quantity: 5 }] }))
  const tag = ok(await api.post(`${path}/tags`, { orders_tag: { name: 'Urgent' } }))
  const applied = ok(await api.post(`/orders/${placed.id}/applied_tags`, { orders_applied_tag: { tag_id: tag.id } }))
  ok(await api.delete(`/orders/applied_tags/${applied.id}`))
}
