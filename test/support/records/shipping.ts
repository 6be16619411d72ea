import type { Tenant } from '../service.ts'
import { creatable, inWorkspace, type RecordMaker, unique } from './making.ts'
import { order } from './orders.ts'
import { variant } from './store.ts'

const location = creatable(
  async () => ({
    name: unique('Location'),
    address_name: 'Warehouse',
    email_address: 'warehouse@example.com',
    address: { address_one: '1 High Street', city: 'Leeds', country: 'GB', postal_code: 'LS1 1AA' },
  }),
  inWorkspace('/fulfillments/locations'),
  'fulfillments_location',
)

const stock: RecordMaker = {
  ...creatable(
    async (tenant) => ({
      variant_id: await variant.make(tenant),
      levels: [{ location_id: await location.make(tenant), quantity: 10 }],
    }),
    inWorkspace('/fulfillments/stocks'),
    'fulfillments_stock',
  ),
  by: {
    updateFulfillmentsStocks: async (tenant) => ({
      levels: [{ location_id: await location.make(tenant), quantity: 3 }],
    }),
    restockFulfillmentsStocks: async (tenant) => ({ location_id: await location.make(tenant), quantity: 3 }),
  },
}

/** A line of a paid invoice of a new order, and the contact of the order. */
const billedOf = async (tenant: Tenant) => {
  const orderId = await order.make(tenant)
  const orders_invoice = { external_id: unique('bill'), status: 'paid', paid_at: '2026-01-01T00:00:00Z' }
  const { body } = await tenant.api.post(`/orders/${orderId}/invoices`, { orders_invoice })
  const { contact_id } = (await tenant.api.get(`/orders/${orderId}`)).body
  return { contact_id, line: body.line_items[0] as { readonly id: number } }
}
const fulfillment = creatable(
  async (tenant) => {
    const { contact_id, line } = await billedOf(tenant)
    return {
      contact_id,
      location_id: await location.make(tenant),
      tracking_code: unique('JD'),
      included_orders_invoices_line_items_attributes: [{ invoices_line_item_id: line.id, quantity: 1 }],
    }
  },
  inWorkspace('/fulfillments'),
  'fulfillment',
)

const restock = creatable(
  async (tenant) => {
    const { contact_id, line } = await billedOf(tenant)
    const included = [{ invoices_line_item_id: line.id, quantity: 1 }]
    return { contact_id, included_orders_invoices_line_items_attributes: included }
  },
  inWorkspace('/orders/invoices/restocks'),
  'orders_invoices_restock',
)

const shippingProfile = creatable(
  async (tenant) => ({ name: unique('Profile'), variant_ids: [await variant.make(tenant)] }),
  inWorkspace('/shipping/profiles'),
  'shipping_profile',
)
const groupOf = async (tenant: Tenant): Promise<number> => {
  const id = await shippingProfile.make(tenant)
  return (await tenant.api.get(`/shipping/profiles/${id}/location_groups`)).body[0].id
}
const shippingZone = creatable(
  async () => ({ name: unique('Zone'), country_ids: ['DE', 'US'], region_ids: ['US-AK'] }),
  async (tenant) => `/shipping/location_groups/${await groupOf(tenant)}/zones`,
  'shipping_zone',
)
const rateName = creatable(
  async () => ({ name: unique('Express') }),
  inWorkspace('/shipping/rates/names'),
  'shipping_rates_name',
)
const shippingRate = creatable(
  async (tenant) => ({ price: '4.90', rates_name_id: await rateName.make(tenant) }),
  async (tenant) => `/shipping/zones/${await shippingZone.make(tenant)}/rates`,
  'shipping_rate',
)

/** Makers of locations, stock, fulfilments, restocks, and shipping profiles with their content. */
export const shippingMakers = {
  fulfillment,
  'orders/invoices/restock': restock,
  'fulfillments/location': location,
  'fulfillments/stock': stock,
  'shipping/profile': shippingProfile,
  'shipping/location_group': { make: groupOf },
  'shipping/zone': shippingZone,
  'shipping/rate': shippingRate,
  'shipping/rates/name': rateName,
  'shipping/package': creatable(
    async () => ({
      package_type: 'box',
      name: unique('Box'),
      height: 10,
      width: '20.5',
      length: 30,
      distance_unit: 'cm',
      weight: 1,
    }),
    inWorkspace('/shipping/packages'),
    'shipping_package',
  ),
}
