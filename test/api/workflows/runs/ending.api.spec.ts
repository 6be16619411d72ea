import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { type Tenant, testService } from '../../../support/service.ts'
import { WAIT } from '../making.ts'
import { addTags, type Enrolling, enrolling } from './enrolled.ts'

const HOUR_MS = 60 * 60 * 1000

describe('runs of workflows that change, are disabled or deleted', () => {
  let tenant: Tenant
  let on: Enrolling
  let start: number
  let after: number
  let contact: number
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
  })
  beforeEach(async () => {
    ;[start, after] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    contact = await on.make('contact')
  })

  it('14 103: are canceled when it is disabled, with what they wait for; enabling revives none', async () => {
    const workflow = await on.startedBy(start, WAIT, addTags(after))
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    ok(await workflow.disable())
    await on.runIn(workflow, 'canceled')
    expect((await on.trace(id)).run.end_reason).to.equal('the workflow was disabled')
    expect(await workflow.show()).to.include({ active_runs_count: 0, completed_runs_count: 0 })
    ok(await workflow.enable())
    await on.later(2)
    expect(await on.tagsOf(contact)).not.to.include(after)
    await on.runIn(workflow, 'canceled')
  })

  it('14 103: a contact enters again once the workflow is enabled again', async () => {
    const workflow = await on.startedBy(start, WAIT)
    ok(await on.enrol(workflow, { contact_id: contact }))
    await on.runIn(workflow, 'paused')
    ok(await workflow.disable())
    await on.runIn(workflow, 'canceled')
    ok(await workflow.enable())
    ok(await on.enrol(workflow, { contact_id: contact }))
    await on.soon(async () =>
      expect((await on.runsOf(workflow)).map(({ status }) => status).sort()).to.deep.equal(['canceled', 'paused']),
    )
  })

  it('14 99, 102: finish on the version on which they began, whatever is published meanwhile', async () => {
    const workflow = await on.startedBy(start, WAIT)
    const tagging = await workflow.step(addTags(after))
    ok(await workflow.enable())
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    const { current } = await on.trace(id)
    for (const step of [current.step_id, tagging.id])
      expect((await tenant.api.delete(`/workflows/steps/${step}`)).status).to.equal(204)
    ok(await workflow.enable())
    await on.later(2)
    await on.runIn(workflow, 'completed')
    expect(await on.tagsOf(contact)).to.include(after)
    expect(await on.passed(id)).to.deep.equal([
      ['delay_step', 'done'],
      ['contact_tag_step', 'done'],
    ])
  })

  it('14 101, 102: what an edit does is told before it is published: how many stand where, and what changes', async () => {
    const workflow = await on.startedBy(start, WAIT, addTags(after))
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    const impact = async () => ok(await tenant.api.get(`${workflow.path}/impact`))
    const edits = async () =>
      (await impact()).steps.map((one: { edit: string; runs_here: number }) => [one.edit, one.runs_here])
    expect(await impact()).to.include({ version: 1, has_edits: false, active_runs_count: 1 })
    expect(await edits()).to.deep.equal([
      ['none', 1],
      ['none', 0],
    ])
    const { current } = await on.trace(id)
    await tenant.api.delete(`/workflows/steps/${current.step_id}`)
    await workflow.step(WAIT)
    expect((await impact()).has_edits).to.equal(true)
    expect(await edits()).to.have.deep.members([
      ['deleted', 1],
      ['none', 0],
      ['added', 0],
    ])
    ok(await workflow.enable())
    expect(await impact()).to.include({ version: 2, has_edits: false, active_runs_count: 1 })
    expect((await edits())[0], 'who stands there still').to.deep.equal(['deleted', 1])
  })

  it('14 99: publishing moves no timer', async () => {
    const workflow = await on.startedBy(start, WAIT)
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    const { current } = await on.trace(id)
    await workflow.change(current.step_id, { step_type_settings: { delay_step: { duration: 9 } } })
    ok(await workflow.enable())
    expect((await on.trace(id)).current).to.deep.equal(current)
  })

  it('are deleted with it', async () => {
    const workflow = await on.startedBy(start, WAIT)
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    await tenant.api.delete(workflow.path)
    await on.soon(async () => expect((await tenant.api.get(`/workflows/runs/${id}`)).status).to.equal(404))
  })

  it('are canceled when the contact is deleted', async () => {
    const workflow = await on.startedBy(start, WAIT)
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    await tenant.api.delete(`/contacts/${contact}`)
    await on.runIn(workflow, 'canceled')
    expect((await on.trace(id)).run.end_reason).to.equal('the contact is gone')
  })

  it('14 83: begin for nothing by a condition on a tag that was deleted', async () => {
    const workflow = await on.startedBy(start)
    const free = await on.startedBy(after)
    await tenant.api.delete(`/contacts/tags/${start}`)
    await on.soon(async () => {
      const [one] = ok(await tenant.api.get(`${workflow.path}/triggers`))
      expect(one.lost_conditions).to.deep.equal(['contacts_tag_id'])
    })
    await on.applyTag(contact, after)
    await on.runIn(free, 'completed')
    expect(await on.runsOf(workflow)).to.deep.equal([])
  })

  it('14 96: wait until the time that was settled, although the zone of the contact changes', async () => {
    const at = (time_zone: string) => tenant.api.put(`/contacts/${contact}`, { contact: { time_zone } })
    ok(await at('America/New_York'))
    const delay = { delay_type: 'day_of_week', day_of_week: 'monday', start_time: '09:00', use_contact_time_zone: true }
    const workflow = await on.startedBy(start, { delay_step: delay })
    await on.applyTag(contact, start)
    const id = await on.runIn(workflow, 'paused')
    const { waits_until } = (await on.trace(id)).current
    const hour = new Date(waits_until).toLocaleString('en', {
      timeZone: 'America/New_York',
      weekday: 'long',
      hour: '2-digit',
      hour12: false,
    })
    expect(hour).to.equal('Monday, 09')
    ok(await at('Asia/Tokyo'))
    expect((await on.trace(id)).current.waits_until).to.equal(waits_until)
    await on.later(8)
    await on.runIn(workflow, 'completed')
    const [{ left_at }] = (await on.trace(id)).steps
    expect(Date.parse(left_at) - Date.parse(waits_until)).to.be.within(0, HOUR_MS)
  })
})
