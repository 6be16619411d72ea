import { expect } from 'chai'
import { type Answer, ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'

describe('checkouts over REST', () => {
  let tenant: Tenant
  let shop: Shop
  let once: OnSale
  let monthly: OnSale

  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    shop = await shopOf(tenant)
    once = await shop.sells({ amount: '12.50' })
    monthly = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months', setup_amount: 5 })
  })

  const stands = async (id: number) => {
    const { service_status, billing_status } = await shop.order(id)
    return [service_status, billing_status]
  }
  const refused = ({ status, body }: Answer) => [status, body.details[0].field, body.error.replace(/^.*?: /, '')]
  const asked = async (fields: object) => {
    const checkout = { contact_id: shop.contactId, live_mode: false, payment_method_id: 'approved', ...fields }
    const lines = { line_items_attributes: [{ ...once, quantity: 1 }], ...fields }
    return refused(await shop.api.post(`${shop.workspace}/checkouts`, { checkout: { ...checkout, ...lines } }))
  }

  it('place an order with its invoice paid, and the charge', async () => {
    const { status, order_id, total_amount, step, failure_reason } = await shop.buys(once, {
      ...{ shipping_address_city: 'Bonn', notes: 'Ring' },
      line_items_attributes: [{ ...once, quantity: 3 }],
    })
    expect({ status, total_amount, step, failure_reason }).to.deep.equal({
      ...{ status: 'completed', total_amount: '37.50', step: null, failure_reason: null },
    })
    const order = await shop.order(order_id)
    expect(order).to.include({ billing_status: 'paid', service_status: 'completed', payment_processor: 'simulator' })
    expect(order).to.include({ notes: 'Ring', shipping_address_city: 'Bonn', total_amount: '37.50', live_mode: false })
    expect(order.line_items.map((line: { quantity: number }) => line.quantity)).to.deep.equal([3])
    const [invoice, ...noMore] = await shop.invoices(order_id)
    expect(noMore).to.deep.equal([])
    const paid = { status: 'paid', total_amount: '37.50', invoice_type: 'one_time_sale', due_amount: '0.00' }
    expect(invoice).to.deep.include(paid)
    const [charge, ...none] = await shop.transactions(order_id)
    expect(none).to.deep.equal([])
    expect(charge).to.include({ external_type: 'sale', result: 'approved', status: 'completed', amount: '37.50' })
  })

  it('that are declined are compensated, and give the reason; nothing is ordered', async () => {
    const orders = async () => (await shop.api.get(`${shop.workspace}/orders`)).body.length
    const before = await orders()
    const { status, failure_reason, order_id } = await shop.buys(once, { payment_method_id: 'insufficient_funds' })
    expect([status, failure_reason, order_id]).to.deep.equal(['compensated', 'declined: insufficient_funds', null])
    expect(await orders()).to.equal(before)
  })

  it('are charged once where the answer of the gateway got lost', async () => {
    const { id } = await shop.begins(once, { payment_method_id: 'late' })
    await shop.passes(0.01)
    const { body } = await shop.api.get(`/checkouts/${id}`)
    expect(body.status).to.equal('completed')
    expect(await shop.transactions(body.order_id)).to.have.length(1)
  })

  it('keep the payment method of a page, which is never shown, for what is charged later', async () => {
    const begun = await shop.begins(monthly, { payment_method_id: undefined, payment_method_token: 'approved' })
    expect(begun).to.not.have.property('payment_method_token')
    const { status, payment_method_id } = await shop.ends(begun.id)
    expect([status, payment_method_id]).to.deep.equal(['completed', 'approved'])
  })

  it('need nobody to charge where there is nothing to pay', async () => {
    const free = await shop.sells({ amount: 0 })
    const { status, order_id } = await shop.buys(free, { payment_method_id: undefined, live_mode: true })
    expect(status).to.equal('completed')
    expect(await shop.transactions(order_id)).to.deep.equal([])
    expect(await stands(order_id)).to.deep.equal(['completed', 'paid'])
  })

  it('are refused for what cannot be sold or charged, and name it', async () => {
    const yearly = await shop.sells({ amount: 300, payment_type: 'subscription', interval: 'years' })
    const both = [once, monthly, yearly].map((line) => ({ ...line, quantity: 1 }))
    expect(await asked({ line_items_attributes: both })).to.deep.equal([
      ...[422, 'checkout.line_items_attributes'],
      'Prices that recur must have one interval, trial and number of payments',
    ])
    expect((await asked({ payment_method_id: undefined })).slice(0, 2)).to.deep.equal([
      ...[422, 'checkout.payment_method_token'],
    ])
    expect((await asked({ payment_method_token: 'x' })).slice(0, 2)).to.deep.equal([
      ...[422, 'checkout.payment_method_token'],
    ])
    expect((await asked({ live_mode: true })).slice(0, 2)).to.deep.equal([422, 'checkout.live_mode'])
    const gone = await shop.sells({ amount: 1 })
    await shop.api.put(`/products/prices/${gone.products_price_id}`, { products_price: { archived: true } })
    expect((await asked({ line_items_attributes: [{ ...gone, quantity: 1 }] })).slice(0, 2)).to.deep.equal([
      ...[422, 'checkout.line_items_attributes'],
    ])
  })

  describe('with codes, stock, shipping and taxes', () => {
    const make = async (path: string, root: string, fields: object) =>
      ok(await shop.api.post(path.startsWith('/') ? path : `${shop.workspace}/${path}`, { [root]: fields }))
    const seen = async (path: string) => ok(await shop.api.get(path))
    let parcel: OnSale
    let stock: { id: number }
    let rates: { id: number }[]

    before(async () => {
      parcel = await shop.sells({ amount: '20.00' })
      await shop.api.put(`/products/variants/${parcel.variant_id}`, { products_variant: { product_type: 'physical' } })
      const location_id = await recordMakers['fulfillments/location']!.make(tenant)
      stock = await make('fulfillments/stocks', 'fulfillments_stock', {
        ...{ variant_id: parcel.variant_id, levels: [{ location_id, quantity: 5 }] },
      })
      const profile = { name: 'Parcels', variant_ids: [parcel.variant_id] }
      const { id } = await make('shipping/profiles', 'shipping_profile', profile)
      const [group] = await seen(`/shipping/profiles/${id}/location_groups`)
      const zone = { name: 'Germany', country_ids: ['DE'] }
      const { id: zoneId } = await make(`/shipping/location_groups/${group.id}/zones`, 'shipping_zone', zone)
      const priced = async (name: string, price: string) => {
        const rates_name_id = (await make('shipping/rates/names', 'shipping_rates_name', { name })).id
        return make(`/shipping/zones/${zoneId}/rates`, 'shipping_rate', { rates_name_id, price })
      }
      rates = [await priced('Express', '9.00'), await priced('Standard', '4.00')]
      await make('tax_rates', 'tax_rate', { name: 'VAT', country: 'DE', percent: '19', on_shipping: true })
      await make('discounts', 'discount', { name: 'A tenth', code: 'TENTH', percent: '10', limit_1_per_customer: true })
    })

    it('have the correct total, and explain each amount', async () => {
      const fields = { shipping_address_country: 'DE', discount_codes: ['tenth'] }
      const { reasons, order_id, ...checkout } = await shop.buys(parcel, fields)
      expect(checkout).to.include({
        ...{ status: 'completed', subtotal_amount: '20.00', discount_amount: '2.00', shipping_amount: '4.00' },
        ...{ tax_amount: '4.18', total_amount: '26.18', shipping_option: 'Standard' },
      })
      expect(reasons.map((one: { what: string; amount: string }) => [one.what, one.amount])).to.deep.equal([
        ['price', '20.00'],
        ['shipping', '4.00'],
        ['discount', '-2.00'],
        ['tax', '3.42'],
        ['tax', '0.76'],
      ])
      const [invoice] = await shop.invoices(order_id)
      expect(invoice).to.include({ subtotal_amount: '20.00', discount_amount: '2.00', tax_amount: '4.18' })
      expect(invoice).to.include({ shipping_amount: '4.00', total_amount: '26.18' })
      expect((await shop.order(order_id)).discount_ids).to.have.length(1)
      expect((await seen(`${shop.workspace}/discounts`))[0].redemptions_count).to.equal(1)
      expect(await seen(`/fulfillments/stocks/${stock.id}`)).to.include({ on_hand: 5, committed: 1, available: 4 })
    })

    it('ship as it was asked for, and only where there is a rate', async () => {
      const there = { shipping_address_country: 'DE' }
      const express = await shop.buys(parcel, { ...there, shipping_option_id: String(rates[0]!.id) })
      expect(express).to.include({ shipping_amount: '9.00', shipping_option: 'Express' })
      const named = async (fields: object) =>
        (await asked({ line_items_attributes: [{ ...parcel, quantity: 1 }], ...fields })).slice(0, 2)
      expect(await named({})).to.deep.equal([422, 'checkout.shipping_address_country'])
      expect(await named({ shipping_address_country: 'FR' })).to.deep.equal([422, 'checkout.shipping_address_country'])
      expect(await named({ ...there, shipping_option_id: '0' })).to.deep.equal([422, 'checkout.shipping_option_id'])
    })

    it('are refused for a code that cannot be used, with why', async () => {
      const lines = [{ ...once, quantity: 1 }]
      const says = async (code: string) => asked({ line_items_attributes: lines, discount_codes: [code] })
      expect(await says('NONE')).to.deep.equal([422, 'checkout.discount_codes', 'Discount code is not valid: NONE'])
      expect(await says('tenth')).to.deep.equal([
        ...[422, 'checkout.discount_codes', 'Discount has already been used by this customer: TENTH'],
      ])
    })

    it('release their reservations when they are declined, and sell nothing that is out of stock', async () => {
      const before = await seen(`/fulfillments/stocks/${stock.id}`)
      await make('discounts', 'discount', { name: 'A fifth', code: 'FIFTH', percent: '20', limit_1_per_customer: true })
      const fields = { shipping_address_country: 'DE', discount_codes: ['FIFTH'] }
      const declined = await shop.buys(parcel, { ...fields, payment_method_id: 'declined' })
      expect(declined.status).to.equal('compensated')
      const left = before.available
      expect(await seen(`/fulfillments/stocks/${stock.id}`)).to.include({ available: left, reserved: 0 })
      const many = await shop.buys(parcel, { ...fields, line_items_attributes: [{ ...parcel, quantity: left + 1 }] })
      expect([many.status, many.failure_reason]).to.deep.equal([
        'compensated',
        `Quantity is more than what is in stock (${left})`,
      ])
      const all = await shop.buys(parcel, { ...fields, line_items_attributes: [{ ...parcel, quantity: left }] })
      expect(all.status, 'the code is free again').to.equal('completed')
    })
  })

  describe('of subscriptions', () => {
    const buys = async (payment_method_id = 'approved', line = monthly): Promise<number> =>
      (await shop.buys(line, { payment_method_id })).order_id
    const trial = { trial_interval: 'days', trial_duration: 7, trial_amount: 0 }

    it('are renewed, with an invoice and a charge a period', async () => {
      const id = await buys()
      expect((await shop.invoices(id))[0].total_amount, 'set-up included').to.equal('35.00')
      await shop.passes(70)
      const invoices = await shop.invoices(id)
      expect(invoices.map((one) => [one.invoice_type, one.status, one.total_amount])).to.deep.equal([
        ['initial', 'paid', '35.00'],
        ['renewal', 'paid', '30.00'],
        ['renewal', 'paid', '30.00'],
      ])
      const charges = await shop.transactions(id)
      expect(charges.map((one) => [one.is_rebill, one.rebill_number])).to.deep.equal([
        ...[
          [false, '0'],
          [true, '1'],
          [true, '2'],
        ],
      ])
      expect(await shop.order(id)).to.include({ service_status: 'active', recurring_invoices_paid_count: 3 })
    })

    it('are charged when their trial is over', async () => {
      const tried = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months', ...trial })
      const id = await buys('approved', tried)
      expect(await shop.order(id)).to.include({ in_trial: true, service_status: 'active' })
      expect(await shop.transactions(id)).to.deep.equal([])
      await shop.passes(8)
      expect(await shop.order(id)).to.include({ in_trial: false, service_status: 'active', billing_status: 'paid' })
      expect(await shop.transactions(id)).to.have.length(1)
    })

    it('are past due after a day, tried again, and end when the grace is over', async () => {
      const tried = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'years', ...trial })
      const id = await buys('declined', tried)
      await shop.passes(9)
      expect(await stands(id)).to.deep.equal(['active', 'past-due'])
      await shop.passes(30)
      expect(await stands(id)).to.deep.equal(['churned', 'abandoned'])
      const declines = await shop.transactions(id)
      expect(declines.map(({ result }) => result)).to.deep.equal(Array(5).fill('declined'))
    })

    it('settle when a gateway that was away is back', async () => {
      const tried = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months', ...trial })
      const id = await buys('late', tried)
      await shop.passes(8)
      expect(await stands(id)).to.deep.equal(['active', 'paid'])
      expect(await shop.transactions(id)).to.have.length(1)
    })

    it('can have an invoice given up, which is not charged again', async () => {
      const tried = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months', ...trial })
      const id = await buys('declined', tried)
      await shop.passes(7.5)
      const unpaid = (await shop.invoices(id)).at(-1)
      const abandon = () => shop.api.post(`/orders/invoices/${unpaid.id}/abandon`)
      expect((await abandon()).body.status).to.equal('abandoned')
      expect((await abandon()).status).to.equal(404)
      await shop.passes(20)
      expect(await shop.transactions(id)).to.have.length(1)
      expect(await stands(id)).to.deep.equal(['active', 'abandoned'])
    })

    it('run until the end of what is paid when they are cancelled', async () => {
      const id = await buys()
      const cancelled = await shop.api.post(`/orders/${id}/cancel`, { order: { cancel_reason: 'too_expensive' } })
      expect(cancelled.body).to.include({
        service_status: 'canceled',
        cancel_reason: 'too_expensive',
        canceled_by: 'API',
      })
      expect(cancelled.body.churned_at).to.equal(cancelled.body.paid_until)
      expect(refused(await shop.api.post(`/orders/${id}/cancel`)).slice(0, 2)).to.deep.equal([
        422,
        'order.service_status',
      ])
      await shop.passes(32)
      expect(await stands(id)).to.deep.equal(['churned', 'paid'])
      expect(await shop.invoices(id)).to.have.length(1)
    })

    it('end at once when that is asked for', async () => {
      const id = await buys()
      const { body } = await shop.api.post(`/orders/${id}/cancel`, { order: { effective_date: 'now' } })
      expect(body).to.include({ service_status: 'churned', next_charge_at: null })
    })
  })

  it('are refunded through the charge, once', async () => {
    const { order_id } = await shop.buys(once)
    const [{ id }] = await shop.transactions(order_id)
    const refund = (body?: object) => shop.api.post(`/orders/transactions/${id}/refund`, body)
    expect(refused(await refund({ orders_transaction: { partial: true } })).slice(0, 2)).to.deep.equal([
      ...[422, 'orders_transaction.partial'],
    ])
    const given = await refund()
    // A busy service may need longer than the answer waits.
    expect([given.status, given.body.status]).to.be.deep.oneOf([
      [200, 'refunded'],
      [202, 'completed'],
    ])
    expect((await refund()).status).to.equal(404)
    await shop.passes(0.01)
    const [charge, back] = await shop.transactions(order_id)
    expect(charge.status).to.equal('refunded')
    expect(back).to.include({ external_type: 'refund', amount: '12.50', adjusted_transaction_id: String(id) })
    expect(await stands(order_id)).to.deep.equal(['completed', 'refunded'])
  })

  it('are refunded later when the gateway does not answer at once', async () => {
    const { order_id } = await shop.buys(once, { payment_method_id: 'refund_lost' })
    const [{ id }] = await shop.transactions(order_id)
    const { status, body } = await shop.api.post(`/orders/transactions/${id}/refund`)
    expect([status, body.status]).to.deep.equal([202, 'completed'])
  })

  it('with an unknown outcome get stuck, and can be resumed', async () => {
    const { id } = await shop.begins(once, { payment_method_id: 'lost' })
    await shop.passes(5)
    const stuck = (await shop.api.get(`/checkouts/${id}`)).body
    expect(stuck).to.include({ status: 'running', step: 'charge', stuck: 'no answer came' })
    expect((await shop.api.post(`/checkouts/${id}/resume`)).body.stuck).to.equal(null)
  })
})
