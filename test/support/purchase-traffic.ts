import { ok } from './client.ts'
import { recordMakers } from './records.ts'
import type { Tenant } from './service.ts'

const SECRET = 'ws_0123456789abcdef0123456789abcdef'

/** An endpoint for purchases that are made elsewhere, with its secret and a plan that stands for a price. */
export const openPurchases = async (
  { api, workspaceId }: Tenant,
  sold: { readonly variant_id: number; readonly products_price_id: number },
  sku = 'plan_1',
) => {
  const root = 'webhooks_incoming_external_purchases_endpoint'
  const path = '/webhooks/incoming/external_purchase_endpoints'
  const opened = await api.post(`/workspaces/${workspaceId}${path}`, {
    [root]: { name: 'Elsewhere', provider: 'whop', live_mode: true },
  })
  const { id } = opened.body
  const { body } = await api.call('PATCH', `${path}/${id}`, { [root]: { secret: SECRET } })
  const { variant_id: products_variant_id, products_price_id } = sold
  const mapped = await api.post(`${path}/${id}/product_mappings`, {
    external_purchase_product_mapping: { external_product_sku: sku, products_variant_id, products_price_id },
  })
  return { id: id as number, publicId: body.public_id as string, secret: SECRET, mapping: mapped.body.id as number }
}

/** A price of the tenant, with its variant. */
export const soldElsewhere = async (tenant: Tenant) => {
  const products_price_id = await recordMakers['products/price']!.make(tenant)
  const { variant_id } = ok(await tenant.api.get(`/products/prices/${products_price_id}`))
  return { variant_id: variant_id as number, products_price_id }
}

/** An endpoint with what is sold there. */
export const purchaseTraffic = async (tenant: Tenant): Promise<void> => {
  await openPurchases(tenant, await soldElsewhere(tenant))
}
