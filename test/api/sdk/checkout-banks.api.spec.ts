import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { owedMails } from '../../support/owed-mails.ts'
import { recordMakers } from '../../support/records.ts'
import { asking, type GatewayShops, ON_PAYMENTS_AI, ON_STRIPE, openGatewayShops } from '../../support/sdk-gateways.ts'
import { CARDS, line, passes, someone } from '../../support/sdk-shop.ts'
import type { Tenant, TestService } from '../../support/service.ts'

const SHIPPING = { street: '1 High St', city: 'Dover', region: 'DE', postal_code: '19901', country: 'US' }

describe('checkouts on pages whose bank asks, over gateways', () => {
  let shops: GatewayShops
  let stripe: GatewayShops['stripe']
  let rebilly: GatewayShops['rebilly']
  let service: TestService
  let tenant: Tenant
  let open: GatewayShops['open']
  let shopOver: GatewayShops['shopOver']
  let notify: GatewayShops['notify']
  let buys: GatewayShops['buys']
  before(async () => {
    shops = await openGatewayShops()
    ;({ stripe, rebilly, service, tenant, open, shopOver, notify, buys } = shops)
  })
  after(() => shops.close())

  /** The mails that confirm an order. */
  const confirmedOf = async (orderId: unknown) =>
    (await owedMails(service, tenant, 'order_confirmation')).filter(
      ({ mailing }) => mailing.values.order_id === orderId,
    )

  for (const when of ['before', 'during', 'after'] as const)
    it(`13a 60: charge and order once when the gateway notifies twice ${when} the browser's own answer`, async () => {
      const account = await open(ON_STRIPE)
      const at = await shopOver(account)
      const buying = await buys(at, asking())
      const asked = (await buying.outcome()).body
      expect([asked.status, typeof asked.action.client_secret]).to.deep.equal(['action', 'string'])
      const [charges, earlier] = [stripe.charges.length, (await at.shop.orders()).length]
      stripe.answersBank('approved')
      const notified = () => notify(account, 'payment_intent.succeeded', stripe.charges.at(-1)!)
      const answers = () => buying.call('/checkout/confirm', { cart_id: buying.cartId })
      if (when === 'before') await notified()
      if (when === 'before') expect((await buying.outcome()).body.status).to.equal('paid')
      await Promise.all([answers(), answers(), ...(when === 'during' ? [notified()] : [])])
      expect((await buying.outcome()).body.status).to.equal('paid')
      if (when === 'after') await notified()
      await service.caughtUp()
      const orders = await at.shop.orders()
      expect([orders.length, stripe.charges.length]).to.deep.equal([earlier + 1, charges + 1])
      for (const part of ['invoices', 'transactions'])
        expect(ok(await tenant.api.get(`/orders/${orders.at(-1)!.id}/${part}`)), part).to.have.length(1)
      expect(await confirmedOf(orders.at(-1)?.id)).to.have.length(1)
    })

  it('13a 59: order from the notification alone where the buyer is gone', async () => {
    const account = await open(ON_STRIPE)
    const at = await shopOver(account)
    const buying = await buys(at, asking())
    expect((await buying.outcome()).body.status).to.equal('action')
    const earlier = (await at.shop.orders()).length
    stripe.answersBank('approved')
    await notify(account, 'payment_intent.succeeded', stripe.charges.at(-1)!)
    await eventually(async () => expect(await at.shop.orders()).to.have.length(earlier + 1))
    expect(await confirmedOf((await at.shop.orders()).at(-1)?.id)).to.have.length(1)
  })

  it('13a 50: charge 500 yen as 500 and 5.00 dollars as 500, and book by the same table what comes back', async () => {
    const inYen = await service.tenant({ currency: 'JPY' })
    for (const [of, amount, currency, least] of [
      [inYen, '500', 'jpy', '1'],
      [tenant, '5.00', 'usd', '0.01'],
    ] as const) {
      const account = await open(ON_STRIPE, of)
      const at = await shopOver(account, amount, of)
      const buying = await buys(at, `pm_${randomUUID()}`)
      expect((await buying.state([line(at.mug)])).body.state.totals.total).to.equal(500)
      expect((await buying.outcome()).body.status).to.equal('paid')
      const charge = stripe.charges.at(-1)!
      expect([charge.amount, charge.currency]).to.deep.equal([500, currency])
      const order = (await at.shop.orders()).at(-1)
      const transactions = async () => ok(await of.api.get(`/orders/${order?.id}/transactions`))
      const [sale] = await transactions()
      expect([order?.total_amount, sale.amount]).to.deep.equal([amount, amount])
      await notify(account, 'charge.refunded', { payment_intent: charge.id, amount_refunded: 1, currency })
      await eventually(async () => {
        const amounts = (await transactions()).map((one: { readonly amount: string }) => one.amount)
        expect(amounts).to.have.members([amount, least])
      })
    }
  })

  it('go on where the buyer has answered and nobody says so, and release everything where nobody has (case 61)', async () => {
    const at = await shopOver(await open(ON_STRIPE))
    const [silent, gone] = [await buys(at, asking()), await buys(at, asking())]
    await silent.outcome()
    await gone.outcome()
    const charges = stripe.charges.length
    stripe.answersBank('approved')
    await passes(tenant, 11)
    const outcomes = [(await silent.outcome()).body.status, (await gone.outcome()).body.status]
    expect(outcomes.toSorted()).to.deep.equal(['paid', 'refused'])
    expect(stripe.charges.length).to.equal(charges + 1)
    expect(stripe.refunds).to.deep.equal([])
  })

  for (const [gateway, account, asks, good] of [
    ['the simulator', undefined, () => CARDS.asks, () => CARDS.good],
    ['Stripe', ON_STRIPE, asking, () => `pm_${randomUUID()}`],
    ['Payments AI', ON_PAYMENTS_AI, () => `authentication-${randomUUID()}`, () => `card-${randomUUID()}`],
  ] as const)
    it(`13a 61: release the last unit and a code over ${gateway} when the buyer closes the bank's question, and take another card`, async () => {
      const at = await shopOver(account ? await open(account) : undefined)
      const location_id = await recordMakers['fulfillments/location']!.make(tenant)
      const stock = { variant_id: at.mug.variantId, levels: [{ location_id, quantity: 1 }] }
      ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/fulfillments/stocks`, { fulfillments_stock: stock }))
      const code = randomUUID().slice(0, 8)
      const once = { name: 'Once', code, discount_method: 'percentage', percent: '10', limit_1_per_customer: true }
      ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/discounts`, { discount: once }))
      const buying = await at.shop.arrives(at.shop.pages[0]!)
      const cart = { email: someone(), coupon_codes: [code], shipping_address: SHIPPING }
      await buying.pay([line(at.mug)], { ...cart, card: asks() })
      expect((await buying.outcome()).body.status).to.equal('action')
      await buying.call('/checkout/confirm', { cart_id: buying.cartId, result: 'refused' })
      const { status, errors } = (await buying.outcome()).body
      expect([status, errors[0].code, errors[0].source]).to.deep.equal([
        'refused',
        'authentication_required',
        'gateway',
      ])
      const earlier = (await at.shop.orders()).length
      await buying.pay([line(at.mug)], { ...cart, card: good(), attempt: 2 })
      expect((await buying.outcome()).body.status).to.equal('paid')
      const orders = await at.shop.orders()
      expect([orders.length, orders.at(-1)?.total_amount]).to.deep.equal([earlier + 1, '11.25'])
    })

  it('13a 61: give back over Payments AI what a buyer confirms after all, and end once it is abandoned', async () => {
    const at = await shopOver(await open(ON_PAYMENTS_AI))
    const closes = async () => {
      const buying = await buys(at, `authentication-${randomUUID()}`)
      expect((await buying.outcome()).body.status).to.equal('action')
      await buying.call('/checkout/confirm', { cart_id: buying.cartId, result: 'refused' })
      expect((await buying.outcome()).body.status).to.equal('refused')
    }
    const path = `/workspaces/${tenant.workspaceId}/checkouts`
    const statuses = async () =>
      ok(await tenant.api.get(`${path}?sort_order=desc`)).map((one: { readonly status: string }) => one.status)
    const [refunds, orders] = [rebilly.refunds.length, (await at.shop.orders()).length]
    for (const [answer, given] of [
      ['approved', 1],
      ['refused', 0],
    ] as const) {
      const before = rebilly.refunds.length
      await closes()
      expect((await statuses())[0]).to.equal('compensating')
      rebilly.answersBank(answer)
      await passes(tenant, 60)
      await eventually(async () => expect((await statuses())[0]).to.equal('compensated'))
      expect(rebilly.refunds.length).to.equal(before + given)
    }
    expect([rebilly.refunds.length, (await at.shop.orders()).length]).to.deep.equal([refunds + 1, orders])
  })

  it('lead to the bank of the other gateway', async () => {
    const at = await shopOver(await open(ON_PAYMENTS_AI))
    const charges = rebilly.charges.length
    const buying = await buys(at, `authentication-${randomUUID()}`)
    expect((await buying.outcome()).body).to.deep.include({
      status: 'action',
      action: { url: 'https://bank.example/ask' },
    })
    rebilly.answersBank('approved')
    await buying.call('/checkout/confirm', { cart_id: buying.cartId })
    expect((await buying.outcome()).body.status).to.equal('paid')
    expect(rebilly.charges.slice(charges).map(({ amount }) => amount)).to.deep.equal([12.5])
  })
})
