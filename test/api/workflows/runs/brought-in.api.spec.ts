import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { recordMakers } from '../../../support/records.ts'
import { type Tenant, testService } from '../../../support/service.ts'
import { workflowOf } from '../making.ts'
import { type Enrolling, enrolling } from './enrolled.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('purchases that are brought in', () => {
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })

  const ago = async (days: number): Promise<string> => {
    const { now } = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/test_clock`))
    return new Date(Date.parse(now) - days * DAY_MS).toISOString()
  }
  const startedBy = async (event_type_key: string) => {
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key })
    ok(await workflow.enable())
    return workflow
  }
  const buy = async (paid_at: string): Promise<number> => {
    const order = await recordMakers.order!.make(tenant)
    const { contact_id } = ok(await tenant.api.get(`/orders/${order}`))
    const orders_invoice = { external_id: `bill-${order}`, status: 'paid', paid_at }
    ok(await tenant.api.post(`/orders/${order}/invoices`, { orders_invoice }))
    return contact_id
  }
  const entered = async (workflow: { readonly id: number }) =>
    ((await on.runsOf(workflow)) as readonly { readonly contact_id?: number }[]).map(({ contact_id }) => contact_id)

  it('start no workflow where they were paid long ago, or before it was enabled', async () => {
    const before = await startedBy('$order.successful_purchase')
    await on.later(2)
    const workflow = await startedBy('$order.successful_purchase')
    await on.later(0.01)
    await buy('2024-03-01T10:00:00.000Z')
    await buy(await ago(1.5))
    const [early, now] = [await buy(await ago(0.5)), await buy(await ago(0))]
    await on.soon(async () => expect(await entered(before)).to.have.members([early, now]))
    await on.soon(async () => expect(await entered(workflow)).to.deep.equal([now]))
  })

  it('start none either where they ended or were canceled long ago', async () => {
    const [churned, cancelled] = [await startedBy('$order.churned'), await startedBy('$order.cancelled')]
    await on.later(0.01)
    const { api, workspaceId } = tenant
    const product = ok(await api.post(`/workspaces/${workspaceId}/products`, { product: { name: 'Tea' } }))
    const variant_id = product.default_variant_id
    const products_price = { amount: 30, payment_type: 'subscription', interval: 'months' }
    const price = ok(await api.post(`/products/variants/${variant_id}/prices`, { products_price }))
    const end = async (change: object): Promise<number> => {
      const contact_id = await on.make('contact')
      const line_items_attributes = [{ variant_id, products_price_id: price.id, quantity: 1 }]
      const order = { order_type: 'subscription-order', live_mode: true, contact_id, line_items_attributes }
      const { id } = ok(await api.post(`/workspaces/${workspaceId}/orders`, { order }))
      ok(await api.put(`/orders/${id}`, { order: { service_status: 'active' } }))
      ok(await api.put(`/orders/${id}`, { order: change }))
      return contact_id
    }
    const [long, now] = ['2024-03-01T10:00:00.000Z', await ago(0)]
    await end({ service_status: 'churned', churned_at: long })
    await end({ service_status: 'canceled', canceled_at: long, churned_at: long })
    const left = await end({ service_status: 'churned', churned_at: now })
    const gone = await end({ service_status: 'canceled', canceled_at: now, churned_at: now })
    await on.soon(async () => expect(await entered(churned)).to.deep.equal([left]))
    await on.soon(async () => expect(await entered(cancelled)).to.deep.equal([gone]))
  })
})
