import { expect } from 'chai'
import { contacts } from '../../../domain/contacts/public.ts'
import { mailings } from '../../../domain/emails/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { BOUNDS } from '../../../infra/mail/connections.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { begin, createContacts, deliveriesOf, OWED, settledOf, statusesOf } from '../../workers/mail/mailing-tenant.ts'
import { broadcastOf, deliveriesOfBroadcast, draft, order, settledBroadcast } from './broadcasting.ts'

/** More than there are connections. */
const CONTACTS = 48

describe('mail after a no', () => {
  let service: TestService
  let tenant: Tenant
  let sink: Awaited<ReturnType<typeof startSink>>
  /** Addresses of mails that have begun. */
  let begun: string[]
  let gate: Promise<void>
  let open: () => void

  beforeEach(async () => {
    begun = []
    gate = new Promise((resolve) => {
      open = resolve
    })
    sink = await startSink({
      // The connections are under way, and no mail has begun.
      onConnect: (_, go) => void gate.then(() => go()),
      recipient: (address) => {
        begun.push(address)
        return undefined
      },
    })
    service = await startTestService({ SMTP_URL: sink.url })
    tenant = await service.tenant()
  })
  afterEach(async () => {
    open()
    await sink.stop()
  })

  const addresses = () => Array.from({ length: CONTACTS }, (_, n) => `c${n}@d${n % 12}.example`)
  const taken = (all: readonly { readonly status: string }[]) => all.filter(({ status }) => status === 'taken').length

  /** Waits until as many mails are taken as can be under way. */
  const underWay = (read: () => Promise<readonly { readonly status: string }[]>) =>
    eventually(async () => expect(taken(await read())).to.equal(BOUNDS.connections))

  for (const [kind, more] of Object.entries({
    marketing: {},
    owed: { class: 'owed', kind: 'order_confirmation', content: OWED } as const,
  }))
    it(`14 2: no ${kind} mail begins after it, and as many are taken as there are connections`, async () => {
      const ids = await createContacts(tenant, addresses())
      const mailing = await begin(tenant, ids, more)
      await underWay(() => deliveriesOf(service, mailing))
      const third = (rest: number) => ids.filter((_, n) => n % 3 === rest)
      for (const id of third(0)) await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
      for (const id of third(1)) expect((await tenant.api.delete(`/contacts/${id}`)).status).to.equal(204)
      for (const id of third(2))
        ok(await tenant.api.put(`/contacts/${id}`, { contact: { email_address: `new${id}@elsewhere.example` } }))
      open()
      const all = await settledOf(service, mailing)
      const isOwed = kind === 'owed'
      const wanted = ids.map((_, n) => (n % 3 === 1 ? 'deleted' : n % 3 === 0 && !isOwed ? 'unsubscribed' : 'sent'))
      expect(statusesOf(all)).to.deep.equal(wanted)
      const changed = third(2).map((id) => `new${id}@elsewhere.example`)
      const still = isOwed ? addresses().filter((_, n) => n % 3 === 0) : []
      expect(begun).to.have.members([...changed, ...still])
    })

  it('14 25: no mail of a broadcast begins after it was paused, and all go once after it was resumed', async () => {
    await createContacts(tenant, addresses())
    const id = await draft(tenant)
    ok(await order(tenant, id))
    await underWay(() => deliveriesOfBroadcast(service, id))
    ok(await tenant.api.post(`/emails/broadcasts/${id}/pause`, undefined))
    open()
    await eventually(async () => expect(taken(await deliveriesOfBroadcast(service, id))).to.equal(0))
    expect(begun).to.deep.equal([])
    ok(await tenant.api.post(`/emails/broadcasts/${id}/resume`, undefined))
    await settledBroadcast(tenant, id)
    expect(begun).to.have.members(addresses())
  })

  it('14 37: no mail of a broadcast begins after it was canceled', async () => {
    await createContacts(tenant, addresses())
    const id = await draft(tenant)
    const { id: action } = ok(await order(tenant, id))
    await underWay(() => deliveriesOfBroadcast(service, id))
    expect((await tenant.api.delete(`/emails/broadcasts/send_actions/${action}`)).status).to.equal(204)
    open()
    await settledBroadcast(tenant, id)
    expect((await broadcastOf(tenant, id)).status).to.equal('canceled')
    expect(new Set(statusesOf(await deliveriesOfBroadcast(service, id)))).to.deep.equal(new Set(['canceled']))
    expect(begun).to.deep.equal([])
  })

  it('14 44: a lost answer of the log to a take loses no mail', async () => {
    open()
    const { engine } = service.background.core
    const transact = engine.transact
    let lost = 0
    Object.assign(engine, {
      transact: async (of: Parameters<typeof transact>[0]) => {
        const result = await transact(of)
        const isTaken = 'events' in result && result.events.some(({ type }) => type.endsWith('DeliveriesTaken'))
        if (of.aggregate === mailings && isTaken && lost++ < 2) throw refuse.unavailable('the answer is lost')
        return result
      },
    })
    const ids = await createContacts(tenant, addresses())
    const all = await settledOf(service, await begin(tenant, ids))
    expect(lost).to.be.greaterThan(1)
    expect(new Set(statusesOf(all))).to.deep.equal(new Set(['sent']))
    expect(begun).to.have.members(addresses())
  })
})
