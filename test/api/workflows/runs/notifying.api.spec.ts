import { expect } from 'chai'
import { type DeliveryRecord, delivery, mailing, mailingIdOf } from '../../../../domain/emails/public.ts'
import { readKept } from '../../../../infra/mail/files.ts'
import { deliveryReport } from '../../../infra/mail-intake/mails.ts'
import { ok } from '../../../support/client.ts'
import { memberOf } from '../../../support/records/account.ts'
import { completeAddress } from '../../../support/records/emails.ts'
import { unique } from '../../../support/records/making.ts'
import { recordMakers } from '../../../support/records.ts'
import { startTestService, type Tenant, type TestService } from '../../../support/service.ts'
import { reportTo } from '../../../support/smtp-report.ts'
import { type Enrolling, enrolling } from './enrolled.ts'

describe('steps that notify users and send files', () => {
  let service: TestService
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    service = await startTestService({ MILLRACE_MAIL_PORT: '0' })
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
    await completeAddress(tenant)
    const emails_address = { username: `shop-${tenant.workspaceId}`, name: 'Mug Shop' }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/addresses`, { emails_address }))
  })

  const named = async (first_name: string): Promise<number> => {
    const email_address = `${unique('buyer').replace(' ', '')}@notified.example`
    return ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { first_name, email_address } }),
    ).id
  }
  const ownerId = async (): Promise<number> => {
    const [owner] = ok(await tenant.api.get(`/teams/${tenant.teamId}/memberships`))
    return owner.user_id
  }
  const notifying = async (...notify_type: string[]) => ({
    notify_step: { message: 'Call {{ contact.first_name }}', notify_type, user_ids: [await ownerId()] },
  })
  /** Takes a contact through a workflow of one step. @returns the trace of it */
  const passedBy = async (contact: number, step: object) => {
    const start = await on.make('contacts/tag')
    const workflow = await on.startedBy(start, step)
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'completed')
    return { run, passed: (await on.trace(run)).steps[0] }
  }
  const live = () => service.background.stores.readModels.live
  const deliveriesOf = async (run: number) => {
    const all = await live().find(mailing.name, { where: { workspace_id: tenant.workspaceId } })
    const ids = all.filter(({ cause }) => String(cause).startsWith(`run-${run}-`)).map(({ id }) => Number(id))
    const found = await live().find(delivery.name, { where: { mailing_id: { $in: ids } } })
    return found as unknown as readonly DeliveryRecord[]
  }
  /** Returns the only mail of a run, once it was kept. */
  const keptOf = async (run: number) => {
    let kept: Awaited<ReturnType<typeof readKept>>
    let id = 0
    await on.soon(async () => {
      const [one, ...others] = await deliveriesOf(run)
      expect(others).to.deep.equal([])
      expect(one?.status).to.equal('kept')
      id = one!.id
      kept = await readKept(service.background.stores, mailingIdOf(id), id)
    })
    return { id, mail: kept! }
  }

  it('mail users what is written, escaped, with nothing to unsubscribe from', async () => {
    const { run, passed } = await passedBy(await named('Ada <b>'), await notifying('Email'))
    expect(passed).to.include({ step_type: 'notify_step', outcome: 'done' })
    const { mail } = await keptOf(run)
    expect(mail.to.address).to.match(/^tenant-.*@example\.com$/)
    expect(mail.text).to.equal('Call Ada <b>\n')
    expect(mail.html).to.contain('Call Ada &lt;b&gt;')
    expect(mail.html + mail.text).to.not.match(/unsubscribe/i)
    expect(mail.headers).to.not.have.property('List-Unsubscribe')
  })

  it('16 26: tell nobody who is no member of the team any more', async () => {
    const ofTeam = await tenant.withScopes(['account:write'], 'team')
    const [left, stays] = [await memberOf(tenant), await memberOf(tenant)]
    const tag = await on.make('contacts/tag')
    const user_ids = [left.userId, stays.userId]
    const step = { notify_step: { message: 'Call', notify_type: ['Email', 'Notification'], user_ids } }
    const workflow = await on.startedBy(tag, step)
    ok(await ofTeam.delete(`/memberships/${left.id}`))
    const contact = await named('Eve')
    await on.applyTag(contact, tag)
    const run = await on.runIn(workflow, 'completed')
    expect((await deliveriesOf(run)).map(({ user_id }) => user_id)).to.deep.equal([stays.userId])
    const told = await live().find('workflows/notification', { where: { workspace_id: tenant.workspaceId } })
    expect(told.filter((one) => one.contact_id === contact).map((one) => one.user_id)).to.deep.equal([stays.userId])
  })

  it('14 75: a bounce of a mail to a user, and a complaint about it, change no contact', async () => {
    const contact = await named('Bob')
    const { run } = await passedBy(contact, await notifying('Email'))
    const { id, mail } = await keptOf(run)
    const before = ok(await tenant.api.get(`/contacts/${contact}`))
    const failed = 'Final-Recipient: rfc822; owner@example.com\r\nAction: failed\r\nStatus: 5.1.1'
    await reportTo(service.mailPort!, mail.returnPath, deliveryReport(failed))
    await on.soon(async () => expect((await live().get(delivery.name, id))?.status).to.equal('bounced'))
    await service.caughtUp()
    expect(ok(await tenant.api.get(`/contacts/${contact}`))).to.deep.equal(before)
  })

  it('list notifications for users, whose text goes with the contact', async () => {
    const contact = await named('Cleo')
    const { passed } = await passedBy(contact, await notifying('Notification'))
    expect(passed).to.include({ outcome: 'done' })
    const path = `/workspaces/${tenant.workspaceId}/workflows/notifications`
    const [told, ...others] = ok(await tenant.api.get(`${path}?filter[user_id]=${await ownerId()}`))
    expect(others).to.deep.equal([])
    expect(told).to.include({ message: 'Call Cleo', contact_id: contact, user_id: await ownerId() })
    await tenant.api.delete(`/contacts/${contact}/gdpr_destroy`)
    await on.soon(async () =>
      expect(ok(await tenant.api.get(`/workflows/notifications/${told.id}`)).message).to.equal(null),
    )
  })

  it('refuse a message that is no Liquid', async () => {
    const { workspaceId, api } = tenant
    const { id } = ok(await api.post(`/workspaces/${workspaceId}/workflows`, { workflow: { name: unique('Flow') } }))
    const workflows_step = { step_type_settings: { notify_step: { message: '{% if %}' } } }
    const { status, body } = await api.post(`/workflows/${id}/steps`, { workflows_step })
    expect(status).to.equal(422)
    expect(body.details[0].field).to.equal('step_type_settings.notify_step.message')
  })

  it('send a file as a link that works for a day, as marketing', async () => {
    const asset_id = await recordMakers.asset!.make(tenant)
    const contact = await named('Dan')
    const { run, passed } = await passedBy(contact, { send_asset_step: { asset_id } })
    expect(passed).to.include({ step_type: 'send_asset_step', outcome: 'done' })
    const { mail } = await keptOf(run)
    expect(mail.headers).to.have.property('List-Unsubscribe')
    expect(mail.html).to.contain('Unsubscribe').and.contain('1 High Street')
    const [, link = ''] = /<a href="([^"]*\/m\/[^"]*)"/.exec(mail.html) ?? []
    const led = await fetch(service.publicUrl + new URL(link).pathname, { redirect: 'manual' })
    const file = new URL(led.headers.get('location') ?? '')
    expect(file.searchParams.get('expires')).to.match(/^\d+$/)
    expect((await fetch(service.publicUrl + file.pathname + file.search)).status).to.equal(200)
    file.searchParams.set('expires', '1')
    expect((await fetch(service.publicUrl + file.pathname + file.search)).status).to.equal(403)
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/unsubscribe_actions`, {
        contacts_unsubscribe_action: { target_ids: [contact] },
      }),
    )
    await on.soon(async () =>
      expect(ok(await tenant.api.get(`/contacts/${contact}`)).unsubscribed_at).to.be.a('string'),
    )
    const { passed: later } = await passedBy(contact, { send_asset_step: { asset_id } })
    expect(later).to.include({ outcome: 'skipped', reason: 'the contact has unsubscribed' })
  })
})
