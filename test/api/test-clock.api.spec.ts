import { expect } from 'chai'
import type { ApiClient } from '../support/client.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { createdBody } from '../support/traffic/funnels.ts'

const DAY = 24 * 60 * 60 * 1000
const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))
const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

describe('the clock of a test workspace', () => {
  let service: TestService
  let tenant: Tenant
  let api: ApiClient
  let clock: string
  let contacts: string

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    api = tenant.api
    clock = `/workspaces/${tenant.workspaceId}/test_clock`
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
  })

  const shows = async () => createdBody(await api.get(clock))

  const advance = async (to: string) => {
    const answer = await api.post(clock, { to })
    expect(answer.status).to.equal(202)
    expect(answer.body).to.deep.include({ state: 'advancing', to })
    while ((await shows()).state === 'advancing') await pause(5)
  }

  it('runs with that of the machine until it is advanced', async () => {
    const { now, ...rest } = await shows()
    expect(rest).to.deep.equal({ workspace_id: tenant.workspaceId, state: 'ready', to: null })
    expect(Math.abs(Date.parse(now) - Date.now())).to.be.lessThan(2000)
  })

  it('runs on from where it was advanced to, and stamps what happens', async () => {
    const { now } = await shows()
    const to = later(now, 40 * DAY)
    await advance(to)
    const there = await shows()
    expect(there.now >= to && there.now < later(to, 5000), `${there.now} is soon after ${to}`).to.equal(true)
    const contact = createdBody(await api.post(contacts, { contact: { email_address: 'later@example.com' } }))
    expect(contact.created_at >= there.now && contact.created_at < later(there.now, 5000)).to.equal(true)
    const past = await api.get(`/contacts/${contact.id}?as_of=${now}`)
    expect(past.status).to.equal(404)
    await pause(20)
    expect((await shows()).now > there.now).to.equal(true)
  })

  it('fires the timers on the way at their due times, in order', async () => {
    const contact = createdBody(await api.post(contacts, { contact: { email_address: 'due@example.com' } }))
    const { now } = await shows()
    const days = [3, 1, 2]
    const jobs = []
    for (const day of days) {
      const tag = createdBody(await api.post(`${contacts}/tags`, { contacts_tag: { name: `Day ${day}` } }))
      const wanted = { tag_ids: [tag.id], target_ids: [contact.id], scheduled_for: later(now, day * DAY) }
      jobs.push(createdBody(await api.post(`${contacts}/tag_actions`, { contacts_tag_action: wanted })))
    }
    const beyond = { tag_ids: [], target_ids: [contact.id], scheduled_for: later(now, 5 * DAY) }
    const waiting = createdBody(
      await api.post(`${contacts}/unsubscribe_actions`, { contacts_unsubscribe_action: beyond }),
    )
    await advance(later(now, 4 * DAY))
    for (const { id, scheduled_for } of jobs) {
      const done = createdBody(await api.get(`/contacts/tag_actions/${id}`))
      const { started_at, completed_at, performed_count } = done
      expect({ started_at, completed_at, performed_count }).to.deep.equal({
        started_at: scheduled_for,
        completed_at: scheduled_for,
        performed_count: 1,
      })
    }
    const tags = createdBody(await api.get(`/contacts/${contact.id}`)).tags.map(({ name }: { name: string }) => name)
    expect(tags).to.deep.equal(['Day 1', 'Day 2', 'Day 3'])
    expect(createdBody(await api.get(`/contacts/unsubscribe_actions/${waiting.id}`)).started_at).to.equal(null)
  })

  it('refuses writes of others while it is being advanced', async () => {
    const contact = createdBody(await api.post(contacts, { contact: { email_address: 'many@example.com' } }))
    const { now } = await shows()
    for (let hour = 1; hour <= 20; hour++) {
      const wanted = { target_ids: [contact.id], scheduled_for: later(now, hour * 3_600_000) }
      createdBody(await api.post(`${contacts}/unsubscribe_actions`, { contacts_unsubscribe_action: wanted }))
    }
    await api.post(clock, { to: later(now, DAY) })
    const refused = [
      await api.post(contacts, { contact: { email_address: 'meanwhile@example.com' } }),
      await api.put(`/workspaces/${tenant.workspaceId}`, { workspace: { name: 'Meanwhile' } }),
      await api.post(clock, { to: later(now, 2 * DAY) }),
    ]
    expect(refused.map(({ status }) => status)).to.deep.equal([409, 409, 409])
    expect(refused[0]!.body.error).to.match(/is being advanced/)
    expect((await api.get(`/contacts/${contact.id}`)).status).to.equal(200)
    while ((await shows()).state === 'advancing') await pause(5)
    expect((await api.post(contacts, { contact: { email_address: 'afterwards@example.com' } })).status).to.equal(201)
  })

  it('only goes forward, and no more than ten years at once', async () => {
    const { now } = await shows()
    for (const [to, says] of [
      [later(now, -1), /: To must be after what the clock shows/],
      [later(now, 3654 * DAY), /: To must be at most 10 years after/],
      ['tomorrow', /: To must be an ISO 8601 date-time/],
      [undefined, /: To can't be blank/],
    ] as const) {
      const answer = await api.post(clock, { to })
      expect([answer.status, answer.body.details[0].field]).to.deep.equal([422, 'to'])
      expect(answer.body.error).to.match(says)
    }
  })

  it('does not exist in other workspaces', async () => {
    const other = await service.tenant()
    const path = `/workspaces/${other.workspaceId}/test_clock`
    expect((await other.api.get(path)).status).to.equal(404)
    const refused = await other.api.post(path, { to: later(new Date().toISOString(), DAY) })
    expect(refused.status).to.equal(422)
    expect(refused.body.error).to.contain('Only a workspace that was made as a test workspace has a test clock')
    expect((await other.api.post(clock, { to: later(new Date().toISOString(), DAY) })).status).to.equal(404)
    const contact = createdBody(
      await other.api.post(`/workspaces/${other.workspaceId}/contacts`, {
        contact: { email_address: 'a@example.com' },
      }),
    )
    expect(Math.abs(Date.parse(contact.created_at) - Date.now())).to.be.lessThan(5000)
  })
})
