import { Webhook } from 'standardwebhooks'
import { ok } from '../client.ts'
import type { Tenant } from '../service.ts'

const SECRET = 'ws_0123456789abcdef0123456789abcdef'

/** Creates an endpoint for external purchases, with its secret and one plan mapped to a price. */
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
  await api.post(`${path}/${id}/product_mappings`, {
    external_purchase_product_mapping: { external_product_sku: sku, products_variant_id, products_price_id },
  })
  return { id: id as number, url: body.url as string, secret: SECRET }
}

/** Creates a variant with a monthly price. */
export const soldElsewhere = async ({ api, workspaceId }: Tenant) => {
  const product = ok(await api.post(`/workspaces/${workspaceId}/products`, { product: { name: 'Membership' } }))
  const variant_id = product.default_variant_id as number
  const products_price = { amount: '97.00', payment_type: 'subscription', interval: 'months' }
  const { id } = ok(await api.post(`/products/variants/${variant_id}/prices`, { products_price }))
  return { variant_id, products_price_id: id as number }
}

let messages = 0

/** The URL that deliveries go to, and the secret that they are signed with. */
export interface Receiver {
  readonly url: string
  readonly secret: string
}

/** Sends a signed delivery as the provider does. */
export const deliver = async (
  { url, secret }: Receiver,
  body: object,
  { id = `msg_${++messages}`, at = new Date() }: { readonly id?: string; readonly at?: Date } = {},
) => {
  const text = JSON.stringify({ api_version: 'v1', ...body })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(id, at, text),
  }
  return fetch(url, { method: 'POST', headers, body: text })
}

type Said = { readonly type: string; readonly timestamp: string; readonly data: object }

/** The provider's reports about one membership, each with a time of the day. */
export const reportsOf = (of: string, plan: string, email: string, day = '2026-02-01') => {
  const user = { id: `user_${of}`, name: 'Ada King Lovelace', username: 'ada', email }
  const membership = { id: `mem_${of}`, status: 'active' }
  const said = (type: string, time: string, data: object): Said => ({ type, timestamp: `${day}T${time}:00.000Z`, data })
  const payment = (n: number, more: object = {}) => ({
    id: `pay_${of}_${n}`,
    total: 30,
    currency: 'usd',
    membership,
    user,
    plan: { id: plan },
    ...more,
  })
  return {
    paid: (time: string, n = 1) =>
      said(
        'payment.succeeded',
        time,
        payment(n, { billing_reason: n === 1 ? 'subscription_create' : 'subscription_cycle' }),
      ),
    failed: (time: string, n: number) => said('payment.failed', time, payment(n)),
    activated: (time: string) => said('membership.activated', time, { ...membership, user, plan: { id: plan } }),
    deactivated: (time: string) => said('membership.deactivated', time, { ...membership, user }),
    cancels: (time: string, cancel_at_period_end: boolean) =>
      said('membership.cancel_at_period_end_changed', time, { ...membership, user, cancel_at_period_end }),
    refund: (time: string, status: string, n = 1, amount = 30) =>
      said('refund.updated', time, { id: `rf_${of}_${n}`, amount, status, payment: payment(n) }),
    dispute: (time: string, status: string, n = 1) =>
      said('dispute.updated', time, { id: `dspt_${of}_${n}`, status, payment: payment(n) }),
  }
}

const WITHIN_MS = 10_000

/** Waits until an endpoint has at least so many deliveries and all are processed. @returns them */
const processedAt = async (
  { api }: Tenant,
  endpoint: number,
  count: number,
): Promise<readonly { readonly id: number }[]> => {
  for (const since = Date.now(); Date.now() - since < WITHIN_MS; await new Promise((go) => setTimeout(go, 5))) {
    const all = ok(await api.get(`/webhooks/incoming/external_purchase_endpoints/${endpoint}/events`))
    const isDone = (one: { readonly processing_status: string }) => one.processing_status !== 'received'
    if (all.length >= count && all.every(isDone)) return all
  }
  throw new Error('deliveries are not processed')
}

/** Creates a delivery without consequences. @returns its id */
export const makeDelivery = async (tenant: Tenant): Promise<number> => {
  const opened = await openPurchases(tenant, await soldElsewhere(tenant))
  await deliver(opened, reportsOf(`made${opened.id}`, 'plan_other', 'made@example.com').paid('10:00'))
  const [event] = await processedAt(tenant, opened.id, 1)
  return event!.id
}

/** A subscription is reported as bought and refunded; another delivery concerns no subscription. */
export const purchaseTraffic = async (tenant: Tenant): Promise<void> => {
  const opened = await openPurchases(tenant, await soldElsewhere(tenant))
  const said = reportsOf('traffic', 'plan_1', 'buyer@example.com')
  const all = [said.paid('10:00'), said.refund('11:00', 'succeeded'), said.refund('12:00', 'pending', 2)]
  for (const one of all) await deliver(opened, one)
  await processedAt(tenant, opened.id, all.length)
}
