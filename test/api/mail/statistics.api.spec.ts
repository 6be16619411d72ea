import { expect } from 'chai'
import { delivery } from '../../../domain/emails/mailing/model.ts'
import { type DeliveryRecord, mailingIdOf, mailings } from '../../../domain/emails/public.ts'
import { MAIL_SUMS, mailTally, outcomesId } from '../../../domain/emails/statistics/tally.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { createProjection } from '../../../projections/projection.ts'
import { deliveryReport } from '../../infra/mail-intake/mails.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { soldOf } from '../../support/records/orders.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { reportTo } from '../../support/smtp-report.ts'
import { createContacts } from '../../workers/mail/mailing-tenant.ts'
import { type Enrolling, enrolling } from '../workflows/runs/enrolled.ts'
import { deliveriesOfBroadcast, draft, order, settledBroadcast } from './broadcasting.ts'

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
const LINKED = { template_id: null, html_body: '<a href="https://shop.example/a">a</a>' }

describe('statistics of broadcasts', () => {
  let service: TestService
  let tenant: Tenant
  let on: Enrolling

  before(async () => {
    service = await startTestService({ MILLRACE_MAIL_PORT: '0' })
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
  })

  const statsOf = async (id: number, query = '') => ok(await tenant.api.get(`/emails/broadcasts/${id}/stats${query}`))
  const keptOf = async ({ id }: Pick<DeliveryRecord, 'id'>) =>
    (await readKept(service.background.stores, mailingIdOf(id), id))!
  const fetchAs = (url: string) => fetch(url, { headers: { 'user-agent': BROWSER }, redirect: 'manual' })
  const pixelOf = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1] ?? ''

  /** Sends a broadcast to some contacts. @returns its id, and its mails */
  const sent = async (count: number) => {
    await createContacts(
      tenant,
      Array.from({ length: count }, (_, n) => `reader${n}@statistics.example`),
    )
    const id = await draft(tenant, LINKED)
    ok(await order(tenant, id))
    await settledBroadcast(tenant, id)
    await on.later(1)
    return { id, mails: await deliveriesOfBroadcast(service, id) }
  }
  /** Places an order that has been paid elsewhere. */
  const buy = async (contact_id: number, live_mode = true) => {
    const line_items_attributes = [{ ...(await soldOf(tenant)), quantity: 2 }]
    const fields = { order_type: 'one-time-order', live_mode, contact_id, line_items_attributes }
    const placed = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/orders`, { order: fields }))
    const paid = { external_id: `bill-${placed.id}`, status: 'paid', paid_at: placed.created_at }
    ok(await tenant.api.post(`/orders/${placed.id}/invoices`, { orders_invoice: paid }))
  }

  it('are zeros before it is sent, in the last 90 days, and take no range', async () => {
    const id = await draft(tenant, LINKED)
    const { progress, performance, revenue, timerange } = await statsOf(id)
    expect(progress).to.deep.equal({ total: null, queued: 0, processing: 0, sent: 0, failed: 0 })
    expect(new Set(Object.values(performance))).to.deep.equal(new Set([0]))
    expect(revenue).to.include({ total: '0.00', orders_count: 0, per_recipient: '0.00', currency: 'USD' })
    expect(Date.parse(timerange.to) - Date.parse(timerange.from)).to.be.within(
      90 * 86_400_000,
      90 * 86_400_000 + 59_999,
    )
    expect(Date.parse(timerange.from) % 60_000).to.equal(0)
    const refused = await tenant.api.get(`/emails/broadcasts/${id}/stats?timerange_start=2026-01-01T00:00:00Z`)
    expect([refused.status, refused.body.details[0].field]).to.deep.equal([422, 'timerange_start'])
  })

  it('14 64: count opens, clicks and unsubscriptions of persons, and machines apart', async () => {
    const { id, mails } = await sent(4)
    const [first, second, third] = await Promise.all(mails.map(keptOf))
    await fetchAs(pixelOf(first!.html))
    await fetchAs(destinationsIn(second!.html)[0]!)
    await fetch(pixelOf(third!.html), { headers: { 'user-agent': 'curl/8.5.0' } })
    const unsubscribe = /^<(.*)>$/.exec(third!.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    for (let times = 0; times < 2; times++)
      await fetch(unsubscribe, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    await on.later(1)
    await fetchAs(pixelOf(first!.html))
    await on.later(1)
    const engagement = async (contactId: number) =>
      ok(await tenant.api.get(`/contacts/${contactId}?expand[]=email_engagement`)).email_engagement
    const opener = await engagement(mails[0]!.contact_id!)
    expect(opener.last_email_opened_at > mails[0]!.settled_at!).to.equal(true)
    expect(opener).to.include({ last_email_sent_at: mails[0]!.settled_at, last_email_clicked_at: null })
    expect((await engagement(mails[1]!.contact_id!)).last_email_clicked_at).to.be.a('string')
    expect((await engagement(mails[3]!.contact_id!)).last_email_opened_at).to.equal(null)
    const { progress, performance } = await statsOf(id)
    expect(progress).to.deep.equal({ total: 4, queued: 0, processing: 0, sent: 4, failed: 0 })
    expect(performance).to.deep.equal({
      ...{ delivered: 4, bounced: 0, opened: 3, unique_opens: 2, clicked: 1, unique_clicks: 1, unsubscribed: 1 },
      ...{ spam_complaints: 0, machine_fetches: 1, open_rate: 50, click_rate: 25, click_to_open_rate: 50 },
      ...{ bounce_rate: 0, unsubscribe_rate: 25 },
    })
  })

  it('follow what is heard after it was complete: mails that come back, doubts that are settled, mails that are sent again', async () => {
    const { id, mails } = await sent(3)
    const [first, second] = mails
    const before = await statsOf(id)
    expect(before.outcomes).to.include({ kept: 3, bounced: 0 })
    for (const [mail, status] of [
      [await keptOf(first!), '5.1.1'],
      [await keptOf(second!), '5.7.1'],
    ] as const) {
      const fields = `Final-Recipient: rfc822; ${mail.to.address}\r\nAction: failed\r\nStatus: ${status}`
      await reportTo(service.mailPort!, mail.returnPath, deliveryReport(fields))
    }
    await on.soon(async () => expect((await statsOf(id)).outcomes).to.include({ kept: 1, bounced: 1, failed: 1 }))
    const came = await statsOf(id)
    expect(came.progress).to.include({ sent: 1, failed: 2 })
    expect(came.performance).to.include({ delivered: 1, bounced: 1, bounce_rate: 33 })
    const place = within(mailings, mailingIdOf(second!.id), delivery)
    await tenant.carryOut!(ask(place, second!.id, 'sendAgain', {}))
    await on.soon(async () => expect((await statsOf(id)).outcomes).to.include({ kept: 2, bounced: 1, failed: 0 }))
    expect((await statsOf(id)).progress).to.include({ total: 3, sent: 2, failed: 1 })
  })

  it('count what readers order within 30 days after a click, once for an order and never test orders', async () => {
    const { id, mails } = await sent(3)
    const [first, second] = mails
    await fetchAs(destinationsIn((await keptOf(first!)).html)[0]!)
    await fetchAs(destinationsIn((await keptOf(second!)).html)[0]!)
    await on.later(1)
    await buy(second!.contact_id!)
    await buy(first!.contact_id!, false)
    await buy(mails[2]!.contact_id!)
    await on.soon(async () => expect((await statsOf(id)).revenue).to.include({ total: '25.00', orders_count: 1 }))
    expect((await statsOf(id)).revenue).to.deep.equal({
      ...{
        total: '25.00',
        orders_count: 1,
        per_recipient: '8.33',
        per_unique_open: '12.50',
        per_unique_click: '12.50',
      },
      currency: 'USD',
    })
    await on.later(31)
    await buy(first!.contact_id!)
    await service.caughtUp()
    expect((await statsOf(id)).revenue.orders_count).to.equal(1)
  })

  it('equal a rebuild', async () => {
    const { id } = await sent(2)
    await service.caughtUp()
    const events: RecordedEvent[] = []
    for await (const event of service.background.stores.log.readAll({ after: -1 })) events.push(event)
    const rebuilt = new MemoryReadModels()
    const project = createProjection({
      ...{ resources: [], tallies: [mailTally], vault: new OpenVault(), publicIds: ids },
      upcast: (event) => event,
    })
    await project(events, rebuilt)
    const { live } = service.background.stores.readModels
    const stored = rebuilt.find(MAIL_SUMS)
    expect(stored.map((one) => one.id)).to.include(outcomesId(id))
    for (const document of stored) expect(await live.get(MAIL_SUMS, document.id)).to.deep.equal(document)
  })
})
