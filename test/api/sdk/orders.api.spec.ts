import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { line, type Offered, type SdkShop, sdkShop, someone } from '../../support/sdk-shop.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const HOME = { name: 'Ann Lee', street: '1 High St', city: 'Dover', region: 'DE', postal_code: '19901', country: 'US' }

describe('orders of a session', () => {
  let service: TestService
  let tenant: Tenant
  let shop: SdkShop
  let mug: Offered

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    shop = await sdkShop(service, tenant)
    mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
  })
  const visitor = () => shop.arrives(shop.pages[0]!)

  it('13b 23: are shown to that session alone, and kept by no cache', async () => {
    const buying = await visitor()
    expect((await buying.call('/orders')).body).to.deep.equal({ ok: true, orders: [] })
    await buying.pay([line(mug, 2)])
    expect((await buying.outcome()).body.status).to.equal('paid')
    const answer = await shop.as(shop.pages[1]!, buying.session).call('/orders')
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('cache-control')).to.include('no-store')
    const [order, ...others] = answer.body.orders
    expect(others).to.deep.equal([])
    expect(order).to.deep.include({
      line_items: [{ name: 'Mug', quantity: 2, line_amount: 2500 }],
      totals: { subtotal: 2500, discount: 0, tax: 0, shipping: 0, total: 2500, currency: 'USD' },
      shipping_address: null,
      billing_address: null,
    })
    await service.caughtUp()
    const [made] = (await shop.orders()).slice(-1)
    expect(order.number).to.equal(made!.order_number)
    expect((await (await visitor()).call('/orders')).body.orders).to.deep.equal([])
    for (const session of [undefined, 'made-up', `${buying.session}x`]) {
      const refused = await buying.call('/orders', { session })
      expect([refused.status, refused.body.error.code]).to.deep.equal([403, 'session_invalid'])
    }
  })

  it('name the page, the funnel and the tax by which they were sold, also when those are gone', async () => {
    const own = await service.tenant()
    const selling = await sdkShop(service, own)
    const [page] = selling.pages
    const path = `/workspaces/${own.workspaceId}`
    ok(await own.api.post(`${path}/tax_rates`, { tax_rate: { name: 'VAT', country: 'US', percent: '19' } }))
    const cup = await selling.sells(page!, { amount: '100', physical: true })
    const buying = await selling.arrives(page!)
    await buying.pay([line(cup)], { shipping_address: HOME, billing_address: HOME })
    expect((await buying.outcome()).body.status).to.equal('paid')
    await waitUntilSettled(service)
    const [{ id }] = (await selling.orders()) as [{ readonly id: number }]
    const shown = async () => ok(await own.api.get(`/orders/${id}`))
    const { public_id, name } = ok(await own.api.get(`/pages/${page!.id}`))
    const funnel = ok(await own.api.get(`/funnels/${selling.funnel.id}`))
    const sold = {
      ...{ page_id: page!.id, page_name: name, funnel_name: funnel.name, tax_amount: '19.00' },
      ...{ origination_channel_type: 'Funnel', origination_channel_id: funnel.id },
      ...{ origination_channel_name: funnel.name, origination_channel_public_id: funnel.public_id },
      order_page: { id: page!.id, public_id, name },
    }
    expect(await shown()).to.deep.include(sold)
    const { stats } = ok(await own.api.get(`${path}/stats?resource=order&sum[property]=tax_amount`))
    expect(stats.sum.value).to.equal('19.00')
    const bought = ok(await own.api.get(`${path}/orders`))[0]
    expect(bought).to.deep.include(sold)
  })

  it('13b 23: show the addresses that were typed for them, and no other of the same contact', async () => {
    const cup = await shop.sells(shop.pages[0]!, { amount: '5.00', physical: true })
    const email = someone()
    const first = await visitor()
    await first.pay([line(cup)], { email, shipping_address: HOME, billing_address: HOME })
    expect((await first.outcome()).body.status).to.equal('paid')
    const [shipped] = (await first.call('/orders')).body.orders
    expect(shipped.shipping_address).to.include(HOME)
    expect(shipped.billing_address).to.include({ street: HOME.street, country: HOME.country })
    const again = await visitor()
    await again.pay([line(mug)], { email })
    expect((await again.outcome()).body.status).to.equal('paid')
    const { orders } = (await again.call('/orders')).body
    expect(orders).to.have.length(1)
    expect(orders[0]).to.include({ shipping_address: null, billing_address: null })
    expect(JSON.stringify(orders)).not.to.include('High St')
  })

  it('13b 23: are not those that were refused', async () => {
    const buying = await visitor()
    await buying.pay([line(mug)], { card: 'sim_4000000000000002' })
    expect((await buying.outcome()).body.status).to.equal('refused')
    expect((await buying.call('/orders')).body.orders).to.deep.equal([])
  })

  it('are gone with the contact', async () => {
    const buying = await visitor()
    const email = someone()
    await buying.pay([line(mug)], { email })
    await buying.outcome()
    await service.caughtUp()
    const contacts = ok(
      await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${email}`),
    )
    expect((await tenant.api.delete(`/contacts/${contacts[0].id}/gdpr_destroy`)).status).to.equal(204)
    await waitUntilSettled(service)
    expect((await buying.call('/orders')).body.error.code).to.equal('session_invalid')
  })
})
