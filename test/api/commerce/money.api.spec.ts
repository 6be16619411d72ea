import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { openStripeDouble, STRIPE_KEY, type StripeDouble } from '../../support/payments/stripe-double.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'

describe('money over REST', () => {
  let stripe: StripeDouble
  let service: TestService
  let tenant: Tenant
  let shop: Shop
  let once: OnSale
  let monthly: OnSale
  before(async () => {
    stripe = await openStripeDouble()
    service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url })
    tenant = await service.tenant({ test: true })
    shop = await shopOf(tenant)
    once = await shop.sells({ amount: '12.50' })
    monthly = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months' })
  })
  after(() => stripe.close())

  const checkout = (fields: object, line: object = once) =>
    shop.api.post(`${shop.workspace}/checkouts`, {
      checkout: {
        ...{ contact_id: shop.contactId, live_mode: false, payment_method_id: 'approved' },
        ...{ line_items_attributes: [{ ...line, quantity: 1 }], ...fields },
      },
    })
  const refused = async (fields: object, line: object = once) => {
    const { status, body } = await checkout(fields, line)
    return [status, body.details?.[0]?.field]
  }

  describe('what is archived', () => {
    const LINES = 'checkout.line_items_attributes'

    it('is not sold: a price, a variant, a product', async () => {
      const price = await shop.sells({ amount: 5 })
      ok(await shop.api.put(`/products/prices/${price.products_price_id}`, { products_price: { archived: true } }))
      expect(await refused({}, price)).to.deep.equal([422, LINES])
      const variant = await shop.sells({ amount: 5 })
      ok(await shop.api.put(`/products/variants/${variant.variant_id}`, { products_variant: { archived: true } }))
      expect(await refused({}, variant)).to.deep.equal([422, LINES])
      const product = await shop.sells({ amount: 5 })
      const { product_id } = ok(await shop.api.get(`/products/variants/${product.variant_id}`))
      ok(await shop.api.post(`/products/${product_id}/archive`))
      expect(await refused({}, product)).to.deep.equal([422, LINES])
    })
  })

  describe('an address that decides money', () => {
    const country = async (sent: string): Promise<unknown> => {
      const { status, body } = await checkout({ shipping_address_country: sent })
      return status === 201 ? body.shipping_address_country : [status, body.details[0].field]
    }

    it('is understood by name and by either code', async () => {
      for (const name of ['United Kingdom', 'UK', 'GBR', 'gb', 'Great Britain', 'Vereinigtes Königreich'])
        expect(await country(name), name).to.equal('GB')
      for (const name of ['USA', 'U.S.A.', 'United States', 'the united states of america'])
        expect(await country(name), name).to.equal('US')
    })

    it('is refused where it is none, and names the field', async () => {
      expect(await country('Narnia')).to.deep.equal([422, 'checkout.shipping_address_country'])
    })

    it('keeps the code of a region, and one that is not known as it was typed', async () => {
      const address = { shipping_address_country: 'CA', shipping_address_region: 'Québec' }
      const elsewhere = { billing_address_country: 'US', billing_address_region: 'Bavaria' }
      expect(ok(await checkout({ ...address, ...elsewhere }))).to.include({
        shipping_address_region: 'QC',
        billing_address_region: 'Bavaria',
      })
    })

    it('decides the tax', async () => {
      const tax_rate = { name: 'VAT', country: 'GB', percent: 20 }
      ok(await shop.api.post(`${shop.workspace}/tax_rates`, { tax_rate }))
      expect(ok(await checkout({ shipping_address_country: 'United Kingdom' })).tax_amount).to.equal('2.50')
    })
  })

  it('a code that takes nothing is left out, and stays unused', async () => {
    const code = async (fields: object) => {
      const discount = { name: 'Ours', code: `C${randomUUID().slice(0, 8)}`, ...fields }
      return ok(await shop.api.post(`${shop.workspace}/discounts`, { discount })) as { id: number; code: string }
    }
    const whole = await code({ discount_method: 'percentage', percent: 100 })
    const more = await code({ discount_method: 'fixed', amount: '1.00', limit_1_per_customer: true })
    const sent = { discount_codes: [whole.code, more.code], payment_method_id: undefined }
    const { id } = ok(await checkout(sent))
    const ended = await shop.ends(id)
    expect(ended).to.include({ status: 'completed', total_amount: '0.00' })
    expect(ended.unused_discount_codes).to.deep.equal([more.code.toUpperCase()])
    const read = async (one: { id: number }) => ok(await shop.api.get(`/discounts/${one.id}`)).redemptions_count
    expect([await read(whole), await read(more)]).to.deep.equal([1, 0])
  })

  it('amounts that cannot be computed with are refused where they enter', async () => {
    const { body, status } = await shop.api.post(`/products/variants/${once.variant_id}/prices`, {
      products_price: { amount: '1000000000000000000' },
    })
    expect([status, body.details[0].field]).to.deep.equal([422, 'products_price.amount'])
    const dear = await shop.sells({ amount: '999999999999.00' })
    const order = { order_type: 'one-time-order', live_mode: false, contact_id: shop.contactId }
    const line_items_attributes = [{ ...dear, quantity: 1000 }]
    const placed = await shop.api.post(`${shop.workspace}/orders`, { order: { ...order, line_items_attributes } })
    expect([placed.status, placed.body.details[0].field]).to.deep.equal([422, 'order.line_items_attributes'])
    expect(await refused({ line_items_attributes })).to.deep.equal([422, 'checkout.line_items_attributes'])
  })

  it('a refund that the gateway refuses is refused, with the reason, and again under its key', async () => {
    const { order_id } = await shop.buys(once, { payment_method_id: 'refund_refused' })
    const [sale] = await shop.transactions(order_id)
    const headers = { 'Idempotency-Key': randomUUID() }
    const path = `/orders/transactions/${sale.id}/refund`
    const first = await shop.api.call('POST', path, {}, { headers })
    const second = await shop.api.call('POST', path, {}, { headers })
    for (const { status, body } of [first, second]) {
      expect(status).to.equal(422)
      expect(body.error).to.match(/The gateway refused the refund: /)
    }
  })

  it('a refund is answered under its key as it was at first, by the clock of its workspace', async () => {
    await shop.passes(40)
    const { order_id } = await shop.buys(once)
    const [sale] = await shop.transactions(order_id)
    const headers = { 'Idempotency-Key': randomUUID() }
    const path = `/orders/transactions/${sale.id}/refund`
    const first = await shop.api.call('POST', path, {}, { headers })
    const second = await shop.api.call('POST', path, {}, { headers })
    expect([first.status, second.status]).to.deep.equal([200, 200])
    expect(second.body).to.deep.equal(first.body)
  })

  it('a saved payment method is that of its contact', async () => {
    const fields = { name: 'Main', provider: 'stripe', secret_key: STRIPE_KEY }
    const accounts = `${shop.workspace}/payments/gateway_accounts`
    const { id: gateway_account_id } = ok(await shop.api.post(accounts, { payments_gateway_account: fields }))
    const token = { payment_method_id: undefined, payment_method_token: `pm_${randomUUID()}` }
    const { payment_method_id } = await shop.buys(once, { gateway_account_id, ...token })
    expect((await shop.buys(once, { gateway_account_id, payment_method_id })).status).to.equal('completed')
    const contact = { email_address: 'somebody.else@example.com' }
    const { id: contact_id } = ok(await shop.api.post(`${shop.workspace}/contacts`, { contact }))
    const theirs = { gateway_account_id, payment_method_id, contact_id }
    expect(await refused(theirs)).to.deep.equal([422, 'checkout.payment_method_id'])
  })

  it('an erased buyer is not charged any more, and one with a subscription cannot be deleted', async () => {
    const contact = { email_address: `${randomUUID()}@example.com` }
    const { id: contact_id } = ok(await shop.api.post(`${shop.workspace}/contacts`, { contact }))
    const { order_id } = await shop.buys(monthly, { contact_id })
    ok(await shop.api.post(`/orders/${order_id}/cancel`))
    expect((await shop.api.delete(`/contacts/${contact_id}`)).status).to.equal(422)
    ok(await shop.api.post(`/orders/${order_id}/reactivate`))
    expect((await shop.api.delete(`/contacts/${contact_id}/gdpr_destroy`)).status).to.equal(204)
    expect((await shop.order(order_id)).service_status).to.equal('churned')
    await shop.passes(70)
    expect(await shop.invoices(order_id)).to.have.length(1)
  })

  it('a fulfilment that is cancelled does not sell the piece again', async () => {
    const [line] = [await shop.sells({ amount: 20 })]
    const { variant_id } = line
    const variant = { product_type: 'physical', track_quantity: true }
    ok(await shop.api.put(`/products/variants/${variant_id}`, { products_variant: variant }))
    const fields = { name: 'Mill', address_name: 'Mill', email_address: 'mill@example.com', address: { country: 'GB' } }
    const locations = `${shop.workspace}/fulfillments/locations`
    const { id: location_id } = ok(await shop.api.post(locations, { fulfillments_location: fields }))
    const stock = { variant_id, levels: [{ location_id, quantity: 1 }] }
    ok(await shop.api.post(`${shop.workspace}/fulfillments/stocks`, { fulfillments_stock: stock }))
    const { order_id } = await shop.buys(line, { shipping_address_country: 'GB' })
    const [invoice] = await shop.invoices(order_id)
    const included_orders_invoices_line_items_attributes = [
      { invoices_line_item_id: invoice.line_items[0].id, quantity: 1 },
    ]
    const fulfillment = { contact_id: shop.contactId, location_id, included_orders_invoices_line_items_attributes }
    const { id } = ok(await shop.api.post(`${shop.workspace}/fulfillments`, { fulfillment }))
    ok(await shop.api.post(`/fulfillments/${id}/cancel`))
    const ended = await shop.buys(line, { shipping_address_country: 'GB' })
    expect(ended.status).to.equal('compensated')
    expect(ended.failure_reason).to.match(/in stock/)
    ok(await shop.api.post(`${shop.workspace}/fulfillments`, { fulfillment }))
  })
})
