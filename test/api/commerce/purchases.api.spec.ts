import { expect } from 'chai'
import fc from 'fast-check'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import {
  deliver,
  openPurchases,
  type Receiver,
  reportsOf,
  soldElsewhere,
} from '../../support/traffic/purchase-traffic.ts'

type Reports = ReturnType<typeof reportsOf>
type Said = ReturnType<Reports['paid']>

/** Number of orders of the five deliveries: all of them; fewer on slow servers. */
const ORDERS = Number(process.env.DELIVERY_ORDERS ?? 120)

/** All permutations of a list. */
const permutations = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length <= 1
    ? [all]
    : all.flatMap((one, index) => permutations(all.toSpliced(index, 1)).map((rest) => [one, ...rest]))

describe('purchases that providers report', () => {
  let service: TestService
  let tenant: Tenant
  let receiver: Receiver
  let endpoint: number
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    const opened = await openPurchases(tenant, await soldElsewhere(tenant))
    endpoint = opened.id
    receiver = opened
  })

  const eventsOf = async (query: string) =>
    (await tenant.api.get(`/webhooks/incoming/external_purchase_endpoints/${endpoint}/events?${query}`)).body
  const settled = async () => {
    await service.caughtUp()
    for (const since = Date.now(); (await eventsOf('filter[processing_status]=received')).length > 0; ) {
      if (Date.now() - since > 500_000) throw new Error('deliveries are not processed')
      await new Promise((go) => setTimeout(go, 10))
    }
    await service.caughtUp()
  }
  const told = async (...all: readonly Said[]) => {
    for (const one of all) expect((await deliver(receiver, one)).status).to.equal(200)
    await settled()
  }
  const orderOf = async (email: string) => {
    const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${email}`)
    if (body.length === 0) return undefined
    const found = await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders?filter[contact_id]=${body[0].id}`)
    return found.body[0]
  }
  const invoicesOf = async (order: number) => (await tenant.api.get(`/orders/${order}/invoices`)).body

  it('places a paid order for a contact that is made for it', async () => {
    await told(reportsOf('first', 'plan_1', 'first@example.com').paid('10:00'))
    const order = await orderOf('first@example.com')
    expect(order).to.include({
      order_type: 'subscription-order',
      live_mode: true,
      payment_processor: 'external',
      external_id: 'mem_first',
      billing_status: 'paid',
      service_status: 'active',
      activated_at: '2026-02-01T10:00:00.000Z',
      notes: '2026-02-01T10:00:00.000Z Payment pay_first_1 succeeded',
    })
    expect(order.contact).to.include({ first_name: 'Ada', last_name: 'King Lovelace' })
    const [invoice] = await invoicesOf(order.id)
    expect(invoice).to.include({
      external_id: 'pay_first_1',
      status: 'paid',
      invoice_type: 'initial',
      total_amount: '97.00',
    })
    const [event] = await eventsOf('sort_order=desc')
    expect(event).to.include({ event_type: 'payment.succeeded', processing_status: 'processed', order_id: order.id })
    expect(event).not.to.have.property('payload')
    const shown = await tenant.api.get(`/webhooks/incoming/external_purchase_events/${event.id}`)
    expect(shown.body.payload.data.user.email).to.equal('first@example.com')
  })

  it('follows a subscription through failure, scheduled cancellation, end and return', async () => {
    const said = reportsOf('second', 'plan_1', 'second@example.com')
    const steps: readonly (readonly [Said, object])[] = [
      [said.paid('10:00'), { billing_status: 'paid', service_status: 'active' }],
      [said.failed('11:00', 2), { billing_status: 'past-due', service_status: 'active' }],
      [said.paid('12:00', 3), { billing_status: 'paid', recurring_invoices_paid_count: 2 }],
      [said.cancels('13:00', true), { service_status: 'active', canceled_at: '2026-02-01T13:00:00.000Z' }],
      [said.deactivated('14:00'), { service_status: 'churned', churned_at: '2026-02-01T14:00:00.000Z' }],
      [said.cancels('15:00', false), { service_status: 'churned', canceled_at: null, cancel_reason: null }],
      [said.activated('16:00'), { service_status: 'active', churned_at: null }],
      [said.dispute('17:00', 'lost'), { service_status: 'churned', billing_status: 'paid' }],
      [said.dispute('18:00', 'won'), { service_status: 'active', churned_at: null }],
      [said.refund('19:00', 'succeeded', 3, 10), { billing_status: 'paid' }],
      [said.refund('20:00', 'succeeded', 3, 30), { billing_status: 'refunded' }],
      [said.refund('21:00', 'failed', 3, 30), { billing_status: 'paid' }],
    ]
    for (const [one, expected] of steps) {
      await told(one)
      expect(await orderOf('second@example.com'), one.type).to.include(expected)
    }
  })

  it('stores deliveries that concern no order, with the reason why they change nothing', async () => {
    const said = reportsOf('third', 'plan_unknown', 'third@example.com')
    const reasonFor = async (one: object) => {
      await told(one as Said)
      const [event] = await eventsOf('sort_order=desc')
      return [event.processing_status, event.order_id, event.processing_errors]
    }
    const skipped = (because: string) => ['processing_skipped', null, because]
    expect(await reasonFor(said.paid('10:00'))).to.deep.equal(skipped('Whop plan plan_unknown is mapped to nothing'))
    expect(await reasonFor(said.deactivated('11:00'))).to.deep.equal(
      skipped('No existing order found for Whop membership mem_third'),
    )
    expect(await reasonFor({ ...said.paid('12:00'), type: 'entry.created' })).to.deep.equal(
      skipped('Events of type entry.created are not handled'),
    )
    expect(await reasonFor({ ...said.paid('12:00'), api_version: 'v5' })).to.deep.equal(
      skipped('Only deliveries of API version v1 are understood'),
    )
    for (const odd of [{}, { type: 7, data: [] }, { type: 'payment.succeeded', data: { membership: 'x', id: {} } }])
      expect((await reasonFor(odd))[0]).to.equal('processing_skipped')
    expect(await orderOf('third@example.com')).to.equal(undefined)
  })

  it('accepts no delivery twice, and none that is unsigned, too old, too large or no object', async () => {
    const one = reportsOf('fourth', 'plan_1', 'fourth@example.com').paid('10:00')
    const statuses: number[] = []
    for (let n = 0; n < 2; n++) statuses.push((await deliver(receiver, one, { id: 'msg_same' })).status)
    const twice = await Promise.all([1, 2, 3].map(() => deliver(receiver, one, { id: 'msg_at_once' })))
    expect([...statuses, ...twice.map(({ status }) => status)]).to.deep.equal([200, 200, 200, 200, 200])
    await service.caughtUp()
    const count = (await eventsOf('sort_order=desc')).filter((event: { external_event_id: string }) =>
      ['msg_same', 'msg_at_once'].includes(event.external_event_id),
    ).length
    expect(count).to.equal(2)
    const other = { ...receiver, secret: 'ws_another_secret_0123456789' }
    expect((await deliver(other, one)).status).to.equal(401)
    expect((await deliver(receiver, one, { at: new Date(Date.now() - 600_000) })).status).to.equal(401)
    expect((await fetch(receiver.url, { method: 'POST', body: JSON.stringify(one) })).status).to.equal(401)
    expect((await deliver(receiver, { pad: 'x'.repeat(300_000) })).status).to.equal(413)
    expect((await deliver({ ...receiver, url: `${receiver.url}x` }, one)).status).to.equal(404)
    await settled()
    expect(await invoicesOf((await orderOf('fourth@example.com')).id)).to.have.lengthOf(1)
  })

  it('cannot remove an endpoint that has received something', async () => {
    const { status, body } = await tenant.api.delete(`/webhooks/incoming/external_purchase_endpoints/${endpoint}`)
    expect([status, body.error]).to.deep.equal([
      422,
      'Request unprocessable: Endpoint cannot be deleted because it has received events that are kept',
    ])
  })

  it('erases the deliveries of an erased buyer', async () => {
    const [event] = await eventsOf('filter[event_type]=payment.succeeded')
    const { contact_id } = (await tenant.api.get(`/orders/${event.order_id}`)).body
    expect((await tenant.api.delete(`/contacts/${contact_id}/gdpr_destroy`)).status).to.equal(204)
    const { body } = await tenant.api.get(`/webhooks/incoming/external_purchase_events/${event.id}`)
    expect([body.payload, body.processing_status]).to.deep.equal([null, 'processed'])
  })

  describe('of an erased person', () => {
    /** Payloads of the deliveries of a purchase, by their ids at the provider, and what the log has sealed of them. */
    const keptOf = async (of: string) => {
      const all = await eventsOf('sort_order=desc')
      const own = all.filter((one: { external_event_id: string }) => one.external_event_id.startsWith(`${of} `))
      const show = async ({ id, external_event_id: name }: { id: number; external_event_id: string }) => {
        const { payload } = (await tenant.api.get(`/webhooks/incoming/external_purchase_events/${id}`)).body
        return [name.slice(of.length + 1), payload?.data?.user?.email ?? payload] as const
      }
      return Object.fromEntries(await Promise.all(own.map(show)))
    }
    const toldAs = async (of: string, name: string, one: Said) => {
      expect((await deliver(receiver, one, { id: `${of} ${name}` })).status).to.equal(200)
      await settled()
    }
    const erase = async (id: number) =>
      expect((await tenant.api.delete(`/contacts/${id}/gdpr_destroy`)).status).to.equal(204)
    const contactWith = async (email: string) =>
      (await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${email}`)).body[0]
    const contact = async (email_address: string): Promise<number> =>
      (await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } })).body.id

    it('lose what came before their buyer was a contact, also under an address that the contact had before', async () => {
      const [email, later] = ['Before@example.com', 'changed@example.com']
      const said = reportsOf('before', 'plan_1', email)
      await toldAs('before', 'membership', said.activated('09:00'))
      expect(await keptOf('before')).to.deep.equal({ membership: email })
      const id = await contact(email.toLowerCase())
      await tenant.api.put(`/contacts/${id}`, { contact: { email_address: later } })
      const stranger = reportsOf('stranger', 'plan_1', 'stranger@example.com')
      await toldAs('stranger', 'membership', stranger.activated('09:00'))
      await erase(id)
      expect(await keptOf('before')).to.deep.equal({ membership: null })
      expect(await keptOf('stranger')).to.deep.equal({ membership: 'stranger@example.com' })
      const { log, vault } = service.background.stores
      for await (const { type, metadata, data } of log.readAll())
        if (type === 'ExternalPurchaseEventReceived' && data.external_event_id === 'before membership')
          expect(await vault.open(metadata.of!, String(data.personal))).to.equal(null)
    })

    it('are kept without a body when they come later, and still move the order', async () => {
      const email = 'later@example.com'
      const said = reportsOf('later', 'plan_1', email)
      await toldAs('later', 'membership', said.activated('09:00'))
      await toldAs('later', 'paid', said.paid('10:00'))
      const { id } = await contactWith(email)
      expect(await keptOf('later')).to.deep.equal({ membership: email, paid: email })
      const order = await orderOf(email)
      await erase(id)
      await toldAs('later', 'renewal', said.paid('11:00', 2))
      await toldAs('later', 'end', said.deactivated('12:00'))
      expect(await keptOf('later')).to.deep.equal({ membership: null, paid: null, renewal: null, end: null })
      expect(await contactWith(email)).to.equal(undefined)
      const { body } = await tenant.api.get(`/orders/${order.id}`)
      expect(body).to.include({ service_status: 'churned', contact_id: id })
      expect(await invoicesOf(order.id)).to.have.length(2)
    })

    it('do not come back with another purchase, unless the person buys anew', async () => {
      const email = 'anew@example.com'
      await erase(await contact(email))
      const said = reportsOf('anew', 'plan_1', email)
      await toldAs('anew', 'membership', said.activated('09:00'))
      expect(await keptOf('anew')).to.deep.equal({ membership: null })
      await toldAs('anew', 'paid', said.paid('10:00'))
      expect(await keptOf('anew')).to.deep.equal({ membership: null, paid: email })
      expect((await contactWith(email)).email_address).to.equal(email)
    })
  })

  describe('result in the same order', () => {
    /** The final order without its ids and times. */
    const comesTo = async (of: string) => {
      const order = await orderOf(`${of}@example.com`)
      const invoices = await invoicesOf(order.id)
      const invoiced = invoices.map(
        ({ external_id, status, invoice_type, total_amount, paid_at }: Record<string, string>) =>
          [external_id, status, invoice_type, total_amount, paid_at].join(' '),
      )
      const { billing_status, service_status, activated_at, canceled_at, churned_at, next_charge_at } = order
      const { cancel_reason, notes, external_id, order_type, recurring_invoices_paid_count, total_amount } = order
      const text = JSON.stringify({
        ...{ billing_status, service_status, activated_at, canceled_at, churned_at, next_charge_at, cancel_reason },
        ...{ notes, external_id, order_type, recurring_invoices_paid_count, total_amount },
        invoices: invoiced.toSorted(),
      })
      return text.replaceAll(of, 'OF')
    }
    let runs = 0
    const replay = async (order: (said: Reports) => readonly Said[]) => {
      const of = `run${++runs}x`
      for (const one of order(reportsOf(of, 'plan_1', `${of}@example.com`))) await deliver(receiver, one)
      return of
    }

    it(`in ${ORDERS} of the 120 orders of five deliveries`, async () => {
      const five = (said: Reports) => [
        said.paid('10:00'),
        said.cancels('11:00', true),
        said.refund('12:00', 'succeeded'),
        said.deactivated('13:00'),
        said.activated('09:00'),
      ]
      const places = permutations([0, 1, 2, 3, 4]).filter((_, n) => n % (120 / ORDERS) < 1)
      const names = await Promise.all(places.map((place) => replay((said) => place.map((n) => five(said)[n]!))))
      await settled()
      const results = new Set(await Promise.all(names.map(comesTo)))
      expect([...results]).to.have.lengthOf(1)
      expect(JSON.parse([...results][0]!)).to.include({ billing_status: 'refunded', service_status: 'churned' })
    }).timeout(600_000)

    it('in sampled orders of twelve, with repeats', async () => {
      const many = (said: Reports) => [
        said.activated('09:00'),
        said.paid('10:00'),
        said.failed('11:00', 2),
        said.paid('12:00', 3),
        said.dispute('13:00', 'lost', 1),
        said.dispute('14:00', 'won', 1),
        said.cancels('15:00', true),
        said.refund('16:00', 'pending', 3),
        said.refund('17:00', 'succeeded', 3),
        said.deactivated('18:00'),
        said.activated('19:00'),
        said.failed('20:00', 4),
      ]
      const all = Array.from({ length: 12 }, (_, n) => n)
      const repeated = fc
        .tuple(fc.subarray(all), fc.shuffledSubarray(all, { minLength: 12 }))
        .chain(([some, order]) => fc.shuffledSubarray([...order, ...some], { minLength: order.length + some.length }))
      const orders = [all, ...fc.sample(repeated, { numRuns: ORDERS / 5, seed: 7 })]
      const names = await Promise.all(orders.map((order) => replay((said) => order.map((n) => many(said)[n]!))))
      await settled()
      const results = new Set(await Promise.all(names.map(comesTo)))
      expect([...results]).to.have.lengthOf(1)
      expect(JSON.parse([...results][0]!)).to.include({ billing_status: 'past-due', service_status: 'active' })
    }).timeout(600_000)
  })

  it('never confuses reports of different endpoints', async () => {
    const sold = await soldElsewhere(tenant)
    const other = await openPurchases(tenant, sold)
    const said = reportsOf('fifth', 'plan_1', 'fifth@example.com')
    await told(said.paid('10:00'))
    expect((await deliver(other, said.deactivated('11:00'))).status).to.equal(200)
    await settled()
    expect(await orderOf('fifth@example.com')).to.include({ service_status: 'active' })
  })
})
