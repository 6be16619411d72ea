import { setTimeout as sleep } from 'node:timers/promises'

interface Shop {
  /** Base URL of the API. */
  readonly api: string
  readonly workspaceId: number
  readonly apiKey: string
  /** Id of all its requests. */
  readonly requestId: string
}

interface ApiRecord {
  readonly id: number
  readonly default_variant_id: number
  readonly status: string
  readonly order_id: number
  readonly line_items: readonly { readonly id: number }[]
}

const LOOK_MS = 5
const PATIENCE_MS = 10_000

const BUYER = {
  email_address: 'grace@example.com',
  first_name: 'Grace',
  last_name: 'Hopper',
}
const ADDRESS = {
  shipping_address_one: '1 Harbour Road',
  shipping_address_city: 'Arlington',
  shipping_address_postal_code: '22201',
  shipping_address_country: 'US',
}

/**
 * Fills an empty workspace through the API, as any client would: with a product that has a price, stock and a way to ship
 * it, and with an order that is paid and sent.
 *
 * @throws {Error} when something is refused or takes too long
 */
export const furnishDemo = async ({ api, workspaceId, apiKey, requestId }: Shop): Promise<void> => {
  const headers = {
    ...{ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    'x-request-id': requestId,
  }
  const ask = async <T = ApiRecord>(method: string, path: string, body?: object): Promise<T> => {
    const sent = body && { body: JSON.stringify(body) }
    const response = await fetch(api + path, { method, headers, ...sent })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const workspace = `/workspaces/${workspaceId}`
  const make = (path: string, root: string, fields: object) => ask('POST', path, { [root]: fields })

  const [product, location, rateName, contact] = await Promise.all([
    make(`${workspace}/products`, 'product', { name: 'Enamel mug', visible_in_store: true }),
    make(`${workspace}/fulfillments/locations`, 'fulfillments_location', {
      ...{ name: 'Warehouse', address_name: 'Warehouse', email_address: 'warehouse@example.com' },
      address: { address_one: '7 Dock Street', city: 'Baltimore', country: 'US', postal_code: '21201' },
    }),
    make(`${workspace}/shipping/rates/names`, 'shipping_rates_name', { name: 'Standard' }),
    make(`${workspace}/contacts`, 'contact', BUYER),
  ])
  const variant_id = product.default_variant_id
  const fields = { product_type: 'physical', sku: 'MUG-1' }
  await ask('PUT', `/products/variants/${variant_id}`, { products_variant: fields })
  const [price, profile] = await Promise.all([
    make(`/products/variants/${variant_id}/prices`, 'products_price', { amount: '18.00' }),
    make(`${workspace}/shipping/profiles`, 'shipping_profile', { name: 'Parcels', variant_ids: [variant_id] }),
    make(`${workspace}/fulfillments/stocks`, 'fulfillments_stock', {
      ...{ variant_id, levels: [{ location_id: location.id, quantity: 24 }] },
    }),
  ])
  const [group] = await ask<readonly ApiRecord[]>('GET', `/shipping/profiles/${profile.id}/location_groups`)
  const everywhere = { name: 'Everywhere', includes_rest_of_world: true }
  const zone = await make(`/shipping/location_groups/${group?.id}/zones`, 'shipping_zone', everywhere)
  await make(`/shipping/zones/${zone.id}/rates`, 'shipping_rate', { rates_name_id: rateName.id, price: '4.90' })

  let checkout = await make(`${workspace}/checkouts`, 'checkout', {
    ...{ contact_id: contact.id, live_mode: false, payment_method_id: 'approved', ...ADDRESS },
    line_items_attributes: [{ variant_id, products_price_id: price.id, quantity: 1 }],
  })
  for (const begun = performance.now(); checkout.status !== 'completed'; await sleep(LOOK_MS)) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error('the order of the demo workspace was not placed')
    checkout = await ask('GET', `/checkouts/${checkout.id}`)
  }
  const [invoice] = await ask<readonly ApiRecord[]>('GET', `/orders/${checkout.order_id}/invoices`)
  await make(`${workspace}/fulfillments`, 'fulfillment', {
    ...{ contact_id: contact.id, location_id: location.id, shipping_provider: 'Post', tracking_code: 'DEMO-1' },
    included_orders_invoices_line_items_attributes: [
      { invoices_line_item_id: invoice?.line_items[0]?.id, quantity: 1 },
    ],
  })
}
