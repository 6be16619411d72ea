import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import { contacts } from '../../../domain/contacts/public.ts'
import { beginMailing, mailing, mailings } from '../../../domain/emails/public.ts'
import { ask, stampCommand } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { until } from '../../support/eventually.ts'
import { memberBrowser, signedIn } from '../../support/member.ts'
import { nextId } from '../../support/next-id.ts'
import { keptMails, owedMails } from '../../support/owed-mails.ts'
import { recordMakers } from '../../support/records.ts'
import { savedSince } from '../../support/saved-since.ts'
import { line, sdkShop, someone } from '../../support/sdk-shop.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { deliver, openPurchases, reportsOf, soldElsewhere } from '../../support/traffic/purchase-traffic.ts'
import { shopOf } from '../../support/traffic/shop.ts'
import { createContacts, OWED } from '../../workers/mail/mailing-tenant.ts'

const MONTHLY = { amount: 30, payment_type: 'subscription', interval: 'months' }
const TRIED = { ...MONTHLY, trial_interval: 'days', trial_duration: 7, trial_amount: 0 }

describe('mails that commerce owes', () => {
  let service: TestService

  before(async () => {
    service = await testService()
  })

  /** Buys two mugs on a page of a shop of its own. @returns the address of the buyer, and the order */
  const bought = async (tenant: Tenant, at: TestService = service, amount = '14.95') => {
    const shop = await sdkShop(at, tenant)
    const mug = await shop.sells(shop.pages[0]!, { amount })
    const buyer = await shop.arrives(shop.pages[0]!)
    const email = someone()
    await buyer.pay([line(mug, 2)], { email })
    expect((await buyer.outcome()).body.status).to.equal('paid')
    await at.caughtUp()
    const [placed] = await shop.orders()
    return { email, orderId: Number(placed?.id), mug, shop, buyer }
  }
  const kindsOf = async (tenant: Tenant) => (await owedMails(service, tenant)).map(({ mailing }) => mailing.kind)
  const speaks = async (tenant: Tenant, locale: string) => {
    const wide = await tenant.withScopes(['account:write'], 'team')
    ok(await wide.put(`/teams/${tenant.teamId}`, { team: { locale } }))
  }

  it('13a 60: one order has one confirmation, which names its buyer by id until it is handed over', async () => {
    const tenant = await service.tenant()
    const { email, orderId } = await bought(tenant)
    const all = await owedMails(service, tenant)
    expect(all.map(({ mailing }) => mailing.kind)).to.deep.equal(['order_confirmation'])
    expect(all[0]?.mailing.values).to.include({ order_id: orderId })
    expect(JSON.stringify(all[0]?.mailing)).to.not.contain(email).and.not.contain('Mug')
    expect(all[0]?.kept).to.include({ subject: 'Your order #1001' })
    expect(all[0]?.kept?.to.address).to.equal(email)
    expect(all[0]?.kept?.from.address).to.equal('no-reply@mail.millrace-shop.com')
    expect(all[0]?.kept?.text).to.contain('Mug').and.contain('$29.90')
  })

  it('14 1: goes to an unsubscribed contact, without List-Unsubscribe, marketing footer and tracking', async () => {
    const tenant = await service.tenant({ test: true })
    const shop = await shopOf(tenant)
    await tenant.carryOut!(ask(contacts, shop.contactId, 'unsubscribe', {}))
    await shop.buys(await shop.sells({ amount: 30 }))
    const [mail] = await keptMails(service, tenant)
    expect(mail?.source).to.not.match(/List-Unsubscribe/i)
    expect(mail?.headers).to.deep.equal({ 'Auto-Submitted': 'auto-generated' })
    expect(mail?.html).to.not.contain('Unsubscribe').and.not.contain('<img').and.not.contain('/m/')
    expect(mail?.html).to.contain('Hello Ada,')
  })

  it('an order says which of its mails did not go, and why', async () => {
    const tenant = await service.tenant({ test: true })
    const shop = await shopOf(tenant)
    const price = await shop.sells({ amount: 30 })
    const gone = async () => (await shop.buys(price)).order_id
    const fine = await gone()
    await owedMails(service, tenant)
    await tenant.carryOut!(ask(contacts, shop.contactId, 'suppress', { reason: 'bounced' }))
    const order = await gone()
    await waitUntilSettled(service)
    const shown = async (id: number) => ok(await tenant.api.get(`/orders/${id}`)).undelivered_mails
    expect(await shown(fine)).to.deep.equal([])
    const [mail] = (await owedMails(service, tenant)).filter(({ mailing }) => mailing.values.order_id === order)
    expect(await shown(order)).to.deep.equal([
      { kind: 'order_confirmation', status: 'suppressed', reason: null, since: mail?.delivery.settled_at },
    ])
    const listed = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders`))
    const statuses = (listed as unknown as { id: number; undelivered_mails: { status: string }[] }[]).map((one) => [
      one.id,
      one.undelivered_mails.map(({ status }) => status),
    ])
    expect(statuses).to.have.deep.members([
      [fine, []],
      [order, ['suppressed']],
    ])
  })

  it('writes in the language of the team, and money with the places of its currency', async () => {
    for (const [locale, currency, amount, subject, total] of [
      ['ja', 'JPY', '1200', 'ご注文 #1001 を承りました', '￥2,400'],
      ['pt', 'BRL', '1200.50', 'Seu pedido #1001', 'R$\u00a02.401,00'],
      ['en', 'KWD', '1.250', 'Your order #1001', 'KWD\u00a02.500'],
    ] as const) {
      const tenant = await service.tenant({ currency })
      await speaks(tenant, locale)
      await bought(tenant, service, amount)
      const [mail] = await keptMails(service, tenant)
      expect(mail?.subject).to.equal(subject)
      expect(mail?.html, locale).to.contain(total)
    }
  })

  it('says that a charge was declined, with a link to pay that changes nothing when it is fetched', async () => {
    const tenant = await service.tenant({ test: true })
    const shop = await shopOf(tenant)
    const { order_id } = await shop.buys(await shop.sells(TRIED), { payment_method_id: 'declined' })
    await shop.passes(8)
    const declined = async () => keptMails(service, tenant, 'payment_failed')
    const attempts = (await declined()).length
    expect(attempts).to.be.greaterThan(0)
    const [mail] = await declined()
    expect(mail?.text).to.contain('$30.00')
    const [url = ''] = destinationsIn(mail?.html ?? '')
    const saved = await savedSince(service, tenant)
    const page = await (await fetch(url)).text()
    expect(page).to.contain('<form method="post">').and.contain('Pay now')
    await fetch(url, { method: 'HEAD' })
    expect(await saved()).to.deep.equal([])
    const sent = await Promise.all([1, 2, 3].map(() => fetch(url, { method: 'POST', body: 'act=pay' })))
    for (const answer of sent) expect(await answer.text()).to.match(/being charged|Pay now/)
    await waitUntilSettled(service)
    // Three clicks at once are one attempt, as long as it is under way.
    const transactions = await shop.transactions(order_id)
    expect(transactions.length).to.be.within(attempts + 1, attempts + 3)
    expect((await declined()).length).to.equal(transactions.length)
  })

  it('says that a subscription has ended, when it is over', async () => {
    const tenant = await service.tenant({ test: true })
    const shop = await shopOf(tenant)
    const { order_id } = await shop.buys(await shop.sells(MONTHLY))
    ok(await tenant.api.post(`/orders/${order_id}/cancel`))
    expect(await kindsOf(tenant)).to.deep.equal(['order_confirmation'])
    await shop.passes(40)
    expect(await kindsOf(tenant)).to.deep.equal(['order_confirmation', 'subscription_ended'])
  })

  it('says what is on its way, if the fulfilment asks for it', async () => {
    const tenant = await service.tenant()
    const path = `/workspaces/${tenant.workspaceId}/fulfillments`
    const shipment = {
      shipping_provider: 'Post',
      tracking_code: 'T-77',
      tracking_url: 'https://post.example/T-77?a=1&b=2',
    }
    for (const more of [{}, { notify_customer: false }, { ...shipment, notify_customer: true }]) {
      const fulfillment = { ...(await recordMakers.fulfillment!.fields!(tenant)), ...more }
      ok(await tenant.api.post(path, { fulfillment }))
    }
    const shipped = await owedMails(service, tenant, 'order_shipped')
    expect(shipped).to.have.length(1)
    expect(JSON.stringify(shipped[0]?.mailing)).to.not.contain('T-77')
    expect(shipped[0]?.kept?.text).to.contain('Post').and.contain('T-77')
    expect(destinationsIn(shipped[0]?.kept?.html ?? '')).to.deep.equal(['https://post.example/T-77?a=1&b=2'])
  })

  it('15 87 95: leads to what was bought, where its buyer signs in, until it is refunded', async () => {
    const tenant = await service.tenant()
    const shop = await shopOf(tenant)
    const sold = await shop.sells({ amount: 30 })
    const asset = await recordMakers.asset!.make(tenant)
    ok(await tenant.api.put(`/products/variants/${sold.variant_id}`, { products_variant: { asset_ids: [asset] } }))
    const { order_id } = await shop.buys(sold)
    const [mail] = await keptMails(service, tenant, 'download_ready')
    const [url = ''] = destinationsIn(mail?.html ?? '')
    const { pathname, hostname } = new URL(url)
    const stranger = memberBrowser(service, hostname)
    expect((await stranger.get(pathname)).headers.location).to.match(/^\/members\/sign-in\?to=/)
    const buyer = await signedIn(service, tenant, mail?.to.address ?? '')
    const got = await buyer.get(pathname)
    expect(got.status).to.equal(303)
    expect((await fetch(got.headers.location ?? '')).status).to.equal(200)
    const [{ id }] = await shop.transactions(order_id)
    ok(await tenant.api.post(`/orders/transactions/${id}/refund`))
    await waitUntilSettled(service)
    expect((await buyer.get(pathname)).status).to.equal(404)
  })

  it('confirms what clients record as paid now, and nothing of the past', async () => {
    const tenant = await service.tenant()
    const recorded = async (paid_at: string) => {
      const id = await recordMakers.order!.make(tenant)
      const orders_invoice = { external_id: `bill ${id}`, status: 'paid', paid_at }
      ok(await tenant.api.post(`/orders/${id}/invoices`, { orders_invoice }))
      return id
    }
    await recorded('2024-01-01T00:00:00Z')
    expect(await kindsOf(tenant)).to.deep.equal([])
    await recorded(new Date().toISOString())
    expect(await kindsOf(tenant)).to.deep.equal(['order_confirmation'])
  })

  it('confirms what another system reports as paid now, unless its endpoint suppresses that', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const suppress_order_system_emails of [false, true]) {
      const tenant = await service.tenant()
      const opened = await openPurchases(tenant, await soldElsewhere(tenant))
      const endpoint = { webhooks_incoming_external_purchases_endpoint: { suppress_order_system_emails } }
      ok(await tenant.api.put(`/webhooks/incoming/external_purchase_endpoints/${opened.id}`, endpoint))
      const reports = reportsOf(`by${tenant.workspaceId}`, 'plan_1', someone(), today)
      expect((await deliver(opened, reports.paid('00:00'))).status).to.equal(200)
      await until(async () => ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders`)).length === 1)
      expect(await kindsOf(tenant)).to.deep.equal(suppress_order_system_emails ? [] : ['order_confirmation'])
    }
  })

  it('14 1: arrives by SMTP from the domain that all share, and is no error where there is none', async () => {
    const sink = await startSink()
    const own = await startTestService({ SMTP_URL: sink.url })
    const { email } = await bought(await own.tenant(), own)
    await until(() => sink.arrived.length > 0)
    const mail = await simpleParser(sink.arrived[0]!.source)
    expect(sink.arrived.map(({ to }) => to)).to.deep.equal([[email]])
    expect(mail.subject).to.equal('Your order #1001')
    expect(mail.from?.value[0]?.address).to.equal('no-reply@mail.millrace-shop.com')
    expect([...mail.headers.keys()]).to.not.include('list-unsubscribe')
    await waitUntilSettled(own)
    expect(sink.arrived).to.have.length(1)

    const without = await startTestService({ SMTP_URL: sink.url, MILLRACE_MAIL_DOMAIN: '' })
    const tenant = await without.tenant()
    await bought(tenant, without)
    const [held] = await owedMails(without, tenant)
    expect(held?.mailing).to.include({ status: 'held', status_reason: 'no_sender' })
    await tenant.carryOut!(ask(mailings, held!.mailing.id, 'release', {}))
    const [again] = await owedMails(without, tenant)
    expect(again?.mailing).to.include({ status: 'held', status_reason: 'no_sender', sender: null })
    const test = await without.tenant({ test: true })
    const shop = await shopOf(test)
    await shop.buys(await shop.sells({ amount: 30 }))
    expect((await keptMails(without, test)).map(({ from }) => from.address)).to.deep.equal(['no-reply@mail.localhost'])
    await sink.stop()
  })

  it('is held if it is for something of days ago, since its log may be gone through once more', async () => {
    const sink = await startSink()
    const own = await startTestService({ SMTP_URL: sink.url })
    const tenant = await own.tenant()
    const [contactId = 0] = await createContacts(tenant, ['late@owed.example'])
    const { engine, ids } = own.background.core
    const begins = async (hoursAgo: number) => {
      const id = await nextId(ids, mailing)
      const asked = beginMailing({
        class: 'owed',
        kind: 'test',
        cause: `late-${id}`,
        content: OWED,
        contactIds: [contactId],
      })
      const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
      const { teamId, workspaceId } = tenant
      const place = { teamId, workspaceId, causationId: 'test', correlationId: 'test' }
      await engine.transact({ ...stampCommand(asked, { at, actor: { label: 'test' } }, id), ...place, isNew: true })
    }
    for (const hoursAgo of [71, 73]) await begins(hoursAgo)
    const [sent, late] = await owedMails(own, tenant)
    expect([sent?.mailing.status, late?.mailing.status]).to.deep.equal(['completed', 'held'])
    expect(late?.mailing.status_reason).to.equal('late')
    expect(sink.arrived).to.have.length(1)
    await tenant.carryOut!(ask(mailings, late!.mailing.id, 'release', {}))
    await until(() => sink.arrived.length === 2)
    await sink.stop()
  })
})
