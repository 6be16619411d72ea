import { expect } from 'chai'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

const ROOT = 'webhooks_incoming_external_purchases_endpoint'

describe('endpoints for external purchases over REST', () => {
  let tenant: Tenant
  let endpoints: string
  let product: number
  before(async () => {
    tenant = await (await testService()).tenant()
    endpoints = `/workspaces/${tenant.workspaceId}/webhooks/incoming/external_purchase_endpoints`
    product = await recordMakers.product!.make(tenant)
  })

  const open = async (fields: object = {}) => {
    const sent = { [ROOT]: { name: 'Courses', provider: 'whop', live_mode: true, ...fields } }
    const { status, body } = await tenant.api.post(endpoints, sent)
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }
  const patch = (id: number, fields: object) =>
    tenant.api.call('PATCH', `/webhooks/incoming/external_purchase_endpoints/${id}`, { [ROOT]: fields })

  it('opens one with an address of its own and without a secret, which the provider issues', async () => {
    const one = await open()
    expect(one).to.include({ provider: 'whop', live_mode: true, suppress_order_system_emails: false })
    expect(one.url).to.match(new RegExp(`/webhooks/incoming/external_purchases_webhooks/${one.public_id}$`))
    expect([one.webhook_secret_last_four, one.provider_metadata]).to.deep.equal([null, { whop: {} }])
    expect(one).not.to.have.any.keys('webhook_secret', 'secret')
  })

  it('takes a secret, ignores a blank one, and says its last four letters alone', async () => {
    const { id } = await open()
    const first = await patch(id, { secret: 'ws_0123456789abcdef' })
    expect([first.status, first.body.webhook_secret_last_four]).to.deep.equal([200, 'cdef'])
    expect((await patch(id, { secret: ' ', name: 'Other' })).body).to.include({
      webhook_secret_last_four: 'cdef',
      name: 'Other',
    })
    expect((await patch(id, { secret: null })).body.webhook_secret_last_four).to.equal('cdef')
    const rotated = await patch(id, { secret: 'ws_fedcba9876543210' })
    expect(rotated.body.webhook_secret_last_four).to.equal('3210')
    expect(JSON.stringify(rotated.body)).not.to.include('fedcba98')
    const wrong = await patch(id, { secret: 'whsec_0123456789' })
    expect([wrong.status, wrong.body.error]).to.deep.equal([
      422,
      'Request unprocessable: secret is not a Whop signing secret',
    ])
  })

  it('keeps provider and mode', async () => {
    const { id } = await open()
    const { status, body } = await patch(id, { live_mode: false })
    expect([status, body.error]).to.deep.equal([422, 'Request unprocessable: live_mode cannot be changed'])
    expect((await patch(id, { live_mode: true, provider: 'whop' })).status).to.equal(200)
  })

  it('lists by provider and mode', async () => {
    const { id } = await open({ live_mode: false })
    const { body } = await tenant.api.get(`${endpoints}?filter[provider]=whop&filter[live_mode]=false`)
    expect(body.map((one: { id: number }) => one.id)).to.deep.equal([id])
  })

  describe('mappings', () => {
    let endpoint: number
    let path: string
    let variant: number
    let price: number
    before(async () => {
      endpoint = (await open()).id
      path = `/webhooks/incoming/external_purchase_endpoints/${endpoint}/product_mappings`
      variant = (await tenant.api.get(`/products/${product}`)).body.default_variant_id
      const made = await tenant.api.post(`/products/variants/${variant}/prices`, { products_price: { amount: '20' } })
      price = made.body.id
    })
    const map = (fields: object) =>
      tenant.api.post(path, {
        external_purchase_product_mapping: { products_variant_id: variant, products_price_id: price, ...fields },
      })

    it('name a variant and a price of one product, for a plan of the provider', async () => {
      const { status, body } = await map({ external_product_sku: 'plan_a' })
      expect(status, JSON.stringify(body)).to.equal(201)
      expect(body).to.include({ external_purchase_endpoint_id: endpoint, external_product_sku: 'plan_a' })
      expect(body.clickfunnels_product.id).to.equal(product)
      expect(body.clickfunnels_variant.id).to.equal(variant)
      expect(body.clickfunnels_price).to.include({
        id: price,
        amount: '20.00',
        payment_type: 'one_time',
        currency: 'usd',
      })
      expect(body).not.to.have.any.keys('products_variant_id', 'products_price_id', 'product_id')
    })

    it('are refused for a plan that is mapped at this endpoint, not at another', async () => {
      expect((await map({ external_product_sku: 'plan_b' })).status).to.equal(201)
      const again = await map({ external_product_sku: 'plan_b' })
      expect([again.status, again.body.details[0].code]).to.deep.equal([422, 'taken'])
      path = `/webhooks/incoming/external_purchase_endpoints/${(await open()).id}/product_mappings`
      expect((await map({ external_product_sku: 'plan_b' })).status).to.equal(201)
    })

    it('are refused for prices of another product, and unknown to other workspaces', async () => {
      const other = await recordMakers['products/price']!.make(tenant)
      const mixed = await map({ external_product_sku: 'plan_c', products_price_id: other })
      expect([mixed.status, mixed.body.details[0].field]).to.deep.equal([
        422,
        'external_purchase_product_mapping.products_price_id',
      ])
      const stranger = await (await testService()).tenant()
      const foreign = await recordMakers['products/price']!.make(stranger)
      expect((await map({ external_product_sku: 'plan_c', products_price_id: foreign })).status).to.equal(404)
      expect((await map({ external_product_sku: 'plan_c', products_variant_id: 2_000_000_000 })).status).to.equal(404)
    })
  })
})
