import { expect } from 'chai'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const PAID_AT = '2026-01-01T00:00:00.000Z'

describe('orders over REST', () => {
  let tenant: Tenant
  let workspace: string
  let contactId: number
  let once: { variant_id: number; products_price_id: number }
  let monthly: { variant_id: number; products_price_id: number }

  const made = async (path: string, root: string, fields: object) => {
    const { status, body } = await tenant.api.post(path, { [root]: fields })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }
  const sold = async (price: object) => {
    const { default_variant_id: variant_id } = await made(`${workspace}/products`, 'product', { name: 'Tea' })
    const { id } = await made(`/products/variants/${variant_id}/prices`, 'products_price', price)
    return { variant_id, products_price_id: id }
  }
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    contactId = (await made(`${workspace}/contacts`, 'contact', { email_address: 'Buyer@Example.com' })).id
    once = await sold({ amount: '12.50' })
    monthly = await sold({ amount: 30, payment_type: 'subscription', interval: 'months' })
  })

  const wanted = (fields: object = {}) => ({
    order_type: 'one-time-order',
    live_mode: true,
    contact_id: contactId,
    line_items_attributes: [{ ...once, quantity: 2 }],
    ...fields,
  })
  const order = (fields: object = {}) => made(`${workspace}/orders`, 'order', wanted(fields))
  const subscription = (fields: object = {}) =>
    order({ order_type: 'subscription-order', line_items_attributes: [{ ...monthly, quantity: 1 }], ...fields })
  const invoice = (orderId: number, fields: object = {}) =>
    made(`/orders/${orderId}/invoices`, 'orders_invoice', { external_id: 'b', status: 'unpaid', ...fields })
  const told = async (id: number, fields: object) => {
    const { status, body } = await tenant.api.put(`/orders/${id}`, { order: fields })
    return status === 200 ? body : [status, body.error]
  }
  const seen = async (id: number) => (await tenant.api.get(`/orders/${id}`)).body
  const billed = async (id: number, fields: object) => {
    const { status, body } = await tenant.api.put(`/orders/invoices/${id}`, { orders_invoice: fields })
    return status === 200 ? body : [status, body.error]
  }
  const refused = async (fields: object) => {
    const { status, body } = await tenant.api.post(`${workspace}/orders`, { order: wanted(fields) })
    return [status, body.error]
  }

  it('are numbered from #1001, cost what their lines cost, and carry whose they are and what was ordered', async () => {
    const other = await (await testService()).tenant()
    expect((await recordMakers.order!.make(other)) > 0).to.equal(true)
    const first = (await other.api.get(`/workspaces/${other.workspaceId}/orders`)).body[0]
    expect(first.order_number).to.equal('#1001')
    const one = await order({ line_items_attributes: [{ ...once, quantity: 3 }] })
    expect(one).to.include({
      total_amount: '37.50',
      currency: 'USD',
      payment_processor: 'external',
      billing_status: 'pending',
      service_status: 'pending',
      origination_channel_id: 0,
    })
    expect(one.contact.email_address).to.equal('Buyer@Example.com')
    expect(one.workspace.id).to.equal(tenant.workspaceId)
    const [line] = one.line_items
    expect([line.quantity, line.order_id, line.products_price.amount]).to.deep.equal([3, one.id, '12.50'])
    expect([line.products_variant.id, line.original_product.name]).to.deep.equal([once.variant_id, 'Tea'])
    const two = await order()
    expect(Number(two.order_number.slice(1))).to.equal(Number(one.order_number.slice(1)) + 1)
  })

  it('belong to the named contact, or to the one with the e-mail address', async () => {
    const by = (email_address: string) => ({ contact_id: undefined, contact_attributes: { email_address } })
    expect((await order(by('BUYER@example.com '))).contact_id).to.equal(contactId)
    expect((await order({ ...by('nobody@example.com'), contact_id: contactId })).contact_id).to.equal(contactId)
    const nobody = [422, 'Request unprocessable: Contact must exist']
    expect(await refused(by('nobody@example.com'))).to.deep.equal(nobody)
    expect(await refused({ contact_id: undefined })).to.deep.equal(nobody)
  })

  it('contain only variants of the workspace, at one-time or recurring prices of their product', async () => {
    const lines = (...line_items_attributes: object[]) => refused({ line_items_attributes })
    const says = (text: string) => [422, `Request unprocessable: ${text}`]
    expect(await lines()).to.deep.equal(says('Line items attributes must have at least one line_items_attributes'))
    expect(await lines({ ...once, variant_id: 2_000_000_000, quantity: 1 })).to.deep.equal(
      says('Line items variant must exist'),
    )
    const elsewhere = await (await testService()).tenant()
    const foreign = await recordMakers['products/price']!.make(elsewhere)
    expect(await lines({ ...once, products_price_id: foreign, quantity: 1 })).to.deep.equal(
      says('Line items products price must exist'),
    )
    const mixed = { variant_id: once.variant_id, products_price_id: monthly.products_price_id, quantity: 1 }
    expect(await lines(mixed)).to.deep.equal(says("Line items products price must be one of the variant's product"))
    expect(await lines({ ...monthly, quantity: 1 })).to.deep.equal(
      says('Line items of a one-time order must have one-time prices'),
    )
    expect((await lines({ ...once, quantity: 0 }))[0]).to.equal(422)
    const both = await subscription({
      line_items_attributes: [
        { ...once, quantity: 1 },
        { ...monthly, quantity: 1 },
      ],
    })
    expect([both.total_amount, both.line_items.length]).to.deep.equal(['42.50', 2])
  })

  it('are complete when their invoice is paid, and billed as the newest one stands', async () => {
    const one = await order()
    const bill = await invoice(one.id)
    expect(bill).to.include({
      invoice_type: 'one_time_sale',
      total_amount: '25.00',
      due_amount: '25.00',
      currency: 'USD',
    })
    expect(bill.invoice_number).to.match(/^INV-1\d{3}$/)
    expect((await seen(one.id)).billing_status).to.equal('unpaid')
    expect(await billed(bill.id, { status: 'paid' })).to.deep.equal([
      422,
      "Request unprocessable: Paid at can't be blank",
    ])
    const paid = await billed(bill.id, { status: 'paid', paid_at: PAID_AT })
    expect(paid).to.include({ status: 'paid', due_amount: '0.00', eligible_for_fulfillment: true })
    expect([paid.order.billing_status, paid.order.service_status]).to.deep.equal(['paid', 'completed'])
    const second = await invoice(one.id, { status: 'unpaid' })
    await billed(bill.id, { status: 'refunded' })
    expect((await seen(one.id)).billing_status).to.equal('unpaid')
    await billed(second.id, { status: 'voided' })
    expect((await seen(one.id)).billing_status).to.equal('voided')
  })

  it('have invoices that keep what was ordered, or what is sent of it, in exact sums', async () => {
    const one = await order()
    const lines = [{ ...once, amount: '0.10', quantity: 3, description: 'Sample' }]
    const bill = await invoice(one.id, { line_items_attributes: lines, shipping_amount: 4.9, invoice_number: 'R-7' })
    expect(bill).to.include({
      subtotal_amount: '0.30',
      shipping_amount: '4.90',
      total_amount: '5.20',
      invoice_number: 'R-7',
    })
    const [line] = bill.line_items
    expect(line).to.include({ amount: '0.10', quantity: 3, description: 'Sample', fulfillment_status: 'unfulfilled' })
    const changed = await billed(bill.id, {
      shipping_amount: '0',
      line_items_attributes: [{ id: line.id, quantity: 4 }, { quantity: 900 }],
    })
    expect([changed.total_amount, changed.line_items[0].quantity, changed.line_items.length]).to.deep.equal([
      '0.40',
      4,
      1,
    ])
    expect((await billed(bill.id, { line_items_attributes: [{ id: 1, quantity: 4 }] }))[0]).to.equal(422)
    expect(await billed(bill.id, { shipping_amount: '-1' })).to.deep.equal([
      422,
      'Request unprocessable: Shipping amount must be greater than or equal to 0',
    ])
    expect((await billed(bill.id, { line_items_attributes: [{ id: line.id, amount: '0.001' }] }))[0]).to.equal(422)
    const { body } = await tenant.api.get(`/orders/${one.id}/invoices?filter[invoice_number]=R-7`)
    expect(body.map(({ id }: { id: number }) => id)).to.deep.equal([bill.id])
    const all = (await tenant.api.get(`${workspace}/orders/invoices?filter[invoice_number]=R-7`)).body
    expect(all.map(({ id }: { id: number }) => id)).to.deep.equal([bill.id])
  })

  it('have invoices that show the times that were sent, however timers find them', async () => {
    const times = { issued_at: PAID_AT, due_at: '2026-02-01T00:00:00.000Z' }
    const one = await order()
    const bill = await invoice(one.id, times)
    expect(bill).to.include(times)
    expect(await billed(bill.id, { due_at: '2026-03-01T00:00:00.000Z' })).to.include({
      due_at: '2026-03-01T00:00:00.000Z',
      issued_at: PAID_AT,
    })
    const { body } = await tenant.api.get(`/orders/${one.id}/invoices`)
    expect(body[0].due_at).to.equal('2026-03-01T00:00:00.000Z')
  })

  it('have invoices of the kinds that their type allows', async () => {
    const [one, again] = [await order(), await subscription()]
    expect((await invoice(again.id)).invoice_type).to.equal('initial')
    expect((await invoice(again.id, { invoice_type: 'renewal' })).invoice_type).to.equal('renewal')
    const attempt = async (id: number, invoice_type: string) =>
      (
        await tenant.api.post(`/orders/${id}/invoices`, {
          orders_invoice: { external_id: 'b', status: 'unpaid', invoice_type },
        })
      ).status
    expect([await attempt(one.id, 'renewal'), await attempt(again.id, 'one_time_sale')]).to.deep.equal([422, 422])
  })

  it('count the recurring invoices that were paid, each once', async () => {
    const { id } = await subscription()
    const first = await invoice(id, { status: 'paid', paid_at: PAID_AT })
    await billed(first.id, { status: 'disputed' })
    await billed(first.id, { status: 'paid' })
    await invoice(id, { status: 'paid', paid_at: PAID_AT, invoice_type: 'renewal' })
    await invoice(id, { status: 'paid', paid_at: PAID_AT, invoice_type: 'charge' })
    const now = await seen(id)
    expect([now.recurring_invoices_paid_count, now.service_status]).to.deep.equal([2, 'pending'])
  })

  it('accept the state of a subscription, with its consequences', async () => {
    const { id } = await subscription()
    expect((await told(id, { service_status: 'active' })).activated_at).to.be.a('string')
    const ended = await told(id, { service_status: 'canceled' })
    expect([ended.cancel_reason, ended.canceled_at, ended.churned_at].map((value) => value !== null)).to.deep.equal([
      true,
      true,
      true,
    ])
    expect(ended.cancel_reason).to.equal('other')
    const back = await told(id, { service_status: 'active' })
    expect([back.canceled_at, back.churned_at, back.cancel_reason]).to.deep.equal([null, null, null])
    const why = await told(id, { service_status: 'canceled', cancel_reason: 'unused', canceled_at: PAID_AT })
    expect([why.cancel_reason, why.canceled_at]).to.deep.equal(['unused', PAID_AT])
    expect((await told(id, { cancel_reason: 'boredom' }))[1]).to.contain('Cancel reason is not included in the list')
  })

  it('refuse what their type cannot have, and say which field it is', async () => {
    const { id } = await order()
    const says = (text: string) => [422, `Request unprocessable: ${text}`]
    expect(await told(id, { service_status: 'active' })).to.deep.equal(
      says('Service status is not included in the list'),
    )
    expect(await told(id, { billing_status: 'past-due' })).to.deep.equal(
      says('Billing status is not included in the list'),
    )
    expect(await told(id, { next_charge_at: PAID_AT })).to.deep.equal(
      says('next_charge_at can only be set on an external subscription order'),
    )
    const same = (await tenant.api.get(`/orders/${id}`)).body
    const unchanged = await told(id, same)
    expect(unchanged.updated_at).to.equal(same.updated_at)
    const one = await told(id, { notes: 'Call', shipping_address_country: 'US', service_status: 'completed' })
    expect(one).to.include({ notes: 'Call', shipping_address_country: 'US', service_status: 'completed' })
  })

  it('carry tags, each once, until those leave the workspace', async () => {
    const { id } = await order()
    const tag = await made(`${workspace}/orders/tags`, 'orders_tag', { name: 'Gift' })
    const applied = await made(`/orders/${id}/applied_tags`, 'orders_applied_tag', { tag_id: tag.id })
    expect([applied.order_id, applied.tag_id]).to.deep.equal([id, tag.id])
    const again = await tenant.api.post(`/orders/${id}/applied_tags`, { orders_applied_tag: { tag_id: tag.id } })
    expect(again.status).to.equal(422)
    expect((await seen(id)).tag_ids).to.deep.equal([tag.id])
    await tenant.api.delete(`/orders/tags/${tag.id}`)
    await waitUntilSettled(await testService())
    expect((await seen(id)).tag_ids).to.deep.equal([])
    expect((await tenant.api.get(`/orders/applied_tags/${applied.id}`)).status).to.equal(404)
  })

  it('show addresses to nobody who may not read contacts', async () => {
    const { id } = await order({ shipping_address_city: 'Timbuktu' })
    expect((await tenant.api.get(`/orders/${id}`)).body.shipping_address_city).to.equal('Timbuktu')
    const shop = await tenant.withScopes(['store:read'])
    const { body } = await shop.get(`/orders/${id}`)
    expect([body.shipping_address_city, body.contact.email_address, body.contact.id]).to.deep.equal([
      null,
      null,
      contactId,
    ])
    const [listed] = (await shop.get(`${workspace}/orders?filter[id]=${id}`)).body
    expect(listed.shipping_address_city).to.equal(null)
  })

  it('lose the addresses of a person who is erased, and nothing else', async () => {
    const person = await made(`${workspace}/contacts`, 'contact', { email_address: 'gone@example.com' })
    const { id } = await order({ contact_id: person.id, billing_address_city: 'Oblivion' })
    expect((await tenant.api.delete(`/contacts/${person.id}/gdpr_destroy`)).status).to.equal(204)
    const { body } = await tenant.api.get(`/orders/${id}`)
    expect([body.billing_address_city, body.total_amount, body.contact.first_name]).to.deep.equal([
      null,
      '25.00',
      'REDACTED',
    ])
    expect((await told(id, { notes: 'Refund by hand' })).notes).to.equal('Refund by hand')
  })

  it('prevent changes to the subscription prices that they use', async () => {
    const mine = await sold({ amount: 30, payment_type: 'subscription', interval: 'months' })
    const change = async (fields: object) => {
      const { status, body } = await tenant.api.put(`/products/prices/${mine.products_price_id}`, {
        products_price: fields,
      })
      return body.error ?? status
    }
    expect(await change({ amount: 31 })).to.equal(200)
    await subscription({ line_items_attributes: [{ ...mine, quantity: 1 }] })
    expect(await change({ amount: 32 })).to.equal(
      'Request unprocessable: Cannot edit a subscription price that is attached to an order.',
    )
    expect([await change({ archived: true }), await change({ amount: 31, visible: false })]).to.deep.equal([200, 200])
    const frozen = await tenant.api.put(`/products/prices/${mine.products_price_id}`, {
      products_price: { name: 'New' },
    })
    expect(frozen.status).to.equal(422)
    expect(frozen.body.base).to.deep.equal(['Cannot edit a subscription price that is attached to an order.'])
    expect(frozen.body.details[0]).to.include({ field: 'base', code: 'frozen' })
  })

  it('refuse all filters except those for orders, which do not exist', async () => {
    const list = async (query: string) => (await tenant.api.get(`${workspace}/orders?${query}`)).body.error
    expect(await list('stable_id=abc')).to.contain('stable_id is not a valid serialized filter')
    expect(await list('stored_filter_id=5')).to.contain('stored_filter_id is invalid')
  })
})
