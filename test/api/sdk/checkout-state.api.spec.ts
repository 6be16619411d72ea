import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { callOf } from '../../support/sdk-pages.ts'
import { line, type Offered, type SdkShop, sdkShop, someone } from '../../support/sdk-shop.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('POST /checkout/state', () => {
  let service: TestService
  let tenant: Tenant
  let shop: SdkShop
  let mug: Offered
  let lid: Offered
  let offer: Offered

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    shop = await sdkShop(service, tenant)
    const [first, second] = shop.pages
    mug = await shop.sells(first!, { amount: '12.50', physical: true })
    lid = await shop.sells(first!, { amount: '3.00', bump: true })
    offer = await shop.sells(second!, { amount: '1.00' })
    const discount = { name: 'Ten', code: 'TEN', percent: '10', discount_method: 'percentage', discount_type: 'code' }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/discounts`, { discount }))
  })

  const visitor = () => shop.arrives(shop.pages[0]!)
  const errorsOf = ({
    body,
  }: {
    readonly body: { readonly state: { readonly errors: { readonly code: string }[] } }
  }) => body.state.errors.map(({ code }) => code)

  it('is what init shows of the catalogue: public ids, amounts without zeros, currencies in small letters', async () => {
    const [page] = shop.pages
    const query = new URLSearchParams({ sdk_page_token: page!.token, url: page!.url })
    const response = await fetch(`${service.sdkUrl}/init?${query}`, { headers: { origin: page!.origin } })
    const { checkout, catalog } = JSON.parse(await response.text())
    expect(checkout).to.deep.equal({ gateway: 'simulator', key: null, live: false })
    expect(catalog.products).to.have.length(1)
    const [variant] = catalog.products[0].variants
    expect(variant).to.include({ id: mug.variant_id, product_type: 'physical' })
    expect(variant.prices[0]).to.include({
      id: mug.price_id,
      amount: '12.5',
      currency: 'usd',
      payment_type: 'one_time',
    })
    expect(catalog.bumpProducts[0].variants[0].prices[0].amount).to.equal('3')
  })

  it('prices a cart in minor units, and says that it is empty', async () => {
    const { body } = await (await visitor()).state([line(mug, 2), line(lid)])
    expect(body.state.totals).to.deep.equal({
      ...{ subtotal: 2800, discount: 0, tax: 0, shipping: 0, total: 2800, currency: 'USD' },
    })
    const [first] = body.state.line_items
    expect(first).to.include({
      variant_id: mug.variant_id,
      price_id: mug.price_id,
      unit_amount: 1250,
      line_amount: 2500,
    })
    expect([body.payment_required, body.state.shipping.address_required]).to.deep.equal([true, true])
    const empty = await (await visitor()).state([])
    expect(errorsOf(empty)).to.deep.equal(['no_products'])
    expect(empty.body.state.totals).to.include({ total: 0, currency: null })
  })

  it('prices the rest of a cart with a code that is none, and takes one in either case', async () => {
    const wrong = await (await visitor()).state([line(mug)], { coupon_codes: ['NOPE', 'ten'] })
    expect(errorsOf(wrong)).to.deep.equal(['unknown'])
    expect(wrong.body.state.totals).to.include({ discount: 125, total: 1125 })
  })

  it('refuses prices of other variants and steps, archived ones, and quantities that are none (case 51)', async () => {
    const buying = await visitor()
    const odd = [
      { variant_id: mug.variant_id, price_id: lid.price_id, quantity: 1 },
      line(offer),
      { variant_id: 'nothing', price_id: '', quantity: 1 },
      ...[-1, 1.5, 1e9, 'NaN', '2', null].map((quantity) => line(mug, quantity)),
    ]
    for (const one of odd) {
      const answer = await buying.state([line(lid), one])
      expect(errorsOf(answer)[0], JSON.stringify(one)).to.be.oneOf(['not_sold', 'invalid_quantity'])
      expect(answer.body.state.totals.total).to.equal(300)
    }
    const other = await (await testService()).tenant()
    const foreign = await sdkShop(service, other)
    const theirs = await foreign.sells(foreign.pages[0]!, { amount: 1 })
    expect(errorsOf(await buying.state([line(theirs)]))).to.deep.equal(['not_sold'])
  })

  it('names what is no cart, and has no checkout where the funnel does not sell', async () => {
    const buying = await visitor()
    const { status, body } = await buying.call('/checkout/state', { cart: { id: 'short', lines: [] } })
    expect([status, body.error.code]).to.deep.equal([400, 'bad_request'])
    const off = await sdkShop(service, tenant, 1, { enabled: false })
    const answer = await callOf(service)('/checkout/state', off.pages[0]!, { cart: { id: 'cart-0001', lines: [] } })
    expect([answer.status, answer.body.error.code]).to.deep.equal([422, 'no_checkout'])
  })

  it('changes its version with what is to be paid, and with nothing else', async () => {
    const buying = await visitor()
    const versions = [
      await buying.state([line(mug)]),
      await buying.state([line(mug)], { email: someone() }),
      await buying.state([line(mug, 2)]),
    ].map(({ body }) => body.version)
    expect(versions[0]).to.equal(versions[1])
    expect(versions[0]).to.not.equal(versions[2])
  })
})
