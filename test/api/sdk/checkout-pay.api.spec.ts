import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type Buying, CARDS, line, type Offered, type SdkShop, sdkShop, someone } from '../../support/sdk-shop.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('POST /checkout/pay', () => {
  let service: TestService
  let tenant: Tenant
  let shop: SdkShop
  let mug: Offered
  let lid: Offered

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    shop = await sdkShop(service, tenant)
    mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
    lid = await shop.sells(shop.pages[0]!, { amount: '3.00', bump: true })
  })

  const visitor = () => shop.arrives(shop.pages[0]!)

  it('charges, orders, and sends the buyer on', async () => {
    const buying = await visitor()
    const email = someone()
    const { status, body } = await buying.pay([line(mug, 2), line(lid)], { email })
    expect([status, body.status]).to.deep.equal([200, 'pending'])
    const paid = await buying.outcome()
    expect(paid.body.status).to.equal('paid')
    expect(paid.body.redirect).to.match(new RegExp(`^${service.sdkUrl}/next/`))
    const [order] = await shop.orders()
    expect(order).to.include({ total_amount: '28.00', billing_status: 'paid', live_mode: false })
    const sold = await service.background.stores.readModels.live.get('order', order!.id)
    expect(sold).to.include({ sold_page_id: shop.pages[0]!.id, sold_funnel_id: shop.funnel.id })
    expect([sold!.sold_step_id, sold!.session_id].every((id) => typeof id === 'number')).to.equal(true)
    const contact = ok(await tenant.api.get(`/contacts/${order!.contact_id}`))
    expect(contact.email_address).to.equal(email)
  })

  it('keeps the numbers of real cards out (the simulator)', async () => {
    for (const card of ['4111111111111111', 'sim_4111111111111111', 'sim_5555555555554444']) {
      const { status, body } = await (await visitor()).pay([line(mug)], { card })
      expect([status, body.error.code]).to.deep.equal([422, 'cart_invalid'])
      expect(body.state.errors[0].code).to.equal('not_a_test_card')
    }
  })

  it('makes a second attempt after a declined card, with a charge of its own (case 56)', async () => {
    const buying = await visitor()
    const before = (await shop.orders()).length
    await buying.pay([line(mug)], { card: CARDS.declined })
    const refused = (await buying.outcome()).body
    expect(refused.status).to.equal('refused')
    expect(refused.errors[0]).to.include({ source: 'gateway', code: 'declined' })
    await buying.pay([line(mug)], { card: CARDS.declined, attempt: 1 })
    expect((await buying.outcome()).body.status).to.equal('refused')
    await buying.pay([line(mug)], { attempt: 2 })
    expect((await buying.outcome()).body.status).to.equal('paid')
    expect(await shop.orders()).to.have.length(before + 1)
  })

  describe('while the bank asks (case 61)', () => {
    const asked = async () => {
      const buying = await visitor()
      await buying.pay([line(mug)], { card: CARDS.asks })
      const { body } = await buying.outcome()
      expect(body).to.deep.include({ status: 'action', action: { simulated: true } })
      return buying
    }
    const confirm = async (buying: Buying, result: string) => {
      await buying.call('/checkout/confirm', { cart_id: buying.cartId, result })
      return (await buying.outcome()).body
    }

    it('orders once the buyer has answered, however often the page says so', async () => {
      const buying = await asked()
      const before = (await shop.orders()).length
      expect((await confirm(buying, 'approved')).status).to.equal('paid')
      expect((await confirm(buying, 'refused')).status).to.equal('paid')
      expect(await shop.orders()).to.have.length(before + 1)
    })

    it('orders nothing where the buyer refuses, and takes another card at once', async () => {
      const buying = await asked()
      const before = (await shop.orders()).length
      const { status, errors } = await confirm(buying, 'refused')
      expect([status, errors[0].code, errors[0].source]).to.deep.equal([
        'refused',
        'authentication_required',
        'gateway',
      ])
      expect(await shop.orders()).to.have.length(before)
      await buying.pay([line(mug)], { attempt: 2 })
      expect((await buying.outcome()).body.status).to.equal('paid')
    })
  })
})
