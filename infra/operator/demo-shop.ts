import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiRecord, type Shop, type ShopClient, shopClient } from './demo-client.ts'
import { furnishContent } from './demo-content.ts'
import { furnishFunnel, sell } from './demo-funnel.ts'
import { prepareMail, tagCustomers } from './demo-workflows.ts'

const LOOK_MS = 5
const PATIENCE_MS = 10_000

const BUYER = {
  email_address: 'grace@example.com',
  first_name: 'Grace',
  last_name: 'Hopper',
}
const ADDRESS = {
  shipping_address_street_one: '1 Harbour Road',
  shipping_address_city: 'Arlington',
  shipping_address_postal_code: '22201',
  shipping_address_country: 'US',
}

const EVERYWHERE = { name: 'Everywhere', includes_rest_of_world: true }

/** Lets these variants be sent to all countries. */
const ship = async ({ ask, make, workspace }: ShopClient, variant_ids: readonly number[]): Promise<void> => {
  const [rateName, profile] = await Promise.all([
    make(`${workspace}/shipping/rates/names`, 'shipping_rates_name', { name: 'Standard' }),
    make(`${workspace}/shipping/profiles`, 'shipping_profile', { name: 'Parcels', variant_ids }),
  ])
  const [group] = await ask<readonly ApiRecord[]>('GET', `/shipping/profiles/${profile.id}/location_groups`)
  const zone = await make(`/shipping/location_groups/${group?.id}/zones`, 'shipping_zone', EVERYWHERE)
  await make(`/shipping/zones/${zone.id}/rates`, 'shipping_rate', { rates_name_id: rateName.id, price: '4.90' })
}

/** Buys one of a variant, and waits until the order is placed. */
const buy = async ({ ask, make, workspace }: ShopClient, contact: ApiRecord, line: object): Promise<ApiRecord> => {
  let checkout = await make(`${workspace}/checkouts`, 'checkout', {
    ...{ contact_id: contact.id, live_mode: false, payment_method_id: 'approved', ...ADDRESS },
    line_items_attributes: [{ ...line, quantity: 1 }],
  })
  for (const begun = performance.now(); checkout.status !== 'completed'; await sleep(LOOK_MS)) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error('the order of the demo workspace was not placed')
    checkout = await ask('GET', `/checkouts/${checkout.id}`)
  }
  return checkout
}

/**
 * Fills an empty workspace through the API, as any client would: with a product that has a price, stock and a way to ship
 * it, with an order that is paid and sent, with a funnel that sells the product, with workflows for those who buy and who sign up, with a
 * course and a community for those who buy, and a blog post.
 *
 * @throws {Error} when something is refused or takes too long
 */
export const furnishDemo = async (shop: Shop): Promise<void> => {
  const client = shopClient(shop)
  const { ask, make, workspace } = client
  const [mug, location, contact, customer] = await Promise.all([
    sell(client, 'Enamel mug', '18.00', { product_type: 'physical', sku: 'MUG-1' }),
    make(`${workspace}/fulfillments/locations`, 'fulfillments_location', {
      ...{ name: 'Warehouse', address_name: 'Warehouse', email_address: 'warehouse@example.com' },
      address: { address_one: '7 Dock Street', city: 'Baltimore', country: 'US', postal_code: '21201' },
    }),
    make(`${workspace}/contacts`, 'contact', BUYER),
    tagCustomers(client),
    prepareMail(client),
  ])
  const cone = await sell(client, 'Pour-over cone', '12.00', { product_type: 'physical', sku: 'CONE-1' })
  await Promise.all([
    ship(client, [mug.variant.id, cone.variant.id]),
    furnishContent(client, mug.variant),
    make(`${workspace}/fulfillments/stocks`, 'fulfillments_stock', {
      ...{ variant_id: mug.variant.id, levels: [{ location_id: location.id, quantity: 24 }] },
    }),
  ])
  const { order_id } = await buy(client, contact, { variant_id: mug.variant.id, products_price_id: mug.price.id })
  const [invoice] = await ask<readonly ApiRecord[]>('GET', `/orders/${order_id}/invoices`)
  await make(`${workspace}/fulfillments`, 'fulfillment', {
    ...{ contact_id: contact.id, location_id: location.id, shipping_provider: 'Post', tracking_code: 'DEMO-1' },
    included_orders_invoices_line_items_attributes: [
      { invoices_line_item_id: invoice?.line_items[0]?.id, quantity: 1 },
    ],
  })
  await furnishFunnel(client, { mug: mug.product, cone, customer })
}
