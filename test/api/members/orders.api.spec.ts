import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { hostOf, type MemberBrowser, memberBrowser, signedIn } from '../../support/member.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { type Shop, shopOf } from '../../support/traffic/shop.ts'

const BUYER = 'buyer.of.shop@example.com'
const MONTHLY = { amount: 30, payment_type: 'subscription', interval: 'months', self_cancel: true }

describe('orders on the members’ side', () => {
  let service: TestService
  let tenant: Tenant
  let shop: Shop
  let member: MemberBrowser

  beforeEach(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    shop = await shopOf(tenant)
    await service.caughtUp()
    member = await signedIn(service, tenant, BUYER)
  })

  const subscription = async () => {
    const { order_id } = await shop.buys(await shop.sells(MONTHLY))
    await service.caughtUp()
    return { id: Number(order_id), path: `/members/orders/${order_id}` }
  }
  const eventsOf = async (type: string) => {
    let count = 0
    for await (const event of service.background.stores.log.readAll({ after: -1 }))
      if (event.type === type && event.metadata.workspace_id === tenant.workspaceId) count++
    return count
  }

  it('lists the orders of the member, and shows what was bought', async () => {
    const { order_id } = await shop.buys(await shop.sells({ amount: 14.95 }))
    await service.caughtUp()
    const list = await member.get('/members/orders')
    expect(list.text).to.contain(`href="/members/orders/${order_id}"`).and.contain('Order #1001').and.contain('$14.95')
    const { text } = await member.get(`/members/orders/${order_id}`)
    expect(text).to.contain('Tea').and.contain('$14.95').and.contain('Paid')
    expect(text).to.not.contain('Cancel the subscription')
  })

  it('lists all orders, a page at a time', async () => {
    const price = await shop.sells({ amount: 1 })
    const ids: number[] = []
    for (let n = 0; n < 27; n++) ids.push(Number((await shop.buys(price)).order_id))
    await service.caughtUp()
    const idsIn = (text: string) => [...text.matchAll(/href="\/members\/orders\/(\d+)"/g)].map(([, id]) => Number(id))
    const first = await member.get('/members/orders')
    const [, further = ''] = /href="([^"]+)">Older orders/.exec(first.text) ?? []
    const second = await member.get(further)
    expect([...idsIn(first.text), ...idsIn(second.text)]).to.deep.equal(ids.toReversed())
    expect(second.text).to.contain('Newest orders').and.not.contain('Older orders')
    expect((await member.get('/members/orders?before=1')).status).to.equal(200)
  })

  it('15 87: an order, its files and its cancelling are nobody else’s, and take a session', async () => {
    const { id, path } = await subscription()
    const email_address = 'stranger@far.example'
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } }))
    await service.caughtUp()
    const stranger = await signedIn(service, tenant, email_address)
    for (const page of [path, `${path}/cancel`, `${path}/downloads/1`])
      expect((await stranger.get(page)).status, page).to.equal(404)
    const { text } = await stranger.get('/members')
    const form_token = /name="form_token" value="([^"]+)"/.exec(text)![1]!
    expect((await stranger.post(`${path}/cancel`, { form_token })).status).to.equal(404)
    const nobody = memberBrowser(service, await hostOf(tenant))
    for (const page of [path, `${path}/cancel`])
      expect((await nobody.get(page)).headers.location).to.equal(`/members/sign-in?to=${encodeURIComponent(page)}`)
    expect((await shop.order(id)).service_status).to.equal('active')
  })

  it('15 94: cancelling says until when access lasts, and happens once', async () => {
    const { id, path } = await subscription()
    const order = await shop.order(id)
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(order.paid_until))
    const page = await member.get(`${path}/cancel`)
    expect(page.text).to.contain(`You keep what it gives you until ${day}`)
    expect(await eventsOf('SubscriptionCanceled')).to.equal(0)
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)![1]!
    const both = await Promise.all([1, 2].map(() => member.post(`${path}/cancel`, { form_token })))
    expect(both.map(({ status }) => status)).to.deep.equal([303, 303])
    expect((await member.post(`${path}/cancel`, { form_token })).headers.location).to.equal(`${path}/cancel`)
    expect(await eventsOf('SubscriptionCanceled')).to.equal(1)
    const after = await shop.order(id)
    expect(after).to.include({ service_status: 'canceled', churned_at: order.paid_until, canceled_by: 'Member' })
    for (const shown of [await member.get(path), await member.get(`${path}/cancel`)]) {
      expect(shown.text).to.contain(`Ends on ${day}`)
      expect(shown.text).to.not.contain('Cancel it')
    }
    await shop.passes(40)
    expect((await member.get('/members')).status).to.equal(303)
  })

  it('is cancelled by the shop alone where its price does not let customers cancel', async () => {
    for (const self_cancel of [false, null]) {
      const { order_id: id } = await shop.buys(await shop.sells({ ...MONTHLY, self_cancel }))
      await service.caughtUp()
      const path = `/members/orders/${id}`
      const { text } = await member.get(path)
      expect(text).to.contain('please write to us').and.not.contain('Cancel the subscription')
      expect((await member.get(`${path}/cancel`)).text)
        .to.contain('please write to us')
        .and.not.contain('Cancel it')
      const form_token = /name="form_token" value="([^"]+)"/.exec((await member.get('/members')).text)![1]!
      await member.post(`${path}/cancel`, { form_token })
      expect((await shop.order(Number(id))).service_status).to.equal('active')
    }
  })

  it('15 94: a contact who is banned from a community and suspended in a course cancels all the same', async () => {
    const { id, path } = await subscription()
    const community = await recordMakers.community!.make(tenant)
    ok(
      await tenant.api.post(`/communities/${community}/bans`, {
        communities_ban: { contact_id: shop.contactId, reason: 'Rude' },
      }),
    )
    const course = await recordMakers.course!.make(tenant)
    const enrolled = ok(
      await tenant.api.post(`/courses/${course}/enrollments`, { courses_enrollment: { contact_id: shop.contactId } }),
    )
    ok(await tenant.api.put(`/courses/enrollments/${enrolled.id}`, { courses_enrollment: { suspended: true } }))
    await service.caughtUp()
    expect((await member.submit(`${path}/cancel`, `${path}/cancel`)).status).to.equal(303)
    expect((await shop.order(id)).service_status).to.equal('canceled')
  })

  it('15 95: a file is checked against what was bought each time, and no way to ask for it uses anything up', async () => {
    const sold = await shop.sells({ amount: 30 })
    const asset = await recordMakers.asset!.make(tenant)
    ok(await tenant.api.put(`/products/variants/${sold.variant_id}`, { products_variant: { asset_ids: [asset] } }))
    const { order_id } = await shop.buys(sold)
    await service.caughtUp()
    const { text } = await member.get(`/members/orders/${order_id}`)
    const path = /href="(\/members\/orders\/\d+\/downloads\/\d+)"/.exec(text)![1]!
    for (let times = 0; times < 2; times++) {
      expect((await member.head(path)).status).to.equal(303)
      const { headers } = await member.get(path)
      const link = new URL(headers.location ?? '')
      expect(Number(link.searchParams.get('expires')) - Date.now() / 1000).to.be.within(60, 15 * 60)
      expect((await fetch(link, { method: 'HEAD' })).status).to.equal(200)
      const broken = await fetch(link, { headers: { range: 'bytes=0-1' } })
      await broken.body?.cancel()
      expect((await fetch(link)).status).to.equal(200)
    }
    const [{ id }] = await shop.transactions(order_id)
    ok(await tenant.api.post(`/orders/transactions/${id}/refund`))
    await waitUntilSettled(service)
    expect((await member.get(path)).status).to.equal(404)
    expect((await member.get(`/members/orders/${order_id}`)).text).to.contain('The files of this order are not open')
  })

  it('lets the member choose what mail comes', async () => {
    const path = `/workspaces/${tenant.workspaceId}/emails/topics`
    const topic = await recordMakers['emails/topic']!.make(tenant)
    const [{ name }] = ok(await tenant.api.get(path)) as unknown as readonly [{ readonly name: string }]
    expect((await member.get('/members/mail')).text).to.contain(name)
    const saved = await member.submit('/members/mail', '/members/mail', { mail: '1' })
    expect(saved.headers.location).to.equal('/members/mail?saved')
    const page = await member.get('/members/mail?saved')
    expect(page.text).to.contain('Your choice was saved').and.contain(`name="topic_${topic}" value="1">`)
    await member.submit('/members/mail', '/members/mail', { [`topic_${topic}`]: '1' })
    expect((await member.get('/members/mail')).text)
      .to.contain('You get no mail of this kind')
      .and.contain(`name="topic_${topic}" value="1" checked>`)
    expect(ok(await tenant.api.get(`/contacts/${shop.contactId}`)).unsubscribed_at).to.be.a('string')
  })
})
