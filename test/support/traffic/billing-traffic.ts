import { ok } from '../client.ts'
import type { Tenant } from '../service.ts'
import { type Shop, shopOf } from './shop.ts'

/** A subscription is upgraded at once, with proration, and downgraded at its next renewal. */
const moves = async (shop: Shop): Promise<void> => {
  const { api } = shop
  const [monthly, dearer, yearly] = await shop.sellsAt(
    ...[30, 60].map((amount) => ({ amount, payment_type: 'subscription', interval: 'months' })),
    { amount: 300, payment_type: 'subscription', interval: 'years' },
  )
  const ids = { upgrade_price_ids: [dearer!.products_price_id], downgrade_price_ids: [yearly!.products_price_id] }
  ok(await api.put(`/products/variants/${monthly!.variant_id}/change_options`, { products_variant: ids }))
  const { order_id } = await shop.buys(monthly!)
  const [line] = (await shop.order(order_id)).line_items
  for (const { products_price_id } of [dearer!, yearly!]) {
    const perform = `/orders/line_items/${line.id}/changes/perform`
    ok(await api.post(perform, { orders_line_items_change: { products_price_id } }))
  }
}

/** Sales, renewals and refunds that succeed, are declined, or have an unknown outcome. The workspace needs a test clock. */
export const billingTraffic = async (tenant: Tenant): Promise<void> => {
  const shop = await shopOf(tenant)
  const { api, workspace } = shop
  const monthly = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months' })
  const trial = { trial_interval: 'days', trial_duration: 7, trial_amount: 0 }
  const tried = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months', ...trial })
  const resume = async (path: string) => {
    for (const { id, stuck } of ok(await api.get(`${workspace}${path}`)))
      if (stuck) ok(await api.post(`${path}/${id}/resume`))
  }
  const refund = async (orderId: number) => {
    const [{ id }] = await shop.transactions(orderId)
    ok(await api.post(`/orders/transactions/${id}/refund`))
  }
  const kept = await shop.buys(monthly)
  await shop.buys(monthly, { payment_method_id: 'declined' })
  const back = await shop.buys(monthly, { payment_method_id: 'refund_refused' })
  await refund(back.order_id).catch(() => undefined)
  const lost = await shop.buys(monthly, { payment_method_id: 'refund_lost' })
  await refund(lost.order_id)
  await shop.buys(tried, { payment_method_id: 'declined' })
  await shop.buys(tried, { payment_method_id: 'down' })
  await shop.buys(tried, { payment_method_id: 'lost' })
  await shop.begins(monthly, { payment_method_id: 'lost' })
  const later = await shop.buys(tried)
  const { now } = ok(await api.get(`${workspace}/test_clock`))
  const renewal_at = new Date(Date.parse(now) + 10 * 24 * 60 * 60 * 1000).toISOString()
  ok(await api.put(`/orders/${later.order_id}`, { order: { renewal_at } }))
  await moves(shop)
  await shop.passes(12)
  for (const what of ['/checkouts', '/orders/charges', '/orders/refunds']) await resume(what)
  await shop.passes(10)
  ok(await api.post(`/orders/${kept.order_id}/cancel`))
  await refund(kept.order_id)
  await shop.passes(40)
}
