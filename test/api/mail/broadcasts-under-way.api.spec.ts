import { expect } from 'chai'
import { causeOfPiece } from '../../../domain/emails/mailing/purpose.ts'
import { mailing } from '../../../domain/emails/public.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { type Arrived, startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { createContacts } from '../../workers/mail/mailing-tenant.ts'
import { broadcastOf, deliveriesOfBroadcast, draft, order, settledBroadcast } from './broadcasting.ts'

const CONTACTS = 12

describe('broadcasts that are under way', () => {
  let service: TestService
  let sink: Awaited<ReturnType<typeof startSink>>
  let tenant: Tenant
  let gate: Promise<void>
  let open: () => void
  /** Mails that the server has. */
  let begun: number

  before(async () => {
    sink = await startSink({
      message: async () => {
        begun++
        await gate
        return undefined
      },
    })
    service = await startTestService({ SMTP_URL: sink.url })
  })
  after(() => sink.stop())

  beforeEach(async () => {
    gate = new Promise((resolve) => {
      open = resolve
    })
    sink.arrived.length = 0
    begun = 0
    tenant = await service.tenant()
  })
  afterEach(() => open())

  const addresses = (count: number) =>
    Array.from({ length: count }, (_, n) => `c${n}@slow-${tenant.workspaceId}.example`)
  const sentTo = () => sink.arrived.map(({ to }: Arrived) => to[0]).sort()

  /** Begins a broadcast, and pauses it while the first mails wait for their receiver: a domain of which nothing is known has few at once. */
  const pausedMidway = async () => {
    const contacts = await createContacts(tenant, addresses(CONTACTS))
    const id = await draft(tenant)
    const { id: action } = ok(await order(tenant, id))
    await eventually(async () => expect(begun).to.be.greaterThan(0))
    expect(ok(await tenant.api.post(`/emails/broadcasts/${id}/pause`, undefined)).status).to.equal('paused')
    await eventually(async () => {
      const held = await service.background.stores.readModels.live.find(mailing.name, { where: { status: 'held' } })
      expect(held.map(({ cause }) => cause)).to.include(causeOfPiece(id, 0))
    })
    open()
    await eventually(async () => {
      const all = await deliveriesOfBroadcast(service, id)
      expect(all.some(({ status }) => status === 'taken')).to.equal(false)
    })
    const sent = (await deliveriesOfBroadcast(service, id)).filter(({ status }) => status === 'sent').length
    expect(sent).to.be.greaterThan(0).and.lessThan(CONTACTS)
    return { id, action: Number(action), contacts, sent }
  }

  const resume = async (id: number) => ok(await tenant.api.post(`/emails/broadcasts/${id}/resume`, undefined))

  it('14 25: resuming after a pause goes on with the first contact without an outcome, never from the top', async () => {
    const { id, contacts } = await pausedMidway()
    await resume(id)
    expect((await settledBroadcast(tenant, id)).status).to.equal('complete')
    const all = await deliveriesOfBroadcast(service, id)
    expect(all.map(({ contact_id, status, attempts }) => [contact_id, status, attempts])).to.deep.equal(
      contacts.toSorted((a, b) => a - b).map((one) => [one, 'sent', 1]),
    )
    expect(sentTo()).to.deep.equal(addresses(CONTACTS).sort())
  })

  it('14 26: the audience is resolved once: contacts that match later are not in it, deleted ones are skipped', async () => {
    const { id, contacts } = await pausedMidway()
    await createContacts(tenant, [`late@slow-${tenant.workspaceId}.example`])
    const waiting = (await deliveriesOfBroadcast(service, id)).find(({ status }) => status === 'waiting')
    expect((await tenant.api.delete(`/contacts/${waiting?.contact_id}`)).status).to.equal(204)
    const { filter_id } = await broadcastOf(tenant, id)
    expect((await tenant.api.delete(`/refine_filters/${filter_id}`)).status).to.equal(204)
    await resume(id)
    await settledBroadcast(tenant, id)
    const all = await deliveriesOfBroadcast(service, id)
    expect(all.map(({ contact_id }) => contact_id)).to.have.members(contacts)
    const deleted = all.filter(({ status }) => status !== 'sent').map(({ contact_id, status }) => [contact_id, status])
    expect(deleted).to.deep.equal([[waiting?.contact_id, 'deleted']])
  })

  it('14 27: all get the template as it stood when sending began, and it cannot be deleted meanwhile', async () => {
    const { id } = await pausedMidway()
    const template = Number((await broadcastOf(tenant, id)).template.id)
    ok(await tenant.api.put(`/emails/templates/${template}`, { emails_template: { html_body: '<p>Other</p>' } }))
    const refused = await tenant.api.delete(`/emails/templates/${template}`)
    expect([refused.status, /Template cannot be deleted/.test(refused.body.error)]).to.deep.equal([422, true])
    await resume(id)
    await settledBroadcast(tenant, id)
    expect(sink.arrived).to.have.length(CONTACTS)
    expect(sink.arrived.every(({ source }: Arrived) => source.includes('<p>Hello</p>'))).to.equal(true)
    expect((await tenant.api.delete(`/emails/templates/${template}`)).status).to.equal(204)
  })

  it('14 37: cancelling what has begun stops all that is not yet on its way; those contacts are canceled', async () => {
    const { id, action, sent } = await pausedMidway()
    expect((await tenant.api.delete(`/emails/broadcasts/send_actions/${action}`)).status).to.equal(204)
    expect((await settledBroadcast(tenant, id)).status).to.equal('canceled')
    const all = await deliveriesOfBroadcast(service, id)
    expect(all.filter(({ status }) => status === 'canceled')).to.have.length(CONTACTS - sent)
    expect(sink.arrived).to.have.length(sent)
    const { outcomes, progress } = ok(await tenant.api.get(`/emails/broadcasts/${id}/stats`))
    expect(outcomes).to.include({ sent, canceled: CONTACTS - sent })
    expect(progress).to.include({ total: CONTACTS, queued: 0, processing: 0 })
    const after = ok(await tenant.api.get(`/emails/broadcasts/send_actions/${action}`))
    expect([after.performed_count, after.target_count]).to.deep.equal([CONTACTS, CONTACTS])
    expect((await tenant.api.delete(`/emails/broadcasts/send_actions/${action}`)).status).to.equal(409)
  })
})
