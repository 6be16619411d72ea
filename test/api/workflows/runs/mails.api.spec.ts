import { expect } from 'chai'
import { type DeliveryRecord, delivery, mailing, mailingIdOf } from '../../../../domain/emails/public.ts'
import { readKept } from '../../../../infra/mail/files.ts'
import { ok } from '../../../support/client.ts'
import { completeAddress } from '../../../support/records/emails.ts'
import { unique } from '../../../support/records/making.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'
import { WAIT } from '../making.ts'
import { type Enrolling, enrolling } from './enrolled.ts'

describe('e-mails of steps', () => {
  let service: TestService
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
    await completeAddress(tenant)
    const emails_address = { username: `shop-${tenant.workspaceId}`, name: 'Mug Shop' }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/addresses`, { emails_address }))
  })

  const mail = (subject: string, html_body = '<p>Hello {{ contact.first_name }}</p>') => ({
    send_email_step: { subject, html_body },
  })
  const named = async (first_name: string, { api, workspaceId } = tenant): Promise<number> =>
    ok(
      await api.post(`/workspaces/${workspaceId}/contacts`, {
        contact: { first_name, email_address: `${unique('reader').replace(' ', '')}@steps.example` },
      }),
    ).id
  const live = () => service.background.stores.readModels.live
  /** Mails to a contact that were kept, the oldest first. */
  const mailsTo = async (contact_id: number) => {
    const found = (await live().find(delivery.name, { where: { contact_id } })) as unknown as readonly DeliveryRecord[]
    const kept = found.filter(({ status }) => status === 'kept')
    return Promise.all(kept.map(({ id }) => readKept(service.background.stores, mailingIdOf(id), id)))
  }

  it('are sent once, from the sender of the workspace, with its business address', async () => {
    const start = await on.make('contacts/tag')
    const workflow = await on.startedBy(start, mail('For {{ contact.first_name }}'))
    const contact = await named('Ada')
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'completed')
    expect(await on.passed(run)).to.deep.equal([['send_email_step', 'done']])
    await on.soon(async () => expect(await mailsTo(contact)).to.have.length(1))
    const [sent] = await mailsTo(contact)
    expect(sent).to.deep.include({ subject: 'For Ada' })
    expect(sent!.from).to.deep.include({ name: 'Mug Shop' })
    expect(sent!.html).to.contain('Hello Ada').and.contain('1 High Street').and.contain('Unsubscribe')
    expect(sent!.headers).to.have.property('List-Unsubscribe')
    const cause = `run-${run}-step-`
    const all = await live().find(mailing.name, { where: { workspace_id: tenant.workspaceId } })
    expect(all.filter((one) => String(one.cause).startsWith(cause))).to.have.length(1)
  })

  it('are answered at the address of the settings, unless they name another', async () => {
    const addresses = `/workspaces/${tenant.workspaceId}/emails/addresses`
    const add = async (username: string) =>
      ok(
        await tenant.api.post(addresses, {
          emails_address: { username: unique(username).replace(' ', '-'), name: 'Help' },
        }),
      )
    const [usual, other] = [await add('help'), await add('other')]
    const settings = (id: number | null) =>
      tenant.api.put(`/workspaces/${tenant.workspaceId}/emails/settings`, {
        marketing_setting: { marketing_emails_reply_to_address_id: id },
      })
    ok(await settings(usual.id))
    const start = await on.make('contacts/tag')
    const another = { send_email_step: { ...mail('Second').send_email_step, reply_to_address_id: other.id } }
    const workflow = await on.startedBy(start, mail('First'), another)
    const contact = await named('Cleo')
    await on.applyTag(contact, start)
    await on.runIn(workflow, 'completed')
    await on.soon(async () => expect(await mailsTo(contact)).to.have.length(2))
    const sent = await mailsTo(contact)
    expect(Object.fromEntries(sent.map((one) => [one!.subject, one!.replyTo?.address]))).to.deep.equal({
      First: usual.email_address,
      Second: other.email_address,
    })
    ok(await settings(null))
  })

  it('14 3: are passed with the reason when the contact has unsubscribed meanwhile; the run goes on', async () => {
    const [start, added] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const tags = { contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [added] } }
    const workflow = await on.startedBy(start, WAIT, mail('Later'), tags)
    const contact = await named('Bob')
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'paused')
    const action = { contacts_unsubscribe_action: { target_ids: [contact] } }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/unsubscribe_actions`, action))
    await on.soon(async () =>
      expect(ok(await tenant.api.get(`/contacts/${contact}`)).unsubscribed_at).to.be.a('string'),
    )
    await on.later(2)
    await on.runIn(workflow, 'completed')
    const { steps } = await on.trace(run)
    expect(steps.map(({ outcome, reason }: { outcome: string; reason: string }) => [outcome, reason])).to.deep.equal([
      ['done', null],
      ['skipped', 'the contact has unsubscribed'],
      ['done', null],
    ])
    expect(await on.tagsOf(contact)).to.include(added)
    expect(await mailsTo(contact)).to.deep.equal([])
  })

  it('14 101: have the text that was published with the version on which the run is', async () => {
    const start = await on.make('contacts/tag')
    const workflow = await on.startedBy(start, WAIT, mail('News', '<p>First text</p>'))
    const [early, late] = [await named('Cleo'), await named('Dan')]
    await on.applyTag(early, start)
    await on.runIn(workflow, 'paused')
    const steps = ok(await tenant.api.get(`/workflows/${workflow.id}/steps`)) as readonly {
      readonly id: number
      readonly step_type: string
    }[]
    const { id } = steps.find(({ step_type }) => step_type === 'send_email_step')!
    ok(await workflow.change(id, { step_type_settings: { send_email_step: { html_body: '<p>Second text</p>' } } }))
    ok(await workflow.enable())
    await on.applyTag(late, start)
    await on.soon(async () => expect(await on.runsOf(workflow)).to.have.length(2))
    await on.later(2)
    await on.soon(async () => expect(await mailsTo(late)).to.have.length(1))
    expect((await mailsTo(early))[0]!.html).to.contain('First text')
    expect((await mailsTo(late))[0]!.html).to.contain('Second text')
  })

  it('fail where no sender is usable, and the run goes on', async () => {
    const other = await service.tenant({ test: true })
    await completeAddress(other)
    const there = enrolling(other)
    const start = await there.make('contacts/tag')
    const workflow = await there.startedBy(start, mail('Hi'))
    await there.applyTag(await named('Eve', other), start)
    const { steps } = await there.trace(await there.runIn(workflow, 'completed'))
    expect(steps[0]).to.deep.include({ outcome: 'failed', reason: 'no sender is usable' })
  })
})
