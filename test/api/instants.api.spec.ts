import { expect } from 'chai'
import { type Tenant, testService } from '../support/service.ts'

const IMPOSSIBLE = [
  '2031-02-30',
  '2031-06-31',
  '2031-01-01T25:00:00Z',
  '2031-01-01T24:00:00Z',
  '2031-01-01T10:00:00%2B18:30',
]

describe('instants in requests', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })
  const workspace = () => `/workspaces/${tenant.workspaceId}`
  const setZone = (time_zone: string) => tenant.api.put(workspace(), { workspace: { time_zone } })
  let codes = 0
  const makeDiscount = (fields: object) =>
    tenant.api.post(`${workspace()}/discounts`, {
      discount: { name: 'Sale', code: `DAY-${++codes}`, percent: '10', ...fields },
    })

  it('that are impossible are refused by attributes and by as_of, which name the field', async () => {
    const { id } = (await makeDiscount({})).body
    for (const text of IMPOSSIBLE) {
      const { status, body } = await makeDiscount({ apply_until: decodeURIComponent(text) })
      expect([status, body.details[0].field], text).to.deep.equal([422, 'discount.apply_until'])
      const past = await tenant.api.get(`/discounts/${id}?as_of=${text}`)
      expect([past.status, past.body.details[0].field], text).to.deep.equal([400, 'as_of'])
    }
  })

  it('that are impossible are refused in criteria of filters', async () => {
    const make = (value: string) =>
      tenant.api.post(`${workspace()}/refine_filters`, {
        refine_filter: { name: `On ${value}`, criteria: [{ attribute: 'created_at', clause: 'gte', value }] },
      })
    for (const text of IMPOSSIBLE) {
      const { status, body } = await make(decodeURIComponent(text))
      expect(status, text).to.equal(422)
      expect(body.error, text).to.include('must be an ISO8601 date or datetime')
    }
    expect((await make('2031-01-01T23:30:00-02:00')).body.criteria[0].value).to.equal('2031-01-02')
  })

  it('of a discount are whole days of the workspace where they are dates alone', async () => {
    for (const [zone, begins, ends] of [
      ['Eastern Time (US & Canada)', '2031-03-09T05:00:00.000Z', '2031-03-10T03:59:59.999Z'],
      ['Asia/Tokyo', '2031-03-08T15:00:00.000Z', '2031-03-09T14:59:59.999Z'],
      ['UTC', '2031-03-09T00:00:00.000Z', '2031-03-09T23:59:59.999Z'],
    ] as const) {
      expect((await setZone(zone)).status).to.equal(200)
      const { status, body } = await makeDiscount({ apply_from: '2031-03-09', apply_until: '2031-03-09' })
      expect([status, body.apply_from, body.apply_until], zone).to.deep.equal([201, begins, ends])
      const path = `/discounts/${body.id}`
      const changed = await tenant.api.call('PATCH', path, { discount: { apply_until: '2031-03-10T09:00:00' } })
      expect(changed.body.apply_until, 'with a time of day, in UTC').to.equal('2031-03-10T09:00:00.000Z')
    }
  })

  it('without an offset are in UTC, wherever the machine is', async () => {
    const before = process.env.TZ
    process.env.TZ = 'Pacific/Kiritimati'
    try {
      const { id, created_at } = (await makeDiscount({})).body
      const asOf = async (text: string) => (await tenant.api.get(`/discounts/${id}?as_of=${text}`)).status
      expect(await asOf(created_at)).to.equal(200)
      expect(await asOf(created_at.slice(0, -1))).to.equal(200)
      const justBefore = new Date(Date.parse(created_at) - 1).toISOString().slice(0, -1)
      expect(await asOf(justBefore)).to.equal(404)
      expect(await asOf(created_at.slice(0, 10)), 'a day is its beginning').to.equal(404)
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })

  it('of an appointment need a time of day', async () => {
    const contact = await tenant.api.post(`${workspace()}/contacts`, { contact: { email_address: 'at@example.com' } })
    const make = (start_on: string) =>
      tenant.api.post(`${workspace()}/appointments/scheduled_events`, {
        appointments_scheduled_event: { start_on, primary_contact_id: contact.body.id },
      })
    const { status, body } = await make('2031-03-09')
    expect([status, body.error]).to.deep.equal([422, 'Request unprocessable: Start on must have a time of day'])
    expect((await make('2031-03-09T10:00')).body.start_on).to.equal('2031-03-09T10:00:00.000Z')
  })
})
