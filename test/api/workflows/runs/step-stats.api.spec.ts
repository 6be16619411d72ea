import { expect } from 'chai'
import { type DeliveryRecord, delivery, mailingIdOf } from '../../../../domain/emails/public.ts'
import { readKept } from '../../../../infra/mail/files.ts'
import { ok } from '../../../support/client.ts'
import { destinationsIn } from '../../../support/destinations.ts'
import { completeAddress } from '../../../support/records/emails.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'
import { createContacts } from '../../../workers/mail/mailing-tenant.ts'
import { WAIT, type WorkflowUnderTest, workflowOf } from '../making.ts'
import { addTags, type Enrolling, enrolling } from './enrolled.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
const MAIL = { send_email_step: { subject: 'Hi', html_body: '<a href="https://shop.example/a">a</a>' } }

describe('statistics of steps of workflows', () => {
  let service: TestService
  let tenant: Tenant
  let on: Enrolling
  let start: number
  let people = 0

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
    await completeAddress(tenant)
    const emails_address = { username: `shop-${tenant.workspaceId}`, name: 'Mug Shop' }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/addresses`, { emails_address }))
  })
  beforeEach(async () => {
    start = await on.make('contacts/tag')
  })

  const statsOf = async (id: number, query = '') => ok(await tenant.api.get(`/workflows/steps/${id}/stats${query}`))
  const stepsOf = async ({ id }: Pick<WorkflowUnderTest, 'id'>) =>
    ok(await tenant.api.get(`/workflows/${id}/steps`)) as readonly { readonly id: number; readonly step_type: string }[]
  const contacts = (count: number) =>
    createContacts(
      tenant,
      Array.from({ length: count }, () => `stats${++people}@steps.example`),
    )
  const enter = async (ids: readonly number[]) => {
    for (const id of ids) await on.applyTag(id, start)
  }
  const contactsAt = async (id: number) => (await statsOf(id)).contacts
  const becomes = (id: number, are_here: number, were_here: number) =>
    on.soon(async () => expect(await contactsAt(id)).to.deep.equal({ are_here, were_here }))

  it('14 105: are_here falls when runs go on, are canceled or end with their contact; were_here counts each pass once', async () => {
    const workflow = await on.startedBy(start, WAIT, addTags(await on.make('contacts/tag')))
    const [wait, tag] = await stepsOf(workflow)
    const [first, , third] = await contacts(3).then(async (ids) => {
      await enter(ids)
      return ids
    })
    await becomes(wait!.id, 3, 0)
    expect(await contactsAt(tag!.id)).to.deep.equal({ are_here: 0, were_here: 0 })
    ok(await tenant.api.delete(`/contacts/${third}/gdpr_destroy`))
    await becomes(wait!.id, 2, 0)
    await on.later(2)
    await becomes(wait!.id, 0, 2)
    expect(await contactsAt(tag!.id)).to.deep.equal({ are_here: 0, were_here: 2 })
    const again = await on.enrol(workflow, { contact_id: first })
    expect(again.status).to.equal(201)
    await becomes(wait!.id, 1, 2)
    ok(await workflow.disable())
    await becomes(wait!.id, 0, 2)
    const { step, workflow: shown, email, currency } = await statsOf(wait!.id)
    expect([step.id, step.step_type, shown.id, email, currency]).to.deep.equal([
      ...[wait!.id, 'delay_step', workflow.id, null],
      'USD',
    ])
  })

  it('14 105: are_here falls where a run moves to another workflow, and where its workflow is deleted', async () => {
    const target = await workflowOf(tenant)
    await target.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: await on.make('contacts/tag') })
    const there = await target.step(WAIT)
    ok(await target.enable())
    const moving = await on.startedBy(start, WAIT, { move_step: { workflow_id: target.id } })
    const [wait, move] = await stepsOf(moving)
    await enter(await contacts(1))
    await becomes(wait!.id, 1, 0)
    await on.later(1.01)
    await becomes(move!.id, 0, 1)
    await becomes(there.id, 1, 0)
    await becomes(wait!.id, 0, 1)
    expect((await tenant.api.delete(`/workflows/${target.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/workflows/steps/${there.id}/stats`)).status).to.equal(404)
    await on.soon(async () => {
      const left = await service.background.stores.readModels.live.count('workflows/run', { current_step_id: there.id })
      expect(left).to.equal(0)
    })
  })

  it('count passes and mails in a range, by the time of each; contacts once however often they got the mail', async () => {
    const workflow = await on.startedBy(start, MAIL)
    const [mail] = await stepsOf(workflow)
    const [first, second] = await contacts(2)
    await enter([first!, second!])
    await becomes(mail!.id, 0, 2)
    const { live } = service.background.stores.readModels
    const mailsTo = async (contact_id: number) =>
      (await live.find(delivery.name, { where: { contact_id } })) as unknown as readonly DeliveryRecord[]
    await on.soon(async () => expect((await mailsTo(second!)).map(({ status }) => status)).to.deep.equal(['kept']))
    await on.later(40)
    ok(await on.enrol(workflow, { contact_id: first }))
    await on.soon(async () =>
      expect((await mailsTo(first!)).map(({ status }) => status)).to.deep.equal(['kept', 'kept']),
    )
    await on.later(1)
    const [opened] = await mailsTo(second!)
    const kept = await readKept(service.background.stores, mailingIdOf(opened!.id), opened!.id)
    await fetch(destinationsIn(kept!.html)[0]!, { headers: { 'user-agent': BROWSER }, redirect: 'manual' })
    await on.later(1)
    const lately = await statsOf(mail!.id)
    expect(lately.contacts).to.deep.equal({ are_here: 0, were_here: 1 })
    expect(lately.email.performance).to.deep.equal({
      ...{ sends: 1, recipients: 1, failed: 0, bounced: 0, opened: 1, unique_opens: 1, clicked: 1, unique_clicks: 1 },
      ...{ unsubscribed: 0, spam_complaints: 0, machine_fetches: 0 },
      ...{ open_rate: 100, click_rate: 100, click_to_open_rate: 100, bounce_rate: 0, unsubscribe_rate: 0 },
    })
    expect(lately.email.revenue).to.deep.equal({
      ...{ total: '0.00', orders_count: 0, per_recipient: '0.00', per_unique_open: '0.00', per_unique_click: '0.00' },
    })
    const since = new Date(Date.parse(lately.timerange.to) - 60 * DAY_MS).toISOString()
    const all = await statsOf(mail!.id, `?timerange_start=${since}`)
    expect(all.contacts.were_here).to.equal(3)
    expect(all.email.performance).to.include({ sends: 3, recipients: 2, open_rate: 50 })
    expect(Date.parse(all.timerange.to) - Date.parse(all.timerange.from)).to.be.within(
      60 * DAY_MS - 60_000,
      60 * DAY_MS + 60_000,
    )
  })

  it('refuse a range that is none, and cut one that is too long', async () => {
    const workflow = await on.startedBy(start, WAIT)
    const [wait] = await stepsOf(workflow)
    const bad = await tenant.api.get(`/workflows/steps/${wait!.id}/stats?timerange_start=yesterday`)
    expect([bad.status, bad.body.details[0].field]).to.deep.equal([400, 'timerange_start'])
    const { timerange } = await statsOf(wait!.id, '?timerange_start=2020-01-01T00:00:00Z')
    expect(Date.parse(timerange.to) - Date.parse(timerange.from)).to.be.at.most(90 * DAY_MS)
  })
})
