import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { startTestService, type Tenant } from '../../support/service.ts'
import { type OnSale, shopOf } from '../../support/traffic/shop.ts'

const PAID_AT = '2026-01-01T00:00:00Z'

describe('webhooks of orders', () => {
  let receiver: Receiver
  let tenant: Tenant
  beforeEach(async () => {
    receiver = await startReceiver()
    tenant = await (await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })).tenant()
  })
  afterEach(async () => receiver.close())

  const subscribe = (...event_type_ids: string[]) =>
    tenant.api.post(`/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`, {
      webhooks_outgoing_endpoint: { url: receiver.url, name: 'Shop', event_type_ids },
    })
  const placed = async (fields: object = {}) => {
    const wanted = await recordMakers.order!.fields!(tenant)
    return ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/orders`, { order: { ...wanted, ...fields } }))
  }
  const billed = async (orderId: number, status: string) =>
    ok(
      await tenant.api.post(`/orders/${orderId}/invoices`, {
        orders_invoice: { external_id: 'b', status, paid_at: PAID_AT },
      }),
    )
  const movable = async () => {
    const shop = await shopOf(tenant)
    const [monthly, dearer] = await shop.sellsAt(
      ...[30, 60].map((amount) => ({ amount, payment_type: 'subscription', interval: 'months' })),
    )
    const products_variant = {
      upgrade_price_ids: [dearer!.products_price_id],
      downgrade_price_ids: [monthly!.products_price_id],
    }
    ok(await tenant.api.put(`/products/variants/${monthly!.variant_id}/change_options`, { products_variant }))
    const { order_id } = await shop.buys(monthly!)
    const [{ id: line }] = (await shop.order(order_id)).line_items
    return { monthly: monthly!, dearer: dearer!, order_id, line }
  }
  const heard = async (count: number) =>
    (await receiver.until(count)).map(({ json }) => [json.event_type, json.subject_type, json.subject_id])

  it('report a purchase and its refund under the keys of the contract', async () => {
    await subscribe(
      'order.created',
      'order.completed',
      'one-time-order.completed',
      'one-time-order.invoice.paid',
      'one_time_order.refunded',
      'orders/invoice.created',
      'orders/invoice.paid',
      'orders/invoice.refunded',
      '$order.successful_purchase',
      'subscription.completed',
      'subscription.invoice.paid',
    )
    const order = await placed()
    const invoice = await billed(order.id, 'paid')
    ok(await tenant.api.put(`/orders/invoices/${invoice.id}`, { orders_invoice: { status: 'refunded' } }))
    const [ofOrder, ofInvoice] = [
      ['Order', order.id],
      ['Orders::Invoice', invoice.id],
    ]
    expect(await heard(9)).to.have.deep.members([
      ['order.created', ...ofOrder!],
      ['order.completed', ...ofOrder!],
      ['one-time-order.completed', ...ofOrder!],
      ['one_time_order.refunded', ...ofOrder!],
      ['$order.successful_purchase', ...ofOrder!],
      ['orders/invoice.created', ...ofInvoice!],
      ['orders/invoice.paid', ...ofInvoice!],
      ['one-time-order.invoice.paid', ...ofInvoice!],
      ['orders/invoice.refunded', ...ofInvoice!],
    ])
  })

  it('report every change of state of a subscription', async () => {
    await subscribe(
      'subscription.activated',
      'subscription.reactivated',
      'subscription.canceled',
      'subscription.churned',
      'subscription.completed',
      'subscription.invoice.paid',
      'one-time-order.invoice.paid',
      'order.completed',
    )
    const { id } = await placed({ order_type: 'subscription-order' })
    const invoice = await billed(id, 'paid')
    for (const service_status of ['active', 'canceled', 'active', 'churned', 'completed'])
      ok(await tenant.api.put(`/orders/${id}`, { order: { service_status } }))
    expect(await heard(7)).to.have.deep.members([
      ['subscription.activated', 'Order', id],
      ['subscription.canceled', 'Order', id],
      ['subscription.reactivated', 'Order', id],
      ['subscription.churned', 'Order', id],
      ['subscription.completed', 'Order', id],
      ['order.completed', 'Order', id],
      ['subscription.invoice.paid', 'Orders::Invoice', invoice.id],
    ])
  })

  it('report subscriptions that move to another price, with the previous price', async () => {
    await subscribe('subscription.upgraded', 'subscription.downgraded', 'subscription.line_items.changed')
    const { monthly, dearer, order_id, line } = await movable()
    const perform = async ({ products_price_id }: OnSale) =>
      ok(
        await tenant.api.post(`/orders/line_items/${line}/changes/perform`, {
          orders_line_items_change: { products_price_id, prorate: false },
        }),
      )
    await perform(dearer)
    await perform(monthly)
    const ofOrder = ['Order', order_id]
    expect(await heard(4)).to.have.deep.members([
      ['subscription.upgraded', ...ofOrder],
      ['subscription.line_items.changed', ...ofOrder],
      ['subscription.downgraded', ...ofOrder],
      ['subscription.line_items.changed', ...ofOrder],
    ])
  })
})
