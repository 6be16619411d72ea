import { expect } from 'chai'
import { draft, order } from '../api/mail/broadcasting.ts'
import { workflowOf } from '../api/workflows/making.ts'
import { ok } from '../support/client.ts'
import { recordMakers } from '../support/records.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'

describe('requests while documents are behind', () => {
  let service: TestService
  let tenant: Tenant
  let contact: number
  let location: number
  before(async () => {
    service = await startTestService()
    tenant = await service.tenant({ test: true })
    contact = await recordMakers.contact!.make(tenant)
    location = await recordMakers['fulfillments/location']!.make(tenant)
  })

  const inWorkspace = (path: string) => `/workspaces/${tenant.workspaceId}${path}`
  const post = async (path: string, body?: object) => ok(await tenant.api.post(path, body))

  /** Holds back all projection until the work is done. */
  const whileBehind = async <T>(work: () => Promise<T>): Promise<T> => {
    const { live } = service.background.stores.readModels
    const apply = live.apply
    let release = () => {}
    const over = new Promise<void>((resolve) => {
      release = resolve
    })
    live.apply = async (...applied) => {
      await over
      return apply.apply(live, applied)
    }
    try {
      return await work()
    } finally {
      live.apply = apply
      release()
      await service.caughtUp()
    }
  }

  /** Creates a paid invoice line for a quantity of a variant that is in stock. */
  const sold = async (quantity: number) => {
    const product = await post(inWorkspace('/products'), { product: { name: 'Tea' } })
    const variant_id = product.default_variant_id
    const levels = [{ location_id: location, quantity: 5 }]
    const stock = await post(inWorkspace('/fulfillments/stocks'), { fulfillments_stock: { variant_id, levels } })
    const price = await post(`/products/variants/${variant_id}/prices`, { products_price: { amount: '3' } })
    const line_items_attributes = [{ variant_id, products_price_id: price.id, quantity }]
    const order = { order_type: 'one-time-order', live_mode: true, contact_id: contact, line_items_attributes }
    const { id } = await post(inWorkspace('/orders'), { order })
    const orders_invoice = { external_id: 'b', status: 'paid', paid_at: '2026-01-01T00:00:00.000Z' }
    const invoice = await post(`/orders/${id}/invoices`, { orders_invoice })
    return { stock: Number(stock.id), line: Number(invoice.line_items[0].id) }
  }

  it('have no consequences that are computed from old documents', async () => {
    const { stock, line } = await sold(2)
    const left = async () => ok(await tenant.api.get(`/fulfillments/stocks/${stock}`)).on_hand
    const included_orders_invoices_line_items_attributes = [{ invoices_line_item_id: line, quantity: 2 }]
    const fulfillment = { contact_id: contact, location_id: location, included_orders_invoices_line_items_attributes }
    const sent = await whileBehind(async () => {
      const answer = await tenant.api.post(inWorkspace('/fulfillments'), { fulfillment })
      expect([answer.status, answer.headers.get('millrace-read-side')]).to.deep.equal([201, 'behind'])
      const cancelled = await tenant.api.post(`/fulfillments/${answer.body.id}/cancel`)
      expect(cancelled.status).to.equal(503)
      expect(cancelled.headers.get('retry-after')).to.equal('1')
      return answer.body
    })
    expect(await left()).to.equal(3)
    expect(ok(await tenant.api.get(`/fulfillments/${sent.id}`)).status).to.equal('fulfilled')
    await post(`/fulfillments/${sent.id}/cancel`)
    expect(await left()).to.equal(5)
  })

  it('14 27, 101: fix no outdated text: what is published or sent waits for what was written last', async () => {
    const id = await draft(tenant)
    const { template } = ok(await tenant.api.get(`/emails/broadcasts/${id}`))
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$optin' })
    await workflow.step({ send_email_step: { subject: 'Code', html_body: '<p>First</p>' } })
    const refused = await whileBehind(async () => {
      const emails_template = { html_body: '<p>Second</p>' }
      expect((await tenant.api.put(`/emails/templates/${template.id}`, { emails_template })).status).to.equal(200)
      return Promise.all([order(tenant, id), workflow.enable()])
    })
    expect(refused.map(({ status }) => status)).to.deep.equal([503, 503])
    ok(await order(tenant, id))
    const sent = await service.background.stores.readModels.live.get('emails/broadcast', id)
    expect(sent?.content).to.include({ html_body: '<p>Second</p>' })
    expect(ok(await workflow.enable()).status).to.equal('live')
  })

  it('say so, where they compute as well', async () => {
    const clock = inWorkspace('/test_clock')
    const { now } = ok(await tenant.api.get(clock))
    const to = new Date(Date.parse(now) + 1000).toISOString()
    const answer = await whileBehind(() => tenant.api.post(clock, { to }))
    expect([answer.status, answer.headers.get('millrace-read-side')]).to.deep.equal([202, 'behind'])
  })
})
