import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type GatewayShops, ON_STRIPE, type OnSale, openGatewayShops } from '../../support/sdk-gateways.ts'
import { callOf, random, submitOf } from '../../support/sdk-pages.ts'
import { line, type Offered, type SdkShop, someone } from '../../support/sdk-shop.ts'
import type { Tenant, TestService } from '../../support/service.ts'

describe('checkouts on pages over accounts with gateways', () => {
  let shops: GatewayShops
  let stripe: GatewayShops['stripe']
  let service: TestService
  let tenant: Tenant
  let open: GatewayShops['open']
  let shopOver: GatewayShops['shopOver']
  let buys: GatewayShops['buys']
  before(async () => {
    shops = await openGatewayShops()
    ;({ stripe, service, tenant, open, shopOver, buys } = shops)
  })
  after(() => shops.close())

  it('tell pages the key of the gateway, and refuse a total that it does not charge (case 48)', async () => {
    const { shop } = await shopOver(await open(ON_STRIPE))
    const [page] = shop.pages
    const query = new URLSearchParams({ sdk_page_token: page!.token, url: page!.url })
    const response = await fetch(`${service.sdkUrl}/init?${query}`, { headers: { origin: page!.origin } })
    const { checkout } = JSON.parse(await response.text())
    expect(checkout).to.deep.equal({ gateway: 'stripe', key: 'pk_test_1', live: false })
    const sticker = await shop.sells(page!, { amount: '0.30' })
    const { status, body } = await (await shop.arrives(page!)).pay([line(sticker)], { card: `pm_${randomUUID()}` })
    expect([status, body.state.errors[0].code]).to.deep.equal([422, 'too_small'])
    expect(body.state.errors[0].message).to.include('0.50 USD')
  })

  it('save the method with the charge, by which an offer is charged', async () => {
    const at = await shopOver(await open(ON_STRIPE))
    const tray = await at.shop.sells(at.shop.pages[1]!, { amount: '7.00' })
    const buying = await buys(at, `pm_${randomUUID()}`)
    expect((await buying.outcome()).body.status).to.equal('paid')
    const visitor = at.shop.as(at.shop.pages[1]!, buying.session)
    const { version, state } = (await visitor.call('/offer')).body
    const shown = { version, total: state.totals.total }
    const { variant_id, price_id } = tray
    await visitor.call('/offer/accept', { cart_id: visitor.cartId, variant_id, price_id, shown })
    expect((await visitor.outcome()).body.status).to.equal('paid')
    const [first, second] = stripe.charges.slice(-2)
    expect([first!.amount, second!.amount, second!.customer]).to.deep.equal([1250, 700, first!.customer])
  })

  /** Takes the offer of the second page. @returns how that ended, and with what method it was charged */
  const accepts = async ({ shop }: { readonly shop: SdkShop }, tray: Offered, session: string) => {
    const visitor = shop.as(shop.pages[1]!, session)
    const { version, state } = (await visitor.call('/offer')).body
    const { variant_id, price_id } = tray
    const shown = { version, total: state.totals.total }
    const before = stripe.charges.length
    const { body } = await visitor.call('/offer/accept', { cart_id: visitor.cartId, variant_id, price_id, shown })
    const { status } = body.status === 'unavailable' ? body : (await visitor.outcome()).body
    return { status, charged: stripe.charges.slice(before).map(({ payment_method }) => payment_method) }
  }
  const withOffer = async () => {
    const at = await shopOver(await open(ON_STRIPE))
    return { ...at, tray: await at.shop.sells(at.shop.pages[1]!, { amount: '7.00' }) }
  }
  /** Pays, goes on to the offer as a browser does that has a session there already, and returns the session that it has then. */
  const paysWith = async ({ shop, mug }: OnSale, email: string, had?: string) => {
    const [page, card] = [shop.pages[0]!, `pm_${randomUUID()}`]
    const buying = had === undefined ? await shop.arrives(page) : shop.as(page, had)
    await buying.pay([line(mug)], { card, email })
    const { redirect } = (await buying.outcome()).body
    return { card, session: await follows(redirect, shop, had) }
  }
  const follows = async (redirect: string, { pages }: SdkShop, had?: string): Promise<string> => {
    const ticket = (await fetch(redirect)).headers.get('refresh')!.split('cf_ticket=')[1]!
    const { body } = await callOf(service)('/trade', pages[1]!, { ticket, key: random(), session: had })
    return body.session
  }

  it('13a 68: charge each of two buyers with one address for an offer by the method of their own checkout', async () => {
    const at = await withOffer()
    const email = someone()
    const [one, other] = [await paysWith(at, email), await paysWith(at, email)]
    expect(await accepts(at, at.tray, one.session)).to.deep.equal({ status: 'paid', charged: [one.card] })
    expect(await accepts(at, at.tray, other.session)).to.deep.equal({ status: 'paid', charged: [other.card] })
    expect(
      ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${email}`)),
    ).to.have.length(1)
  })

  it('13b 38: never charge the next person at a shared computer by the method of the one before', async () => {
    const at = await withOffer()
    const { shop } = at
    const [ann, bea] = [someone(), someone()]
    const typed = async (session: string) => (await shop.as(shop.pages[1]!, session).call('/prefill')).body.fields
    const first = await paysWith(at, ann)
    const second = await paysWith(at, bea, first.session)
    expect([await typed(first.session), await typed(second.session)]).to.deep.equal([{ email: ann }, { email: bea }])
    expect(await accepts(at, at.tray, second.session)).to.deep.equal({ status: 'paid', charged: [second.card] })
    // A third one, who only leaves an address.
    const page = shop.pages[0]!
    const optsIn = async (session: string, had: string) => {
      const { nonce } = (await shop.as(page, session).call('/nonce')).body
      const { location } = await submitOf(service)(page, { nonce, session }, [['email', someone()]])
      return follows(location!, shop, had)
    }
    const third = await optsIn(second.session, second.session)
    expect(await accepts(at, at.tray, third)).to.deep.equal({ status: 'unavailable', charged: [] })
    // At a domain where the browser still has the session of the first, too.
    const fourth = await optsIn(third, first.session)
    expect(await accepts(at, at.tray, fourth)).to.deep.equal({ status: 'unavailable', charged: [] })
    expect(Object.keys(await typed(fourth))).to.deep.equal(['email'])
    expect(await accepts(at, at.tray, first.session)).to.deep.equal({ status: 'paid', charged: [first.card] })
  })
})
