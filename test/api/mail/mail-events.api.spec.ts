import { expect } from 'chai'
import { type DeliveryRecord, delivery, mailingIdOf } from '../../../domain/emails/public.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { complaint, deliveryReport } from '../../infra/mail-intake/mails.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { completeAddress } from '../../support/records/emails.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { reportTo } from '../../support/smtp-report.ts'
import { begin, CONTENT, createContacts, settledOf } from '../../workers/mail/mailing-tenant.ts'
import { workflowOf } from '../workflows/making.ts'
import { addTags, type Enrolling, enrolling } from '../workflows/runs/enrolled.ts'
import { draft, order, settledBroadcast } from './broadcasting.ts'

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'

const KEYS = ['sent', 'open', 'click', 'bounce', 'spam_complaint'].flatMap((name) => [
  `$email.${name}`,
  `$send_email_step.${name}`,
])

describe('public events about mails', () => {
  let service: TestService
  let tenant: Tenant
  let receiver: Receiver
  let on: Enrolling
  let people = 0

  before(async () => {
    service = await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1', MILLRACE_MAIL_PORT: '0' })
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
    receiver = await startReceiver()
    await completeAddress(tenant)
    const emails_address = { username: `shop-${tenant.workspaceId}`, name: 'Mug Shop' }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/addresses`, { emails_address }))
  })
  afterEach(async () => receiver.close())

  const live = () => service.background.stores.readModels.live
  const subscribe = async (...event_type_ids: readonly string[]) =>
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`, {
        webhooks_outgoing_endpoint: { url: receiver.url, name: 'Test', event_type_ids },
      }),
    )
  const person = async (): Promise<number> =>
    (await createContacts(tenant, [`person${++people}@returns.example`]))[0] ?? 0
  const keptMail = async (mailing: number) => {
    const [sent] = await settledOf(service, mailing)
    return { id: sent!.id, mail: (await readKept(service.background.stores, mailing, sent!.id))! }
  }
  /** Fetches a link of a mail as the browser of a person does. */
  const fetchAs = (url: string, method = 'GET') =>
    fetch(url, { method, headers: { 'user-agent': BROWSER }, redirect: 'manual' })
  const pixelOf = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1] ?? ''
  const keysReceived = () => receiver.received.map(({ json }) => json.event_type).sort()
  const HTML = '<a href="https://shop.example/a">a</a><a href="https://shop.example/b">b</a>'
  const mailed = async (contactId: number, more: object = {}) =>
    keptMail(await begin(tenant, [contactId], { content: { ...CONTENT, html_body: HTML }, ...more }))

  /** Makes a workflow that such an event starts, and that tags. */
  const startedBy = async (event_type_key: string, conditions: object, ...steps: readonly object[]) => {
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key, ...conditions })
    for (const one of steps) await workflow.step(one)
    ok(await workflow.enable())
    return workflow
  }

  it('are in the catalogue of webhooks, and of triggers', async () => {
    const types = ok(await tenant.api.get('/webhooks/outgoing/event_types')) as readonly { readonly id: string }[]
    expect(types.map(({ id }) => id)).to.include.members(KEYS)
    for (const key of KEYS) await (await workflowOf(tenant)).trigger({ event_type_key: key })
  })

  it('tell subscribers what became of each mail, and of whose it is', async () => {
    await subscribe(...KEYS)
    const contactId = await person()
    const { id, mail } = await mailed(contactId)
    const [sent] = await receiver.until(1)
    expect(sent!.json).to.deep.include({ event_type: '$email.sent', subject_id: id, subject_type: 'Emails::Delivery' })
    expect(sent!.json.data).to.deep.include({ id, contact_id: contactId, status: 'kept', emails_broadcasts_id: null })
    expect(sent!.json.data).to.not.have.any.keys('pending', 'attempts')
    expect(sent!.json.data.contact.id).to.equal(contactId)
    await on.later(1)
    await fetchAs(pixelOf(mail.html))
    await fetchAs(destinationsIn(mail.html)[0]!)
    await on.later(1)
    await receiver.until(3)
    expect(keysReceived()).to.deep.equal(['$email.click', '$email.open', '$email.sent'])
    expect(receiver.received.at(-1)!.json.data).to.deep.include({ opens: 1, clicks: 1 })
  })

  it('14 64: tell nothing of fetches by machines', async () => {
    await subscribe(...KEYS)
    const { mail } = await mailed(await person())
    await on.later(1)
    await fetchAs(destinationsIn(mail.html)[0]!, 'HEAD')
    await fetch(pixelOf(mail.html), { headers: { 'user-agent': 'curl/8.5.0' } })
    await on.later(1)
    const other = await mailed(await person())
    await receiver.until(2)
    await service.caughtUp()
    expect(keysReceived()).to.deep.equal(['$email.sent', '$email.sent'])
    expect(other.mail.html).to.contain('/m/')
  })

  it('14 71: tell of a bounce once, however often it is reported, and of a complaint', async () => {
    await subscribe(...KEYS)
    const { mail } = await mailed(await person())
    const bounce = deliveryReport(`Final-Recipient: rfc822; ${mail.to.address}\r\nAction: failed\r\nStatus: 5.1.1`)
    for (let times = 0; times < 2; times++) await reportTo(service.mailPort!, mail.returnPath, bounce)
    await receiver.until(2)
    const abused = await mailed(await person())
    await reportTo(service.mailPort!, 'abuse@shop.example', complaint('abuse', abused.mail.messageId))
    await receiver.until(4)
    await service.caughtUp()
    expect(keysReceived()).to.deep.equal(['$email.bounce', '$email.sent', '$email.sent', '$email.spam_complaint'])
  })

  it('start a workflow for each recipient of a broadcast who opens it, and for nobody else', async () => {
    await createContacts(
      tenant,
      ['a', 'b', 'c'].map((name) => `${name}@broadcast.example`),
    )
    const [id, other] = [await draft(tenant), await draft(tenant)]
    const tag = await on.make('contacts/tag')
    const opened = await startedBy('$email.open', { emails_broadcasts_id: id }, addTags(tag))
    const sent = await startedBy('$email.sent', { emails_broadcasts_id: id }, addTags(tag))
    for (const one of [id, other]) {
      ok(await order(tenant, one))
      await settledBroadcast(tenant, one)
    }
    await on.soon(async () => expect(await on.runsOf(sent)).to.have.length(3))
    await on.later(1)
    const { workspaceId } = tenant
    const all = (await live().find(delivery.name, {
      where: { status: 'kept' },
    })) as unknown as readonly (DeliveryRecord & {
      readonly workspace_id: number
    })[]
    const own = all.filter((one) => one.workspace_id === workspaceId)
    expect(own).to.have.length(6)
    const [first, second] = own.filter((one) => one.emails_broadcasts_id === id)
    const elsewhere = own.find((one) => one.emails_broadcasts_id === other)!
    for (const one of [first!, second!, elsewhere]) {
      const mail = await readKept(service.background.stores, mailingIdOf(one.id), one.id)
      await fetchAs(pixelOf(mail!.html))
    }
    await on.later(1)
    await on.soon(async () => expect(await on.runsOf(opened)).to.have.length(2))
    const runs = (await on.runsOf(opened)) as readonly unknown[] as readonly { readonly contact_id: number }[]
    expect(runs.map(({ contact_id }) => contact_id).sort()).to.deep.equal(
      [first!.contact_id, second!.contact_id].sort(),
    )
    expect(await on.runsOf(sent)).to.have.length(3)
  })

  it('start a workflow by a click in the mail of a step, narrowed by the step', async () => {
    const start = await on.make('contacts/tag')
    const mail = { send_email_step: { subject: 'Hi', html_body: HTML } }
    const sending = await on.startedBy(start, mail, { send_email_step: { subject: 'Second', html_body: HTML } })
    const [step, second] = ok(await tenant.api.get(`/workflows/${sending.id}/steps`)) as readonly {
      readonly id: number
    }[]
    const clicked = await startedBy('$send_email_step.click', { workflows_step_id: step!.id }, addTags(start))
    const clickedSecond = await startedBy('$send_email_step.click', { workflows_step_id: second!.id }, addTags(start))
    const contactId = await person()
    await on.applyTag(contactId, start)
    await on.runIn(sending, 'completed')
    let mails: readonly DeliveryRecord[] = []
    await on.soon(async () => {
      mails = (await live().find(delivery.name, {
        where: { contact_id: contactId },
      })) as unknown as readonly DeliveryRecord[]
      expect(mails.map(({ status }) => status)).to.deep.equal(['kept', 'kept'])
    })
    const first = mails.find(({ workflows_step_id }) => workflows_step_id === step!.id)!
    const kept = await readKept(service.background.stores, mailingIdOf(first.id), first.id)
    await on.later(1)
    expect((await fetchAs(destinationsIn(kept!.html)[0]!)).status).to.equal(302)
    await on.later(1)
    await on.runIn(clicked, 'completed')
    await service.caughtUp()
    expect(await on.runsOf(clickedSecond)).to.deep.equal([])
  })

  it('14 104: are cut where a mail that was sent starts the workflow that sends it', async () => {
    const start = await on.make('contacts/tag')
    const mail = { send_email_step: { subject: 'Again', html_body: HTML } }
    const looping = await startedBy('$send_email_step.sent', {}, mail)
    const first = await on.startedBy(start, mail)
    const contactId = await person()
    await on.applyTag(contactId, start)
    await on.runIn(first, 'completed')
    await on.soon(async () =>
      expect(await looping.show())
        .to.have.property('chain_cut')
        .that.is.not.equal(null),
    )
    const runs = await on.runsOf(looping)
    expect(runs.length).to.be.lessThan(11)
    await on.later(1)
    expect(await on.runsOf(looping)).to.have.length(runs.length)
  })
})
