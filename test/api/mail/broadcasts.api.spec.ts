import { expect } from 'chai'
import { contacts } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { keyOfWorkspace } from '../../../domain/kernel/model/personal.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { broadcastFields, completeAddress, scheduled } from '../../support/records/emails.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { createContacts } from '../../workers/mail/mailing-tenant.ts'
import { broadcastOf, deliveriesOfBroadcast, draft, order, settledBroadcast } from './broadcasting.ts'

describe('broadcasts over REST', () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  const post = async (tenant: Tenant, more: object) =>
    tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/broadcasts`, {
      emails_broadcast: { ...(await broadcastFields(tenant)), ...more },
    })

  describe('as drafts', () => {
    it('begin as drafts with a copy of the filter, and a reference to the template', async () => {
      const tenant = await service.tenant()
      const fields = await broadcastFields(tenant)
      const { body, status } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/broadcasts`, {
        emails_broadcast: fields,
      })
      expect(status).to.equal(201)
      expect(body).to.include({ status: 'draft', from_email: fields.from_email, sending_at: null, complete_at: null })
      expect(body.template.id).to.equal(fields.template_id)
      const copy = ok(await tenant.api.get(`/refine_filters/${body.filter_id}`))
      expect(copy).to.deep.include({ name: null, criteria: [{ attribute: 'first_name', clause: 'eq', value: 'Ann' }] })
    })

    it('copies a stored filter, which may then be removed', async () => {
      const tenant = await service.tenant()
      const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Bea' }]
      const stored = ok(
        await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, {
          refine_filter: { name: 'Beas', criteria },
        }),
      )
      const body = ok(await post(tenant, { filter_id: stored.public_id }))
      expect(body.filter_id).not.to.equal(stored.id)
      expect((await tenant.api.delete(`/refine_filters/${stored.id}`)).status).to.equal(204)
      expect(ok(await tenant.api.get(`/refine_filters/${body.filter_id}`)).criteria).to.deep.equal(criteria)
    })

    it('seal the conditions of a changed filter under the key of their workspace', async () => {
      const tenant = await service.tenant()
      const { id } = ok(await post(tenant, {}))
      const sent = { text: 'first name is Cleo' }
      const filter = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/filters`, sent))
      const filter_id = String(filter.stable_id)
      const changed = ok(await tenant.api.put(`/emails/broadcasts/${id}`, { emails_broadcast: { filter_id } }))
      const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Cleo' }]
      expect(ok(await tenant.api.get(`/refine_filters/${changed.filter_id}`)).criteria).to.deep.equal(criteria)
      const document = await service.background.stores.readModels.live.get('refine_filter', Number(changed.filter_id))
      expect(document).to.have.nested.property('criteria[0].sealed.of', keyOfWorkspace(tenant.workspaceId))
    })

    it('make a template of their own from bodies without template_id, which wins over them', async () => {
      const tenant = await service.tenant()
      const html_body = '<p>Own</p>'
      const own = ok(await post(tenant, { template_id: null, html_body }))
      const { body } = await tenant.api.get(`/emails/templates/${own.template.id}?expand[]=html_body`)
      expect(body.html_body).to.equal(html_body)
      const template_id = await recordMakers['emails/template']!.make(tenant)
      expect(ok(await post(tenant, { template_id, html_body })).template.id).to.equal(template_id)
      const changed = { emails_broadcast: { html_body: '<p>Anew</p>' } }
      const again = ok(await tenant.api.put(`/emails/broadcasts/${own.id}`, changed))
      expect(again.template.id).not.to.equal(own.template.id)
    })

    it('are refused without a complete address, and with what the workspace does not have', async () => {
      const bare = await service.tenant()
      const refused = await bare.api.post(`/workspaces/${bare.workspaceId}/emails/broadcasts`, {
        emails_broadcast: { name: 'N', from_email: 'a@b.example' },
      })
      expect(refused.status).to.equal(422)
      expect(refused.body.error).to.contain('A complete business mailing address is required')
      const tenant = await service.tenant()
      const other = await recordMakers['emails/topic']!.make(await service.tenant())
      const wrong = {
        from_email: 'nobody@elsewhere.example',
        reply_to_email: 'nobody@elsewhere.example',
        template_id: 999_999_999,
        filter_id: 999_999_999,
        topic_ids: [other],
        subject: '{% if a %}',
        preheadline: 'x'.repeat(151),
      }
      for (const [field, value] of Object.entries({ ...wrong, name: '' })) {
        const { status, body } = await post(tenant, { [field]: value })
        expect([status, body.details?.[0]?.field], field).to.deep.equal([422, `emails_broadcast.${field}`])
      }
      expect((await post(tenant, { filter_id: 'no token' })).body.details[0].field).to.equal(
        'emails_broadcast.filter_id',
      )
    })

    it('are changed and deleted only as drafts', async () => {
      const tenant = await service.tenant()
      const { id } = await scheduled(tenant)
      const changed = await tenant.api.put(`/emails/broadcasts/${id}`, { emails_broadcast: { name: 'B' } })
      expect(changed.status).to.equal(409)
      expect((await tenant.api.delete(`/emails/broadcasts/${id}`)).status).to.equal(409)
    })
  })

  describe('with orders to send', () => {
    it('are refused with everything that is missing, joined by semicolons', async () => {
      const tenant = await service.tenant()
      const id = await draft(tenant, { topic_ids: [], filter_id: null, template_id: null })
      const { status, body } = await order(tenant, id, { send_at: 'soon' })
      expect(status).to.equal(422)
      expect(body.error).to.match(
        /is not sendable\.; Topic ids can't be blank; Filter can't be blank; Template can't be blank; send_at is not a valid datetime/,
      )
      expect((await broadcastOf(tenant, id)).status).to.equal('draft')
    })

    it('14 29: two orders at once: one 201, one 422; one message a contact', async () => {
      const tenant = await service.tenant()
      await createContacts(tenant, ['a29@one.example'])
      const id = await draft(tenant)
      const answers = await Promise.all([order(tenant, id), order(tenant, id)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 422])
      await settledBroadcast(tenant, id)
      expect(await deliveriesOfBroadcast(service, id)).to.have.length(1)
    })

    it('14 35: a time more than a few minutes in the past is 422', async () => {
      const tenant = await service.tenant()
      const id = await draft(tenant)
      const { status, body } = await order(tenant, id, { send_at: '2020-01-01T10:00:00Z' })
      expect([status, /send_at is in the past/.test(body.error)]).to.deep.equal([422, true])
    })

    it('14 36: 02:30 on 28 March 2027 in Berlin is sent at 03:30, 02:30 on 31 October once, at the first', async () => {
      const tenant = await service.tenant()
      ok(await tenant.api.put(`/workspaces/${tenant.workspaceId}`, { workspace: { time_zone: 'Berlin' } }))
      for (const [send_at, instant] of [
        ['2027-03-28T02:30:00Z', '2027-03-28T01:30:00.000Z'],
        ['2027-10-31T02:30:00-05:00', '2027-10-31T00:30:00.000Z'],
      ])
        expect(ok(await order(tenant, await draft(tenant), { send_at })).scheduled_for).to.equal(instant)
    })

    it('goes back to a draft when a scheduled order is deleted', async () => {
      const tenant = await service.tenant()
      const { id, action } = await scheduled(tenant)
      expect((await broadcastOf(tenant, id)).status).to.equal('scheduled')
      expect((await tenant.api.delete(`/emails/broadcasts/send_actions/${action}`)).status).to.equal(204)
      expect((await broadcastOf(tenant, id)).status).to.equal('draft')
      expect((await tenant.api.get(`/emails/broadcasts/send_actions/${action}`)).status).to.equal(404)
    })

    it('sends or schedules a new broadcast that says so itself', async () => {
      const tenant = await service.tenant()
      await createContacts(tenant, ['now@one.example'])
      const { id } = ok(await post(tenant, { send_immediately: true }))
      expect((await settledBroadcast(tenant, id)).status).to.equal('complete')
      const later = { send_immediately: false, send_at: '2031-07-01', time_zone: 'Berlin' }
      const { id: scheduledId, status } = ok(await post(tenant, later))
      expect(status).to.equal('scheduled')
      const [action] = ok(await tenant.api.get(`/emails/broadcasts/${scheduledId}/send_actions`))
      expect(action.scheduled_for).to.equal('2031-07-01T16:00:00.000Z')
      const wrong = await post(tenant, { send_immediately: true, topic_ids: [] })
      expect([wrong.status, /Topic ids can't be blank/.test(wrong.body.error)]).to.deep.equal([422, true])
    })
  })

  describe('when they are sent', () => {
    it('14 24: complete means that the outcomes add up to target_count, each kind with its own count', async () => {
      const tenant = await service.tenant()
      const ids = await createContacts(tenant, ['a@sum.example', 'b@sum.example', 'c@sum.example'])
      await tenant.carryOut!(ask(contacts, ids[1]!, 'unsubscribe', {}))
      await createContacts(tenant, ['d@sum.example'], { first_name: 'Bob' })
      const id = await draft(tenant)
      const { id: action, ...fresh } = ok(await order(tenant, id))
      expect(fresh).to.include({ send_type: 'default', performed_count: 0, completed_at: null, broadcast_id: id })
      const done = await settledBroadcast(tenant, id)
      expect(done.status).to.equal('complete')
      const after = ok(await tenant.api.get(`/emails/broadcasts/send_actions/${action}`))
      expect(after).to.include({ target_count: 3, performed_count: 3 })
      expect(after.completed_at).to.equal(done.complete_at)
      const statuses = (await deliveriesOfBroadcast(service, id)).map(({ status }) => status)
      expect(statuses.sort()).to.deep.equal(['kept', 'kept', 'unsubscribed'])
      const stats = ok(await tenant.api.get(`/emails/broadcasts/${id}/stats`))
      expect(stats.progress).to.deep.equal({ total: 3, queued: 0, processing: 0, sent: 2, failed: 1 })
      expect(stats.outcomes).to.include({ kept: 2, unsubscribed: 1, sent: 0, in_doubt: 0 })
    })

    it('14 32: one address three times makes one contact and one message; known contacts are found by theirs', async () => {
      const tenant = await service.tenant()
      const [known = 0] = await createContacts(tenant, ['Known@people.example'])
      const recipients = [
        { email: 'new@people.example', first_name: 'Nia' },
        { email: ' NEW@people.example ', first_name: 'Other' },
        { email: 'new@PEOPLE.example' },
        { email: 'known@people.example', last_name: 'Ignored' },
      ]
      const { id, filter_id } = ok(await post(tenant, { recipients, send_immediately: true }))
      expect(filter_id).to.equal(null)
      await settledBroadcast(tenant, id)
      const all = await deliveriesOfBroadcast(service, id)
      expect(all.map(({ status }) => status)).to.deep.equal(['kept', 'kept'])
      expect(all.map(({ contact_id }) => contact_id)).to.include(known)
      const found = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts`))
      expect(found.map((one: { first_name: string }) => one.first_name).sort()).to.deep.equal(['Ann', 'Nia'])
    })

    it('14 32: an invalid recipient is 422 with its index, and nothing is made', async () => {
      const tenant = await service.tenant()
      const recipients = [{ email: 'fine@people.example' }, { email: 'a@x.example,b@y.example' }]
      const { status, body } = await post(tenant, { recipients })
      expect(status).to.equal(422)
      expect(body.error).to.match(/Recipients at position 1 is invalid: Email is invalid/)
      const nobody = await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts`)
      expect(ok(nobody)).to.deep.equal([])
      const unknown = { recipients: [{ email: 'fine@people.example' }], from_email: 'nobody@elsewhere.example' }
      expect((await post(tenant, unknown)).status).to.equal(422)
      expect(ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts`))).to.deep.equal([])
    })

    it('14 10: hundreds of unsubscribed contacts at the head of the audience do not end it: those behind them get it', async () => {
      const tenant = await service.tenant()
      const at = `/workspaces/${tenant.workspaceId}/contacts`
      const HEAD = 520
      const recipients = Array.from({ length: HEAD }, (_, n) => ({ email: `h${n}@head.example`, first_name: 'Ann' }))
      ok(await post(tenant, { recipients }))
      const action = ok(
        await tenant.api.post(`${at}/unsubscribe_actions`, { contacts_unsubscribe_action: { target_all: true } }),
      )
      await eventually(async () => {
        const { completed_at } = ok(await tenant.api.get(`/contacts/unsubscribe_actions/${action.id}`))
        expect(completed_at).to.be.a('string')
      })
      const [last = 0] = await createContacts(tenant, ['last@head.example'])
      const id = await draft(tenant)
      ok(await order(tenant, id))
      expect((await settledBroadcast(tenant, id)).status).to.equal('complete')
      const { outcomes } = ok(await tenant.api.get(`/emails/broadcasts/${id}/stats`))
      expect(outcomes).to.include({ unsubscribed: HEAD, kept: 1 })
      const all = await deliveriesOfBroadcast(service, id)
      expect(all.at(-1)).to.include({ contact_id: last, status: 'kept' })
      expect(new Set(all.map(({ mailing_id }) => mailing_id)).size).to.equal(2)
    })

    it('14 33: nobody in the audience: complete at once with 0 of 0', async () => {
      const tenant = await service.tenant()
      const id = await draft(tenant)
      const { id: action } = ok(await order(tenant, id))
      expect((await settledBroadcast(tenant, id)).status).to.equal('complete')
      const after = ok(await tenant.api.get(`/emails/broadcasts/send_actions/${action}`))
      expect(after).to.include({ target_count: 0, performed_count: 0 })
    })
  })

  it('14 28: conditions are checked again when a schedule falls due: unhealthy with the reason, nothing sent', async () => {
    const tenant = await service.tenant({ test: true })
    await createContacts(tenant, ['due@check.example'])
    const id = await draft(tenant)
    const fields = await broadcastOf(tenant, id)
    ok(await order(tenant, id, { send_at: await inHours(tenant, 48) }))
    expect((await tenant.api.delete(`/emails/topics/${fields.topic_ids[0]}`)).status).to.equal(204)
    await pass(tenant, 49)
    await eventually(async () => expect((await broadcastOf(tenant, id)).status).to.equal('unhealthy'))
    expect((await broadcastOf(tenant, id)).status_reason).to.contain('archived topics')
    expect(await deliveriesOfBroadcast(service, id)).to.have.length(0)
    expect((await tenant.api.post(`/emails/broadcasts/${id}/resume`, undefined)).status).to.equal(422)
  })

  it('is sent at a word where it was paused when it was due', async () => {
    const tenant = await service.tenant({ test: true })
    await createContacts(tenant, ['late@time.example'])
    const id = await draft(tenant)
    ok(await order(tenant, id, { send_at: await inHours(tenant, 48) }))
    ok(await tenant.api.post(`/emails/broadcasts/${id}/pause`, undefined))
    await pass(tenant, 49)
    expect(await broadcastOf(tenant, id)).to.include({ status: 'paused', status_reason: 'Somebody paused it' })
    expect(ok(await tenant.api.post(`/emails/broadcasts/${id}/resume`, undefined)).status).to.equal('sending')
    expect((await settledBroadcast(tenant, id)).status).to.equal('complete')
  })

  it('is sent when its schedule falls due', async () => {
    const tenant = await service.tenant({ test: true })
    await createContacts(tenant, ['due@time.example'])
    await completeAddress(tenant)
    const id = await draft(tenant)
    ok(await order(tenant, id, { send_at: await inHours(tenant, 48) }))
    await pass(tenant, 47)
    expect((await broadcastOf(tenant, id)).status).to.equal('scheduled')
    await pass(tenant, 2)
    expect((await settledBroadcast(tenant, id)).status).to.equal('complete')
    expect(await deliveriesOfBroadcast(service, id)).to.have.length(1)
  })

  const clockOf = ({ workspaceId }: Tenant) => `/workspaces/${workspaceId}/test_clock`

  const inHours = async (tenant: Tenant, hours: number) => {
    const { now } = ok(await tenant.api.get(clockOf(tenant)))
    return new Date(Date.parse(now) + hours * 60 * 60_000).toISOString()
  }

  const pass = async (tenant: Tenant, hours: number) => {
    ok(await tenant.api.post(clockOf(tenant), { to: await inHours(tenant, hours) }))
    await eventually(async () => expect(ok(await tenant.api.get(clockOf(tenant))).state).not.to.equal('advancing'))
  }
})
