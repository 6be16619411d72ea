import { expect } from 'chai'
import { type DeliveryRecord, delivery, mailing } from '../../../domain/emails/public.ts'
import { ok } from '../../support/client.ts'
import { communitiesOf } from '../../support/communities.ts'
import { eventually } from '../../support/eventually.ts'
import { memberOf } from '../../support/records/account.ts'
import { completeAddress, sender } from '../../support/records/emails.ts'
import { startGatedRelay } from '../../support/servers/gated-relay.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { begin, createContacts, OWED } from '../../workers/mail/mailing-tenant.ts'
import { type WorkflowUnderTest, workflowOf } from '../workflows/making.ts'

/** Runs that mail. Each has a mailing of its own, of which a workspace has eight at once. */
const CONTACTS = 24
const AT_ONCE = 5

describe('mail after a no to what it follows from', () => {
  let service: TestService
  let tenant: Tenant
  let from: number
  let relay: Awaited<ReturnType<typeof startGatedRelay>>

  beforeEach(async () => {
    relay = await startGatedRelay()
    relay.connections.shut()
    service = await startTestService({ SMTP_URL: relay.url })
    tenant = await service.tenant()
    await completeAddress(tenant)
    from = await sender.make(tenant)
  })
  afterEach(() => relay.stop())

  const deliveries = async (): Promise<readonly DeliveryRecord[]> => {
    const { live } = service.background.stores.readModels
    const mailings = await live.find(mailing.name, { where: { workspace_id: tenant.workspaceId } })
    const where = { mailing_id: { $in: mailings.map(({ id }) => Number(id)) } }
    return (await live.find(delivery.name, { where })) as unknown as readonly DeliveryRecord[]
  }
  const taken = async (count: number) =>
    eventually(async () => {
      const found = (await deliveries()).filter(({ status }) => status === 'taken')
      expect(found.length).to.be.at.least(count)
    })
  const settled = async (count: number) => {
    let found: readonly DeliveryRecord[] = []
    await eventually(async () => {
      found = (await deliveries()).filter(({ status }) => status !== 'waiting' && status !== 'taken')
      expect(found).to.have.length(count)
    })
    return found
  }

  /** Has a workflow of one step begin for contacts. */
  const running = async (step: object, contacts: readonly number[], ...more: readonly object[]) => {
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$optin' })
    for (const one of [step, ...more]) await workflow.step(one)
    ok(await workflow.enable())
    for (const contact_id of contacts) ok(await tenant.api.post(`${workflow.path}/runs`, { run: { contact_id } }))
    return workflow
  }
  const ends: Readonly<Record<string, (of: WorkflowUnderTest) => Promise<{ readonly status: number }>>> = {
    disabled: (of) => of.disable(),
    'disabled and enabled again': async (of) => {
      ok(await of.disable())
      return of.enable()
    },
    archived: ({ path }) => tenant.api.put(path, { workflow: { archived: true } }),
    deleted: ({ path }) => tenant.api.delete(path),
  }
  const mail = { send_email_step: { subject: 'Hello', html_body: '<p>Hello</p>' } }

  for (const [what, end] of Object.entries(ends))
    it(`no mail of a workflow begins after it was ${what}`, async () => {
      const addresses = Array.from({ length: CONTACTS }, (_, n) => `c${n}@d${n % 12}.example`)
      const workflow = await running(mail, await createContacts(tenant, addresses))
      await taken(AT_ONCE)
      expect((await end(workflow)).status).to.be.within(200, 204)
      relay.connections.open()
      const outcomes = (await settled(CONTACTS)).map(({ status }) => status)
      expect(new Set(outcomes)).to.deep.equal(new Set(['canceled']))
      expect(relay.begun).to.deep.equal([])
    })

  it('mails of a workflow that is kept go, while it waits and when it is over', async () => {
    const ids = await createContacts(tenant, ['over@kept.example', 'waits@kept.example'])
    await running(mail, ids.slice(0, 1))
    await running(mail, ids.slice(1), { delay_step: { delay_type: 'relative', duration: 1, interval: 'days' } })
    await taken(2)
    relay.connections.open()
    expect((await settled(2)).map(({ status }) => status)).to.deep.equal(['sent', 'sent'])
  })

  it('no mail begins from a sender that was archived: advertising is held, and what is owed comes from another', async () => {
    const [advertised = 0, owed = 0] = await createContacts(tenant, ['ad@news.example', 'owed@news.example'])
    await running(mail, [advertised])
    await begin(tenant, [owed], { class: 'owed', kind: 'order_confirmation', content: OWED, sender: undefined })
    await taken(2)
    expect((await tenant.api.delete(`/emails/addresses/${from}`)).status).to.equal(204)
    relay.connections.open()
    const { live } = service.background.stores.readModels
    await eventually(async () => {
      const found = await live.find(mailing.name, { where: { workspace_id: tenant.workspaceId } })
      const shown = found.map(({ kind, status, status_reason }) => `${kind} ${status} ${status_reason}`)
      expect(shown.sort()).to.deep.equal(['order_confirmation completed null', 'step held no_sender'])
    })
    expect(relay.begun).to.deep.equal(['owed@news.example'])
    const [sent] = await live.find(mailing.name, { where: { workspace_id: tenant.workspaceId, status: 'completed' } })
    expect(sent?.sender).to.have.property('address', 'no-reply@mail.millrace-shop.com')
  })

  /** Waits until all deliveries are settled, and expects that none has begun. */
  const withheld = async (count: number, why: string) => {
    const outcomes = (await settled(count)).map(({ status, reason }) => `${status} ${reason}`)
    expect(new Set(outcomes)).to.deep.equal(new Set([`withheld ${why}`]))
    expect(relay.begun).to.deep.equal([])
  }

  it('no owed mail of a kind begins after its workspace turned the kind off', async () => {
    const ids = await createContacts(tenant, ['first@owed.example', 'second@owed.example'])
    for (const id of ids) await begin(tenant, [id], { class: 'owed', kind: 'order_confirmation', content: OWED })
    await taken(2)
    const path = `/workspaces/${tenant.workspaceId}/emails/owed_mails`
    ok(await tenant.api.put(path, { owed_mails: { off: ['order_confirmation'] } }))
    relay.connections.open()
    await withheld(2, 'turned_off')
  })

  it('no mail welcomes a member after the community stopped to welcome by mail', async () => {
    const make = communitiesOf(tenant)
    const { id } = await make.community({ send_membership_email: true, publish_state: 'published' })
    for (const contact of await createContacts(tenant, ['welcome@member.example'])) ok(await make.join(id, contact))
    await taken(1)
    ok(await tenant.api.put(`/communities/${id}`, { community: { send_membership_email: false } }))
    relay.connections.open()
    await withheld(1, 'turned_off')
  })

  it('no mail of an invitation begins after it was withdrawn', async () => {
    const ofTeam = await tenant.withScopes(['account:write'], 'team')
    const invite = async (email: string) =>
      ok(await ofTeam.post(`/teams/${tenant.teamId}/invitations`, { invitation: { email, role_ids: ['member'] } })).id
    const withdrawn = await invite('withdrawn@invited.example')
    await eventually(async () => expect(relay.connected()).to.equal(1))
    expect((await ofTeam.delete(`/invitations/${withdrawn}`)).status).to.be.within(200, 204)
    // Those of one team go one after another.
    await invite('stays@invited.example')
    relay.connections.open()
    await eventually(async () => expect(relay.begun).to.include('stays@invited.example'))
    expect(relay.begun).to.deep.equal(['stays@invited.example'])
  })

  it('no mail to a user begins after they were removed from the team', async () => {
    const ofTeam = await tenant.withScopes(['account:write'], 'team')
    const [left, stays] = [await memberOf(tenant), await memberOf(tenant)]
    const user_ids = [left.userId, stays.userId]
    const contacts = await createContacts(tenant, ['subject@users.example'])
    await running(
      { notify_step: { message: 'Call {{ contact.first_name }}', notify_type: ['Email'], user_ids } },
      contacts,
    )
    await taken(2)
    ok(await ofTeam.delete(`/memberships/${left.id}`))
    relay.connections.open()
    const outcomes = await settled(2)
    expect(outcomes.map(({ user_id, status, reason }) => [user_id, status, reason])).to.have.deep.members([
      [left.userId, 'withheld', 'no_access'],
      [stays.userId, 'sent', null],
    ])
    expect(relay.begun).to.deep.equal([stays.email])
  })
})
