import { expect } from 'chai'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { createdBody } from '../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from './form.ts'

const DAY = 24 * 60 * 60 * 1000
const BEGINNING = '2031-01-01T00:00:00.000Z'
const END = '2032-01-01T00:00:00.000Z'
/** Days between scheduled actions. */
const EVERY = byForm(7, 1)
/** Days of one step of the workspace that passes through the year step by step. */
const STEP = 30

const COLLECTIONS = ['contact', 'contacts/tag', 'contacts/tag_action', 'contacts/unsubscribe_action']

const KINDS: Readonly<Record<string, string>> = {
  cursor: 'contact',
  target_ids: 'contact',
  tag_ids: 'contacts/tag',
  tag_id: 'contacts/tag',
}
/** Fields that differ between workspaces or are random. */
const UNLIKE = [
  ...['team_id', 'workspace_id', '_due_at', '_due_in', 'public_id', 'personal', 'email_digest', 'uuid'],
  ...['created_by_id', 'filter_id', 'applied_tag_id'],
]

type Worded = Readonly<Record<string, Json>>

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))
const onDay = (day: number, hour = 0) => new Date(Date.parse(BEGINNING) + day * DAY + hour * 3_600_000).toISOString()

describe('a year of schedules', function () {
  this.timeout(patience)
  let service: TestService

  before(async () => {
    service = await startTestService()
  })

  const advance = async ({ api, workspaceId }: Tenant, to: string) => {
    const clock = `/workspaces/${workspaceId}/test_clock`
    expect((await api.post(clock, { to })).status).to.equal(202)
    while (createdBody(await api.get(clock)).state === 'advancing') await pause(10)
  }

  /** Creates a workspace at the beginning of its year, with the schedules of the year. */
  const furnished = async (): Promise<Tenant> => {
    const tenant = await service.tenant({ test: true })
    const { api, workspaceId } = tenant
    await advance(tenant, BEGINNING)
    const contacts = `/workspaces/${workspaceId}/contacts`
    const people: number[] = []
    for (const first_name of ['Ada', 'Bob', 'Cleo'])
      people.push(
        createdBody(await api.post(contacts, { contact: { first_name, email_address: `${first_name}@example.com` } }))
          .id,
      )
    const tags: number[] = []
    for (const name of ['odd', 'even', 'fresh'])
      tags.push(createdBody(await api.post(`${contacts}/tags`, { contacts_tag: { name } })).id)
    const fresh = createdBody(await api.post(`${contacts}/filters`, { text: 'created in the last 100 days' })).stable_id
    const tag = async (wanted: object) =>
      createdBody(await api.post(`${contacts}/tag_actions`, { contacts_tag_action: wanted }))
    for (let day = 1; day < 365; day += EVERY) {
      const some = { tag_ids: [tags[day % 2]], target_ids: [people[day % 3]], scheduled_for: onDay(day, 6) }
      await tag({ ...some, action_type: day % 4 < 2 ? 'add' : 'remove' })
    }
    for (const day of [90, 110]) await tag({ tag_ids: [tags[2]], stable_id: fresh, scheduled_for: onDay(day) })
    const leaving = { target_ids: [people[1]], scheduled_for: onDay(200) }
    createdBody(await api.post(`${contacts}/unsubscribe_actions`, { contacts_unsubscribe_action: leaving }))
    return tenant
  }

  /** The final state of a workspace in comparable form: ids are replaced by their order, and of the times only those set by schedules are left. */
  const endOf = async (live: ReadModels, { workspaceId }: Tenant): Promise<readonly (readonly Worded[])[]> => {
    const own = async (name: string) =>
      (await live.find(name, { where: {} })).filter(({ workspace_id }) => workspace_id === workspaceId)
    const documents = await Promise.all(COLLECTIONS.map(own))
    const order = (kind: string, id: Json) =>
      documents[COLLECTIONS.indexOf(kind)]!.findIndex((document) => document.id === id)
    const worded = (kind: string, name: string, value: Json | undefined): Json => {
      if (Array.isArray(value)) return value.map((one: Json) => worded(kind, name, one))
      if (isJsonObject(value)) return wordedIn(kind, value)
      const of = name === 'id' ? kind : KINDS[name]
      if (of && typeof value === 'number') return order(of, value)
      if (typeof value === 'string' && /^\d{4}-/.test(value)) return value < onDay(0, 3) ? 'at the beginning' : value
      return value ?? null
    }
    const wordedIn = (kind: string, fields: JsonObject): Worded => {
      const alike = Object.entries(fields).filter(([name]) => !UNLIKE.includes(name))
      return Object.fromEntries(alike.map(([name, value]) => [name, worded(kind, name, value)]))
    }
    return documents.map((found, n) => found.map((document) => wordedIn(COLLECTIONS[n]!, document)))
  }

  it('ends the same after one advance as after many small ones', async () => {
    const { live } = service.background.stores.readModels
    const [whole, stepped] = [await furnished(), await furnished()]
    const begun = performance.now()
    await advance(whole, END)
    const lasted = Math.round(performance.now() - begun)
    for (let day = STEP; day < 365; day += STEP) await advance(stepped, onDay(day))
    await advance(stepped, END)
    const [one, other] = [await endOf(live, whole), await endOf(live, stepped)]
    expect(one).to.deep.equal(other)
    const [people, , actions] = one
    expect(actions!.length).to.equal(Math.ceil(364 / EVERY) + 2)
    for (const { scheduled_for, started_at, completed_at, status } of actions!)
      expect([status, started_at, completed_at]).to.deep.equal(['completed', scheduled_for, scheduled_for])
    const freshly = actions!.slice(-2).map(({ performed_count }) => performed_count)
    expect(freshly, 'whoever was created in the last 100 days, by then').to.deep.equal([3, 0])
    expect(people![1]!.updated_at! >= onDay(200)).to.equal(true)
    printFigures(
      'year',
      `${actions!.length + 1} instants in one command, in ${lasted} ms; the same as in ${Math.ceil(365 / STEP)} steps`,
    )
  })
})
