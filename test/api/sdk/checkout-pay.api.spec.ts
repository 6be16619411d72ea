import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import {
  type Buying,
  CARDS,
  line,
  type Offered,
  passes,
  type SdkShop,
  sdkShop,
  someone,
} from '../../support/sdk-shop.ts'
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
  const none = { session: undefined }
  /** The body of a call that pays for one of something, in no session unless one is given. */
  const sent = async (buying: Buying, more: object = {}, of = mug) => {
    const email = someone()
    const cart = { id: buying.cartId, lines: [line(of)], email }
    const { version, state } = (await buying.call('/checkout/state', { ...none, cart })).body
    const shown = { version, total: state.totals.total }
    const paid = { cart, shown, contact: { email }, custom: [], payment: { token: CARDS.good }, attempt: 1 }
    return { ...none, ...paid, ...more }
  }

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

  describe('where a blocker holds back every visit (case 9)', () => {
    const unseen = () => shop.as(shop.pages[0]!, '')
    it('begins a session, with which the buyer goes on', async () => {
      const buying = unseen()
      const before = (await shop.orders()).length
      const { body } = await buying.call('/checkout/pay', await sent(buying))
      expect([body.ok, body.status]).to.deep.equal([true, 'pending'])
      const follows = () => buying.call('/checkout/status', { cart_id: buying.cartId, session: body.session })
      let paid = await follows()
      while (paid.body.status === 'pending') paid = await follows()
      expect(paid.body.status).to.equal('paid')
      expect(paid.body.redirect).to.match(/\/next\//)
      expect(await shop.orders()).to.have.length(before + 1)
    })

    it('charges once, however often the answer is lost', async () => {
      const buying = unseen()
      const before = (await shop.orders()).length
      const body = await sent(buying)
      const answers = await Promise.all([1, 2, 3].map(() => buying.call('/checkout/pay', body)))
      for (const answer of answers) expect([200, 503], JSON.stringify(answer.body)).to.include(answer.status)
      for (;;) {
        const { status } = (await buying.call('/checkout/pay', body)).body
        if (status === 'paid') break
        expect(status).to.be.oneOf(['pending', undefined])
      }
      expect(await shop.orders()).to.have.length(before + 1)
    })

    it('begins none for a cart whose name others may know, or for a session that is none', async () => {
      const buying = unseen()
      const body = await sent(buying)
      const named = { ...body, cart: { ...body.cart, id: 'my-own-cart' } }
      for (const wrong of [named, { ...body, session: 'nothing.at-all' }, { ...body, session: null }])
        expect((await buying.call('/checkout/pay', wrong)).body.error.code).to.equal('session_invalid')
    })

    it('leads on from a page that offers them nothing', async () => {
      const { body } = await shop.as(shop.pages[1]!, '').call('/offer/decline', none)
      expect(body.redirect).to.match(/\/next\//)
    })
  })

  describe('when the session is over, or the browser has none (13a 4, 13a 58)', () => {
    let timed: SdkShop
    let cup: Offered
    before(async () => {
      timed = await sdkShop(service, await service.tenant({ test: true }))
      cup = await timed.sells(timed.pages[0]!, { amount: '5.00' })
    })
    const arrives = () => timed.arrives(timed.pages[0]!)

    it('13a 58: tells the page load that made the cart where its payment stands, and leads on', async () => {
      const buying = await arrives()
      await buying.pay([line(cup)])
      expect((await buying.outcome()).body.status).to.equal('paid')
      const { session: later } = await arrives()
      await passes(timed.tenant, 40)
      for (const more of [none, {}, { session: later }]) {
        const { body } = await buying.call('/checkout/status', { cart_id: buying.cartId, ...more })
        expect([body.status, /\/next\//.test(body.redirect)], JSON.stringify(more)).to.deep.equal(['paid', true])
      }
      const other = await arrives()
      await other.pay([line(cup)])
      expect((await other.outcome()).body.status).to.equal('paid')
      const again = await buying.call('/checkout/pay', await sent(buying, { session: other.session }, cup))
      expect([again.body.status, (await timed.orders()).length]).to.deep.equal(['paid', 2])
    })

    it('13a 4: goes on after the bank has asked a buyer whose browser has forgotten the session', async () => {
      const buying = await arrives()
      await buying.pay([line(cup)], { card: CARDS.asks })
      expect((await buying.outcome()).body.status).to.equal('action')
      await buying.call('/checkout/confirm', { ...none, cart_id: buying.cartId, result: 'approved' })
      expect((await buying.outcome()).body.status).to.equal('paid')
    })

    it('13a 4: takes another card after half an hour, in the same session', async () => {
      const buying = await arrives()
      await buying.pay([line(cup)], { card: CARDS.declined })
      expect((await buying.outcome()).body.status).to.equal('refused')
      await passes(timed.tenant, 40)
      const { body } = await buying.pay([line(cup)], { attempt: 2 })
      expect([body.status, body.session]).to.deep.equal(['pending', undefined])
      expect((await buying.outcome()).body.status).to.equal('paid')
    })

    it('tells nothing about a cart whose name others may know, or to a page of another workspace', async () => {
      const buying = await arrives()
      const named = await buying.call('/checkout/status', { ...none, cart_id: 'my-own-cart' })
      expect([named.status, named.body.error.code]).to.deep.equal([403, 'session_invalid'])
      await buying.pay([line(cup)])
      expect((await buying.outcome()).body.status).to.equal('paid')
      const elsewhere = shop.as(shop.pages[0]!, '')
      for (const path of ['/checkout/status', '/checkout/confirm']) {
        const { body } = await elsewhere.call(path, { ...none, cart_id: buying.cartId })
        expect(body.status).to.equal('none')
      }
    })
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
