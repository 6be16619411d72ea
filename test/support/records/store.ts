import type { Tenant } from '../service.ts'
import { creatable, inWorkspace, unique } from './making.ts'

export const product = creatable(
  async () => ({ name: unique('Product'), variant_properties: [{ name: 'Size' }] }),
  inWorkspace('/products'),
  'product',
)
/** The product of each tenant to which its variants belong. */
const shirts = new WeakMap<Tenant, Promise<{ readonly id: number; readonly variant_properties: { id: number }[] }>>()
const shirtOf = (tenant: Tenant) => {
  const made =
    shirts.get(tenant) ?? product.make(tenant).then(async (id) => (await tenant.api.get(`/products/${id}`)).body)
  shirts.set(tenant, made)
  return made
}
export const variant = {
  ...creatable(
    async (tenant) => ({
      name: unique('Variant'),
      sku: 'SH-1',
      properties_values: [{ property_id: (await shirtOf(tenant)).variant_properties[0]!.id, value: unique('L') }],
    }),
    async (tenant) => `/products/${(await shirtOf(tenant)).id}/variants`,
    'products_variant',
  ),
  owner: async (tenant: Tenant) => (await shirtOf(tenant)).id,
}
export const price = creatable(
  async () => ({ name: unique('Price'), amount: '97.00', payment_type: 'subscription', interval: 'months' }),
  async (tenant) => `/products/variants/${await variant.make(tenant)}/prices`,
  'products_price',
)
