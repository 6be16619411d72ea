import { expect } from 'chai'
import { checkout } from '../../../domain/orders/public.ts'
import { ok } from '../../support/client.ts'
import { owedMails } from '../../support/owed-mails.ts'
import { random } from '../../support/sdk-pages.ts'
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

const SHIPPING = {
  name: 'Ada Lovelace',
  street: '1 High St',
  city: 'Dover',
  region: 'DE',
  postal_code: '19901',
  country: 'US',
}

describe('one-click offers', () => {
  let service: TestService
  let tenant: Tenant
  let shop: SdkShop
  let mug: Offered
  let gift: Offered
  let tray: Offered

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    shop = await sdkShop(service, tenant, 3)
    mug = await shop.sells(shop.pages[0]!, { amount: '12.50', physical: true })
    gift = await shop.sells(shop.pages[0]!, { amount: 0 })
    tray = await shop.sells(shop.pages[1]!, { amount: '7.00', physical: true })
  })

  const buys = async (of: Offered = mug, more: object = {}): Promise<Buying> => {
    const buying = await shop.arrives(shop.pages[0]!)
    await buying.pay([line(of)], { shipping_address: SHIPPING, ...more })
    const { body } = await buying.outcome()
    expect(body.status, JSON.stringify(body)).to.equal('paid')
    return shop.as(shop.pages[1]!, buying.session)
  }
  const named = () => ({ variant_id: tray.variant_id, price_id: tray.price_id })
  const offer = async (visitor: Buying, more: object = {}) => (await visitor.call('/offer', more)).body
  const shown = ({ version, state }: { version: string; state: { totals: { total: number } } }) => ({
    ...{ version, total: state.totals.total },
  })
  const accepts = async (visitor: Buying, more: Record<string, unknown> = {}) => {
    const seen = more.shown ?? shown(await offer(visitor, more))
    return visitor.call('/offer/accept', { ...named(), cart_id: visitor.cartId, ...more, shown: seen })
  }
  const ordersOf = async (): Promise<number> => (await shop.orders()).length

  it('are for visitors who come from their own checkout, priced and shipped as before, and lead on', async () => {
    const visitor = await buys()
    const { status, state } = await offer(visitor)
    expect([status, state.totals.total, state.shipping.address_required]).to.deep.equal(['open', 700, false])
    expect(JSON.stringify(state)).to.not.include('High St')
    const before = await ordersOf()
    expect((await accepts(visitor)).body.status).to.be.oneOf(['pending', 'paid'])
    const { body } = await visitor.outcome()
    expect(body.status).to.equal('paid')
    expect(body.redirect).to.match(/\/next\//)
    expect(await ordersOf()).to.equal(before + 1)
    const order = (await shop.orders()).at(-1)
    expect(order).to.include({ total_amount: '7.00', shipping_address_city: 'Dover' })
    const confirmed = await owedMails(service, tenant, 'order_confirmation')
    expect(confirmed.filter(({ mailing }) => mailing.values.order_id === order?.id)).to.have.length(1)
    expect(confirmed).to.have.length(before + 1)
  })

  it('charge once, however often they are accepted, and are gone then (case 65)', async () => {
    const visitor = await buys()
    const other = shop.as(shop.pages[1]!, visitor.session)
    const before = await ordersOf()
    const seen = shown(await offer(visitor))
    const answers = await Promise.all([visitor, other, visitor, other].map((one) => accepts(one, { shown: seen })))
    for (const { body } of answers) expect(body.status).to.be.oneOf(['pending', 'paid', 'unavailable'])
    await visitor.outcome()
    expect((await accepts(visitor, { shown: seen })).body.status).to.equal('paid')
    expect((await offer(visitor)).status).to.equal('unavailable')
    expect(await ordersOf()).to.equal(before + 1)
  })

  it('are charged once where the answer of the gateway is lost, and are in doubt meanwhile (case 66)', async () => {
    const visitor = await buys(mug, { card: 'late' })
    const before = await ordersOf()
    const seen = shown(await offer(visitor))
    for (const { body } of [await accepts(visitor, { shown: seen }), await accepts(visitor, { shown: seen })])
      expect(body.status).to.equal('pending')
    const declined = await visitor.call('/offer/decline')
    expect([declined.status, declined.body.error.code]).to.deep.equal([503, 'unavailable'])
    await passes(tenant, 1)
    expect((await visitor.outcome()).body.status).to.equal('paid')
    expect(await ordersOf()).to.equal(before + 1)
  })

  it('are gone once declined (case 65)', async () => {
    const visitor = await buys()
    const seen = shown(await offer(visitor))
    const { body } = await visitor.call('/offer/decline')
    expect(body.redirect).to.match(/\/next\//)
    expect((await visitor.call('/offer/decline')).body.ok).to.equal(true)
    expect((await accepts(visitor, { shown: seen })).body.status).to.equal('unavailable')
    expect((await offer(visitor)).status).to.equal('unavailable')
  })

  it('are never charged to another method than that of the own checkout (cases 67, 68)', async () => {
    const email = someone()
    const first = await buys(mug, { email })
    const second = await buys(gift, { email, card: null })
    const refused = await accepts(second, { shipping_address: SHIPPING })
    expect([refused.status, refused.body.state.errors[0].code]).to.deep.equal([422, 'payment_method_missing'])
    const paid = await accepts(second, { shipping_address: SHIPPING, payment: { token: CARDS.good } })
    expect(paid.body.ok).to.equal(true)
    expect((await second.outcome()).body.status).to.equal('paid')
    expect((await offer(first)).status).to.equal('open')
    const stranger = await shop.arrives(shop.pages[1]!)
    expect((await accepts(stranger, { shipping_address: SHIPPING })).body.status).to.equal('unavailable')
  })

  it('need an address where none was collected, and take that of a completed form before any other', async () => {
    const without = await buys(gift, { card: null, shipping_address: null })
    const { state } = await offer(without)
    expect(state.shipping.address_required).to.equal(true)
    const payment = { token: CARDS.good }
    const refused = await accepts(without, { payment })
    expect(refused.body.state.errors.map(({ field }: { field: string }) => field)).to.include('shipping_address.street')
    const visitor = await buys()
    await accepts(visitor, { shipping_address: { ...SHIPPING, city: 'Wilmington' } })
    await visitor.outcome()
    expect((await shop.orders()).at(-1)).to.include({ shipping_address_city: 'Wilmington' })
  })

  it('are not charged for another sum than was shown (case 69)', async () => {
    const visitor = await buys()
    const seen = shown(await offer(visitor))
    const price = async (amount: string) =>
      ok(await tenant.api.put(`/products/prices/${tray.priceId}`, { products_price: { amount } }))
    await price('9.00')
    try {
      const { status, body } = await accepts(visitor, { shown: seen })
      expect([status, body.error.code, body.state.totals.total]).to.deep.equal([409, 'totals_changed', 900])
      expect((await offer(visitor)).status).to.equal('open')
    } finally {
      await price('7.00')
    }
  })

  it('sell nothing that the page does not offer, for no other sum, and to nobody else', async () => {
    const visitor = await buys()
    const seen = shown(await offer(visitor))
    const other = await accepts(visitor, { variant_id: mug.variant_id, price_id: mug.price_id, shown: seen })
    expect([other.status, other.body.state.errors[0].code]).to.deep.equal([422, 'not_sold'])
    const cheap = await accepts(visitor, { shown: { ...seen, total: 1 } })
    expect([cheap.status, cheap.body.error.code]).to.deep.equal([409, 'totals_changed'])
    const stranger = await shop.arrives(shop.pages[1]!)
    expect((await accepts(stranger, { shown: seen })).body.status).to.equal('unavailable')
    const forged = shop.as(shop.pages[1]!, `${visitor.session.slice(0, -2)}xx`)
    expect((await accepts(forged, { shown: seen })).body.status).to.equal('unavailable')
    expect((await forged.call('/offer/decline')).body.error.code).to.equal('session_invalid')
    expect((await offer(visitor)).status).to.equal('open')
  })

  it('open to whoever looks at the page in test mode, and to nobody who opens it while the funnel is live', async () => {
    const author = await shop.arrives(shop.pages[1]!)
    expect((await offer(author)).status).to.equal('open')
    const account = { name: 'Live', provider: 'stripe', secret_key: 'sk_live_0123456789', live_mode: true }
    const accounts = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
    const { id: gateway_account_id } = ok(await tenant.api.post(accounts, { payments_gateway_account: account }))
    const live = await sdkShop(service, tenant, 2, { enabled: true, gateway_account_id })
    await live.sells(live.pages[1]!, { amount: '7.00' })
    ok(await tenant.api.put(`/funnels/${live.funnel.id}`, { funnel: { live_mode: true } }))
    expect((await offer(await live.arrives(live.pages[1]!))).status).to.equal('unavailable')
  })

  it('can be taken with a new card after a refusal, and answer a bank that asks', async () => {
    const visitor = await buys()
    await accepts(visitor, { payment: { token: CARDS.declined } })
    expect((await visitor.outcome()).body.status).to.equal('refused')
    await accepts(visitor, { payment: { token: CARDS.asks } })
    expect((await visitor.outcome()).body.status).to.equal('action')
    await visitor.call('/checkout/confirm', { cart_id: visitor.cartId, result: 'approved' })
    expect((await visitor.outcome()).body.status).to.equal('paid')
  })

  it('say that the card was refused, however soon that is known', async () => {
    const visitor = await buys()
    const seen = shown(await offer(visitor))
    const { engine } = service.background.core
    const { transact } = engine
    const refusedAtOnce: typeof transact = async (transaction) => {
      const result = await transact(transaction)
      if (transaction.aggregate.name === checkout.name && transaction.command.type === 'create') await visitor.outcome()
      return result
    }
    Object.assign(engine, { transact: refusedAtOnce })
    try {
      const { body } = await accepts(visitor, { shown: seen, payment: { token: CARDS.declined } })
      expect([body.ok, body.status]).to.deep.equal([true, 'refused'])
      expect(body.errors[0]).to.include({ code: 'declined', field: 'payment' })
    } finally {
      Object.assign(engine, { transact })
    }
    expect((await offer(visitor)).status).to.equal('open')
  })

  it('follow the redirect to a page on another domain, and one another', async () => {
    const cup = await shop.sells(shop.pages[2]!, { amount: '3.00' })
    const buying = await shop.arrives(shop.pages[0]!)
    await buying.pay([line(mug)], { shipping_address: SHIPPING })
    const { redirect } = (await buying.outcome()).body
    const follows = async (from: string, page: number) => {
      const between = await fetch(from)
      const ticket = between.headers.get('refresh')!.split('cf_ticket=')[1]!
      const visitor = shop.as(shop.pages[page]!, '')
      const { session } = (await visitor.call('/trade', { session: undefined, ticket, key: random() })).body
      return shop.as(shop.pages[page]!, session)
    }
    const second = await follows(redirect, 1)
    expect((await offer(second)).status).to.equal('open')
    const declined = await second.call('/offer/decline')
    const third = await follows(declined.body.redirect, 2)
    const { status, state, version } = await offer(third)
    expect([status, state.totals.total]).to.deep.equal(['open', 300])
    const { variant_id, price_id } = cup
    const accepted = { cart_id: third.cartId, variant_id, price_id, shown: shown({ version, state }) }
    expect((await third.call('/offer/accept', accepted)).body.status).to.be.oneOf(['pending', 'paid'])
    expect((await third.outcome()).body.status).to.equal('paid')
  })

  it('expire', async () => {
    const visitor = await buys()
    const seen = shown(await offer(visitor))
    ok(await tenant.api.put(`/funnels/${shop.funnel.id}/checkout`, { checkout: { offer_minutes: 1 } }))
    const late = await buys()
    await passes(tenant, 2)
    expect((await offer(late)).status).to.equal('unavailable')
    expect((await accepts(late, { shown: seen })).body.status).to.equal('unavailable')
    expect((await accepts(visitor, { shown: seen })).body.status).to.be.oneOf(['pending', 'paid'])
  })
})
