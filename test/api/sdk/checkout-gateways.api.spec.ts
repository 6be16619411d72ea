import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, WEBSITE } from '../../support/payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY } from '../../support/payments/stripe-double.ts'
import { recordMakers } from '../../support/records.ts'
import { callOf, random, submitOf } from '../../support/sdk-pages.ts'
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
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { sendNotification, signed, stripeEvent } from '../../support/traffic/payment-traffic.ts'

/** A token of a card whose bank asks. */
const asking = () => `ctoken_authentication-${randomUUID()}`
const SHIPPING = { street: '1 High St', city: 'Dover', region: 'DE', postal_code: '19901', country: 'US' }
const SECRET = `whsec_${randomBytes(12).toString('hex')}`

describe('checkouts on pages over accounts with gateways', () => {
  let stripe: Awaited<ReturnType<typeof openStripeDouble>>
  let rebilly: Awaited<ReturnType<typeof openRebillyDouble>>
  let service: TestService
  let tenant: Tenant

  before(async () => {
    stripe = await openStripeDouble()
    rebilly = await openRebillyDouble()
    service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url, MILLRACE_PAYMENTS_AI_URL: rebilly.url })
    tenant = await service.tenant({ test: true })
  })
  after(() => Promise.all([stripe.close(), rebilly.close()]))

  const open = async (fields: object, { api, workspaceId } = tenant): Promise<number> => {
    const path = `/workspaces/${workspaceId}/payments/gateway_accounts`
    return ok(await api.post(path, { payments_gateway_account: { name: 'Main', ...fields } })).id
  }
  const onStripe = { provider: 'stripe', secret_key: STRIPE_KEY, webhook_secret: SECRET, publishable_key: 'pk_test_1' }
  const shopOver = async (account?: number, amount = '12.50', of = tenant) => {
    const shop = await sdkShop(service, of, 2, {
      enabled: true,
      ...(account !== undefined && { gateway_account_id: account }),
    })
    return { shop, mug: await shop.sells(shop.pages[0]!, { amount }) }
  }
  /** Sends the same notification of the gateway twice. */
  const notify = async (account: number, type: string, object: object) => {
    const body = stripeEvent(type, object)
    const send = () => sendNotification(service, account, body, signed(body, SECRET))
    expect(await Promise.all([send(), send()])).to.deep.equal([204, 204])
  }
  const buys = async ({ shop, mug }: { shop: SdkShop; mug: Offered }, card: string): Promise<Buying> => {
    const buying = await shop.arrives(shop.pages[0]!)
    await buying.pay([line(mug)], { card, email: someone() })
    return buying
  }

  it('tell pages the key of the gateway, and refuse a total that it does not charge (case 48)', async () => {
    const { shop } = await shopOver(await open(onStripe))
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

  for (const when of ['before', 'during', 'after'] as const)
    it(`13a 60: charge and order once when the gateway notifies twice ${when} the browser's own answer`, async () => {
      const account = await open(onStripe)
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
    })

  it('13a 59: order from the notification alone where the buyer is gone', async () => {
    const account = await open(onStripe)
    const at = await shopOver(account)
    const buying = await buys(at, asking())
    expect((await buying.outcome()).body.status).to.equal('action')
    const earlier = (await at.shop.orders()).length
    stripe.answersBank('approved')
    await notify(account, 'payment_intent.succeeded', stripe.charges.at(-1)!)
    await eventually(async () => expect(await at.shop.orders()).to.have.length(earlier + 1), 10_000)
  })

  it('13a 50: charge 500 yen as 500 and 5.00 dollars as 500, and book by the same table what comes back', async () => {
    const inYen = await service.tenant({ currency: 'JPY' })
    for (const [of, amount, currency, least] of [
      [inYen, '500', 'jpy', '1'],
      [tenant, '5.00', 'usd', '0.01'],
    ] as const) {
      const account = await open(onStripe, of)
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
      }, 10_000)
    }
  })

  it('save the method with the charge, by which an offer is charged', async () => {
    const at = await shopOver(await open(onStripe))
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
    const at = await shopOver(await open(onStripe))
    return { ...at, tray: await at.shop.sells(at.shop.pages[1]!, { amount: '7.00' }) }
  }
  /** Pays, goes on to the offer as a browser does that has a session there already, and returns the session that it has then. */
  const paysWith = async ({ shop, mug }: { shop: SdkShop; mug: Offered }, email: string, had?: string) => {
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

  it('go on where the buyer has answered and nobody says so, and release everything where nobody has (case 61)', async () => {
    const at = await shopOver(await open(onStripe))
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

  const onPaymentsAi = {
    ...{ provider: 'payments_ai', secret_key: REBILLY_KEY },
    ...{ external_organization_id: ORGANIZATION, external_website_id: WEBSITE },
  }

  for (const [gateway, account, asks, good] of [
    ['the simulator', undefined, () => CARDS.asks, () => CARDS.good],
    ['Stripe', onStripe, asking, () => `pm_${randomUUID()}`],
    ['Payments AI', onPaymentsAi, () => `authentication-${randomUUID()}`, () => `card-${randomUUID()}`],
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
    const at = await shopOver(await open(onPaymentsAi))
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
      await eventually(async () => expect((await statuses())[0]).to.equal('compensated'), 10_000)
      expect(rebilly.refunds.length).to.equal(before + given)
    }
    expect([rebilly.refunds.length, (await at.shop.orders()).length]).to.deep.equal([refunds + 1, orders])
  })

  it('lead to the bank of the other gateway', async () => {
    const at = await shopOver(await open(onPaymentsAi))
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
