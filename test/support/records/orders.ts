import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../service.ts'
import { shopOf } from '../traffic/shop.ts'
import { contact } from './contact.ts'
import { creatable, idOf, inWorkspace, unique } from './making.ts'
import { variant } from './store.ts'

/** The variant that a tenant's orders contain, with a one-time price. */
const sold = new WeakMap<Tenant, Promise<{ readonly variant_id: number; readonly products_price_id: number }>>()
export const soldOf = (tenant: Tenant) => {
  const made =
    sold.get(tenant) ??
    variant.make(tenant).then(async (variant_id) => {
      const fields = { products_price: { amount: '12.50' } }
      const products_price_id = idOf(await tenant.api.post(`/products/variants/${variant_id}/prices`, fields))
      return { variant_id, products_price_id }
    })
  sold.set(tenant, made)
  return made
}
export const order = creatable(
  async (tenant) => ({
    order_type: 'one-time-order',
    live_mode: true,
    contact_id: await contact.make(tenant),
    line_items_attributes: [{ ...(await soldOf(tenant)), quantity: 2 }],
    shipping_address_city: 'Berlin',
    notes: 'Rings twice',
  }),
  inWorkspace('/orders'),
  'order',
)
export const invoice = creatable(
  async () => ({ external_id: unique('bill'), status: 'paid', paid_at: '2026-01-01T00:00:00Z' }),
  async (tenant) => `/orders/${await order.make(tenant)}/invoices`,
  'orders_invoice',
)
export const orderTag = creatable(
  async () => ({ name: unique('Order tag'), color: '#123456' }),
  inWorkspace('/orders/tags'),
  'orders_tag',
)

export const checkout = creatable(
  async (tenant) => ({
    ...{ contact_id: await contact.make(tenant), live_mode: false, payment_method_id: 'approved' },
    line_items_attributes: [{ ...(await soldOf(tenant)), quantity: 2 }],
  }),
  inWorkspace('/checkouts'),
  'checkout',
)
/** Id of the order that a completed checkout has placed. */
const bought = async (tenant: Tenant, more: object = {}) => {
  const fields = { ...(await checkout.fields(tenant)), ...more }
  const id = idOf(await tenant.api.post(`/workspaces/${tenant.workspaceId}/checkouts`, { checkout: fields }))
  for (;;) {
    const { body } = await tenant.api.get(`/checkouts/${id}`)
    if (body.status === 'compensated') throw new Error(`a checkout of a test was undone: ${body.failure_reason}`)
    if (body.status === 'completed') return body.order_id as number
    await sleep(5)
  }
}
export const charged = async (tenant: Tenant): Promise<number> => {
  const [sale] = (await tenant.api.get(`/orders/${await bought(tenant)}/transactions`)).body
  return sale.id
}
export const subscribed = async (tenant: Tenant): Promise<number> => {
  const price = { amount: 30, payment_type: 'subscription', interval: 'months' }
  const { variant_id } = await soldOf(tenant)
  const path = `/products/variants/${variant_id}/prices`
  const products_price_id = idOf(await tenant.api.post(path, { products_price: price }))
  return bought(tenant, { line_items_attributes: [{ variant_id, products_price_id, quantity: 1 }] })
}
/** One subscription of each tenant that can be moved between two prices repeatedly. */
const movable = new WeakMap<Tenant, Promise<{ readonly orderId: number; readonly line: number }>>()
const movableOf = (tenant: Tenant) => {
  const known = movable.get(tenant)
  if (known) return known
  const made = subscribed(tenant).then(async (orderId) => {
    const [line] = (await tenant.api.get(`/orders/${orderId}`)).body.line_items
    const path = `/products/variants/${line.products_variant.id}`
    const dearer = { amount: 50, payment_type: 'subscription', interval: 'months' }
    const other = idOf(await tenant.api.post(`${path}/prices`, { products_price: dearer }))
    const upgrade_price_ids = [line.products_price.id, other]
    await tenant.api.put(`${path}/change_options`, { products_variant: { upgrade_price_ids } })
    return { orderId, line: line.id as number }
  })
  movable.set(tenant, made)
  return made
}
/** Fields that move the line item to the price it does not have. */
export const moveFields = async (tenant: Tenant) => {
  const { orderId } = await movableOf(tenant)
  const [{ products_price: held }] = (await tenant.api.get(`/orders/${orderId}`)).body.line_items
  const { body } = await tenant.api.get(`/products/prices/${held.id}/change_options`)
  const [group] = body.products_prices_change_options.upgrade
  return { products_price_id: group.products_variant.prices[0].id as number, effective_time: 'next_renewal' }
}
export const movedLine = async (tenant: Tenant) => (await movableOf(tenant)).line
/** Id of the charge of a subscription whose trial is over. The workspace needs a test clock. */
export const renewed = async (tenant: Tenant): Promise<number> => {
  const [known] = (await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders/charges`)).body
  if (known) return known.id
  const shop = await shopOf(tenant)
  const trial = { trial_interval: 'days', trial_duration: 1, trial_amount: 0 }
  await shop.buys(await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'years', ...trial }))
  await shop.passes(2)
  return renewed(tenant)
}
export const refunded = async (tenant: Tenant): Promise<number> => {
  await tenant.api.post(`/orders/transactions/${await charged(tenant)}/refund`)
  for (;;) {
    const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders/refunds?sort_order=desc`)
    if (body[0]) return body[0].id
    await sleep(5)
  }
}
