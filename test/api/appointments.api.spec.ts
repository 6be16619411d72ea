import { expect } from 'chai'
import { recordMakers } from '../support/records.ts'
import { type Tenant, testService } from '../support/service.ts'

describe('appointments over REST', () => {
  let tenant: Tenant
  let path: string
  let contact: number
  before(async () => {
    tenant = await (await testService()).tenant()
    path = `/workspaces/${tenant.workspaceId}/appointments/scheduled_events`
    contact = await recordMakers.contact!.make(tenant)
  })

  const book = (fields: object = {}) =>
    tenant.api.post(path, {
      appointments_scheduled_event: {
        start_on: '2026-05-04T09:00:00Z',
        end_on: '2026-05-04T09:45:00Z',
        primary_contact_id: contact,
        ...fields,
      },
    })
  const act = (id: number, name: string, fields?: object) =>
    tenant.api.post(`/appointments/scheduled_events/${id}/${name}`, fields && { appointments_scheduled_event: fields })

  it('are booked with a contact, and listed', async () => {
    const { status, body } = await book({ tzid: 'Asia/Tokyo', event_type: { name: 'Talk' }, comments: 'By phone' })
    expect(status, JSON.stringify(body)).to.equal(201)
    expect(body).to.include({ status: 'scheduled', tzid: 'Asia/Tokyo', comments: 'By phone', order_id: null })
    expect([body.event_type, body.primary_contact.id]).to.deep.equal([{ name: 'Talk' }, contact])
    const listed = await tenant.api.get(path)
    expect(listed.body).to.deep.equal([body])
    const without = await tenant.withScopes(['appointments:read'])
    const [blank] = (await without.get(path)).body
    expect([blank.comments, blank.primary_contact.email_address]).to.deep.equal([null, null])
  })

  it('are refused when they end before they begin, or in a zone that is none', async () => {
    const refused = async (fields: object) => {
      const { status, body } = await book(fields)
      return [status, body.details[0].field]
    }
    expect(await refused({ end_on: '2026-05-04T09:00:00Z' })).to.deep.equal([
      422,
      'appointments_scheduled_event.end_on',
    ])
    expect(await refused({ tzid: 'Berlin' })).to.deep.equal([422, 'appointments_scheduled_event.tzid'])
    expect((await book({ primary_contact_id: null })).status).to.equal(422)
  })

  it('move and keep their length, until they are called off', async () => {
    const { id } = (await book()).body
    const moved = await act(id, 'reschedule', { start_on: '2026-05-05T12:00:00Z' })
    expect([moved.status, moved.body.end_on]).to.deep.equal([200, '2026-05-05T12:45:00.000Z'])
    const open = await act(id, 'reschedule', { start_on: '2026-05-05T12:00:00Z', end_on: null })
    expect(open.body.end_on).to.equal(null)
    expect((await act(id, 'cancel')).body.status).to.equal('canceled')
    expect((await act(id, 'cancel')).status).to.equal(409)
    expect((await act(id, 'reschedule', { start_on: '2026-05-06T12:00:00Z' })).status).to.equal(409)
  })
})

describe('contacts that buy', () => {
  it('are not deleted while a subscription of theirs is active', async () => {
    const tenant = await (await testService()).tenant()
    const order = await recordMakers.order!.fields!(tenant)
    const { body } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/orders`, {
      order: { ...order, order_type: 'subscription-order', service_status: 'active' },
    })
    const remove = () => tenant.api.delete(`/contacts/${body.contact_id}`)
    const refused = await remove()
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Contact cannot be deleted because it has an active subscription order',
    ])
    await tenant.api.put(`/orders/${body.id}`, { order: { service_status: 'churned' } })
    expect((await remove()).status).to.equal(204)
  })
})

describe('the time zone of a workspace', () => {
  it('is none until it is set to one that there is', async () => {
    const tenant = await (await testService()).tenant()
    const path = `/workspaces/${tenant.workspaceId}`
    expect((await tenant.api.get(path)).body.time_zone).to.equal(null)
    const set = (time_zone: string) => tenant.api.put(path, { workspace: { time_zone } })
    expect((await set('Tokyo')).body.time_zone).to.equal('Tokyo')
    expect((await set('Atlantis')).status).to.equal(422)
  })
})
