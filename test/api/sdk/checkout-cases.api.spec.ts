import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { owedMails } from '../../support/owed-mails.ts'
import { recordMakers } from '../../support/records.ts'
import { savedSince } from '../../support/saved-since.ts'
import { CARDS, line, type Offered, type SdkShop, sdkShop, someone } from '../../support/sdk-shop.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const HOME = { street: '1 High St', city: 'Dover', region: 'DE', postal_code: '19901', country: 'US' }

describe('checkouts on pages', () => {
  let service: TestService
  let tenant: Tenant
  let shop: SdkShop
  let mug: Offered
  let lid: Offered
  let workspace: string

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    shop = await sdkShop(service, tenant)
    mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
    lid = await shop.sells(shop.pages[0]!, { amount: '3.00', bump: true })
  })

  const visitor = (headers?: Readonly<Record<string, string>>) => shop.arrives(shop.pages[0]!, headers)
  const codesOf = ({ body }: { readonly body: { readonly state: { readonly errors: { readonly code: string }[] } } }) =>
    body.state.errors.map(({ code }) => code)
  const discount = async (fields: object) => {
    const terms = { name: 'Code', discount_method: 'percentage', discount_type: 'code', ...fields }
    return ok(await tenant.api.post(`${workspace}/discounts`, { discount: terms }))
  }
  const ordersBy = async (email: string) => {
    await service.caughtUp()
    return (await shop.orders()).filter(
      ({ contact }) => (contact as { email_address?: string }).email_address === email,
    )
  }

  it('charge each tab for what it shows (case 45)', async () => {
    const one = await visitor()
    const other = shop.as(shop.pages[0]!, one.session)
    const email = someone()
    await one.pay([line(mug, 2)], { email })
    await other.pay([line(mug, 2), line(lid, 1)], { email })
    await Promise.all([one.outcome(), other.outcome()])
    const totals = (await ordersBy(email)).map(({ total_amount }) => total_amount)
    expect(totals.toSorted()).to.deep.equal(['25.00', '28.00'])
  })

  it('are not charged where the price has changed, or the product is no longer sold, since it was shown (case 46)', async () => {
    const cup = await shop.sells(shop.pages[0]!, { amount: '5.00' })
    const buying = await visitor()
    const { body } = await buying.state([line(cup)])
    const shown = { version: body.version, total: body.state.totals.total }
    const pays = () =>
      buying.call('/checkout/pay', {
        ...{ cart: { id: buying.cartId, lines: [line(cup)] }, shown, attempt: 1 },
        ...{ contact: { email: someone() }, payment: { token: CARDS.good } },
      })
    ok(await tenant.api.put(`/products/prices/${cup.priceId}`, { products_price: { amount: '4.00' } }))
    const changed = await pays()
    expect([changed.status, changed.body.error.code]).to.deep.equal([409, 'totals_changed'])
    expect([changed.body.state.totals.total, codesOf(changed)]).to.deep.equal([400, ['totals_changed']])
    ok(await tenant.api.call('DELETE', `/pages/${shop.pages[0]!.id}/products`, { product_ids: [cup.productId] }))
    const gone = await pays()
    expect([gone.status, codesOf(gone)]).to.deep.equal([422, ['not_sold']])
    expect((await buying.outcome()).body.status).to.equal('none')
  })

  it('choose the cheapest way of shipping of the new address where the chosen one is gone (case 47)', async () => {
    const vase = await shop.sells(shop.pages[0]!, { amount: '5.00', physical: true })
    const profile = { name: 'Parcels', variant_ids: [vase.variantId] }
    const made = ok(await tenant.api.post(`${workspace}/shipping/profiles`, { shipping_profile: profile }))
    const [{ id }] = ok(await tenant.api.get(`/shipping/profiles/${made.id}/location_groups`))
    const rateIn = async (country: string, prices: readonly string[]) => {
      const zone = { name: country, country_ids: [country] }
      const { id: zoneId } = ok(await tenant.api.post(`/shipping/location_groups/${id}/zones`, { shipping_zone: zone }))
      for (const price of prices) {
        const rates_name_id = await recordMakers['shipping/rates/name']!.make(tenant)
        const rate = { price, rates_name_id }
        ok(await tenant.api.post(`/shipping/zones/${zoneId}/rates`, { shipping_rate: rate }))
      }
    }
    await rateIn('US', ['0', '9.00'])
    await rateIn('DE', ['7.00', '20.00'])
    const buying = await visitor()
    const at = async (country: string, shipping_option_id?: string) =>
      (await buying.state([line(vase)], { shipping_address: { ...HOME, region: '', country }, shipping_option_id }))
        .body
    const home = await at('US')
    expect(home.state.shipping.options.map(({ amount }: { amount: number }) => amount)).to.deep.equal([0, 900])
    const abroad = await at('DE', home.state.shipping.options[1].id)
    expect(abroad.state.shipping.selected_option_id).to.equal(abroad.state.shipping.options[0].id)
    expect([abroad.state.totals.shipping, abroad.state.totals.total]).to.deep.equal([700, 1200])
    expect(abroad.state.errors).to.deep.equal([])
    const without = await buying.state([line(vase)])
    expect(without.body.state.shipping).to.deep.equal({
      ...{ address_required: true, options: [], selected_option_id: null },
    })
    const refused = await buying.pay([line(vase)])
    expect(refused.body.state.errors.map(({ field }: { field: string }) => field)).to.deep.equal([
      ...['shipping_address.street', 'shipping_address.city', 'shipping_address.country'],
    ])
  })

  it('need no payment where there is nothing to pay (case 48)', async () => {
    await discount({ code: 'ALL', percent: '100' })
    const email = someone()
    const buying = await visitor()
    const more = { coupon_codes: ['ALL'], email, card: null }
    expect((await buying.state([line(mug)], more)).body.payment_required).to.equal(false)
    await buying.pay([line(mug)], more)
    expect((await buying.outcome()).body).to.include({ status: 'paid' })
    const [order] = await ordersBy(email)
    expect(order).to.include({ total_amount: '0.00', billing_status: 'paid' })
    expect(ok(await tenant.api.get(`/orders/${order!.id}/transactions`))).to.deep.equal([])
  })

  it('take a code of one use once the address is known, and never twice (case 49)', async () => {
    await discount({ code: 'FIRST', percent: '50', limit_1_per_customer: true })
    const email = someone()
    const more = { coupon_codes: ['FIRST'], email }
    const [one, other] = [await visitor(), await visitor()]
    await Promise.all([one.pay([line(mug)], more), other.pay([line(mug)], more)])
    const outcomes = [(await one.outcome()).body, (await other.outcome()).body]
    expect(outcomes.filter(({ status }) => status === 'paid')).to.have.length(1)
    const refused = outcomes.find(({ status }) => status !== 'paid')
    if (refused.status === 'refused')
      expect(refused.errors[0]).to.include({ field: 'coupon_codes', source: 'validation' })
    await service.caughtUp()
    const late = await visitor()
    expect(codesOf(await late.state([line(mug)], { coupon_codes: ['FIRST'] }))).to.deep.equal([])
    const known = await late.state([line(mug)], more)
    expect([codesOf(known), known.body.state.totals.total]).to.deep.equal([['used'], 1250])
    const paid = await late.pay([line(mug)], { ...more, email: ` ${email.toUpperCase()} ` })
    expect([paid.status, codesOf(paid)]).to.deep.equal([422, ['used']])
    expect(await ordersBy(email)).to.have.length(1)
  })

  it('of bumps alone are refused (case 52)', async () => {
    const { status, body } = await (await visitor()).pay([line(lid)])
    expect([status, codesOf({ body })]).to.deep.equal([422, ['bump_without_product']])
  })

  it('are shipped to addresses of countries without postal codes and regions (case 54)', async () => {
    const box = await shop.sells(shop.pages[0]!, { amount: '5.00', physical: true })
    for (const country of ['HK', 'AE', 'IE', 'SG']) {
      const email = someone()
      const buying = await visitor()
      await buying.pay([line(box)], { email, shipping_address: { street: '1 Road', city: 'Town', country } })
      expect((await buying.outcome()).body.status, country).to.equal('paid')
      expect((await ordersBy(email))[0]).to.include({ shipping_address_country: country })
    }
    const odd = await (await visitor()).state([line(box)], { shipping_address: { country: 'Atlantis' } })
    expect(odd.body.state.errors[0]).to.include({ field: 'shipping_address.country', code: 'inclusion' })
  })

  it('are in doubt while the answer of the gateway is lost: no second attempt begins (case 57)', async () => {
    const email = someone()
    const buying = await visitor()
    await buying.pay([line(mug)], { email, card: 'late' })
    const again = await buying.pay([line(mug)], { email, attempt: 2 })
    expect(again.body).to.deep.include({ ok: true, status: 'pending' })
    expect((await buying.outcome()).body.status).to.equal('paid')
    const orders = await ordersBy(email)
    expect(orders).to.have.length(1)
    expect(ok(await tenant.api.get(`/orders/${orders[0]!.id}/transactions`))).to.have.length(1)
  })

  it('know that a cart is paid, after a reload and after going back (cases 58, 59)', async () => {
    const email = someone()
    const buying = await visitor()
    await buying.pay([line(mug)], { email })
    while ((await ordersBy(email)).length === 0) await new Promise((go) => setTimeout(go, 10))
    expect((await buying.outcome()).body.status).to.equal('paid')
    for (const attempt of [1, 2])
      expect((await buying.pay([line(mug)], { email, attempt })).body.status).to.equal('paid')
    expect(await ordersBy(email)).to.have.length(1)
  })

  it('save nothing in a preview', async () => {
    const [page] = shop.pages
    const preview = shop.as({ ...page!, url: 'http://localhost:3000/buy', origin: 'http://localhost:3000' }, '')
    await owedMails(service, tenant)
    const saved = await savedSince(service, tenant)
    const { body } = await preview.pay([line(mug)])
    expect(body).to.include({ ok: true, status: 'paid' })
    expect(body.redirect).to.match(/\/preview\//)
    expect((await preview.call('/offer/decline')).body.redirect).to.match(/\/preview\//)
    expect(await saved()).to.deep.equal([])
  })

  it('refuse sessions that are none, and calls that make no sense, by name', async () => {
    const buying = await visitor()
    const stranger = shop.as(shop.pages[0]!, 'nothing.at-all')
    expect((await stranger.pay([line(mug)])).body.error.code).to.equal('session_invalid')
    const good = { cart: { id: buying.cartId, lines: [] }, shown: { version: 'x', total: 1 }, attempt: 1 }
    const contact = { email: someone() }
    for (const [body, field] of [
      [{ ...good, contact: 'me' }, 'contact'],
      [{ ...good, contact, attempt: 0 }, 'attempt'],
      [{ ...good, contact, shown: null }, 'shown'],
      [{ ...good, contact, cart: [] }, 'cart'],
      [{ ...good, contact, custom: [1] }, 'custom'],
      [{ ...good, contact, payment: 'sim' }, 'payment'],
      [{ ...good, contact, cart: { ...good.cart, shipping_address: { city: 5 } } }, 'shipping_address.city'],
    ] as const) {
      const { status, body: said } = await buying.call('/checkout/pay', body)
      expect([status, said.error.code], field).to.deep.equal([400, 'bad_request'])
      expect(said.error.message).to.include(field)
    }
  })
})
