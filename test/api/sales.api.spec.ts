import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { NewEvent } from '../../domain/kernel/values/event.ts'
import { recordMakers } from '../support/records.ts'
import { type Tenant, testService } from '../support/service.ts'

describe('sales over REST', () => {
  let tenant: Tenant
  let contactId: number
  let workspace: string
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    contactId = (await tenant.api.post(`${workspace}/contacts`, { contact: { email_address: 'buyer@example.com' } }))
      .body.id
  })

  const pipeline = async (...stages: readonly [name: string, probability: number][]) =>
    (
      await tenant.api.post(`${workspace}/sales/pipelines`, {
        sales_pipeline: {
          name: 'P',
          stages_attributes: stages.map(([name, close_probability]) => ({ name, close_probability })),
        },
      })
    ).body
  const opportunity = async (stageId: number, fields: object = {}) =>
    (
      await tenant.api.post(`${workspace}/sales/opportunities`, {
        sales_opportunity: { name: 'O', pipelines_stage_id: stageId, primary_contact_id: contactId, ...fields },
      })
    ).body
  const move = async (id: number, stageId: number) =>
    (await tenant.api.put(`/sales/opportunities/${id}`, { sales_opportunity: { pipelines_stage_id: stageId } })).body

  /** Appends many more events like the last one of a stream, each for a child with a new id. */
  const repeatLast = async (stream: string, key: string, times: number) => {
    const { background } = await testService()
    const { log } = background.stores
    const events: NewEvent[] = []
    const first = 2_000_000_000 + randomInt(140_000) * 1000
    for await (const { type, data, metadata } of log.readStream(stream, { backwards: true, limit: 1 }))
      for (let index = 0; index < times; index++)
        events.push({ id: randomUUID(), type, data: { ...data, [key]: first + index }, metadata })
    const appended = await log.append({ stream, expected: 'any', events })
    if (!('position' in appended)) throw new Error('not appended')
    await background.reached(appended.position, 60_000)
  }

  it('begins with a pipeline in every workspace', async () => {
    const fresh = await (await testService()).tenant()
    const path = `/workspaces/${fresh.workspaceId}/sales/pipelines`
    for (let tries = 0; tries < 1000 && (await fresh.api.get(path)).body.length === 0; tries++)
      await new Promise((go) => setTimeout(go, 10))
    const [first, ...others] = (await fresh.api.get(path)).body
    expect(others).to.deep.equal([])
    expect(first.name).to.equal('Default')
    expect(first.stages.map((stage: { name: string }) => stage.name)).to.include.members([
      'New Leads',
      'Closed Won',
      'Closed Lost',
    ])
  })

  it('makes a pipeline with its stages in the given order', async () => {
    const made = await pipeline(['One', 10], ['Two', 50], ['Three', 100])
    expect(
      made.stages.map((stage: { name: string; sort_order: number }) => [stage.name, stage.sort_order]),
    ).to.deep.equal([
      ['One', 0],
      ['Two', 1],
      ['Three', 2],
    ])
    const none = await tenant.api.post(`${workspace}/sales/pipelines`, {
      sales_pipeline: { name: 'None', stages_attributes: [] },
    })
    expect(none.status).to.equal(422)
    expect(none.body.error).to.equal('Request unprocessable: Pipeline must have at least one stage')
  })

  it('inserts, moves and removes stages', async () => {
    const made = await pipeline(['One', 10], ['Two', 50])
    const stages = `/sales/pipelines/${made.id}/stages`
    const inserted = await tenant.api.post(stages, {
      sales_pipelines_stage: { name: 'Between', close_probability: '30', sort_order: 1 },
    })
    expect(inserted.body).to.include({ sort_order: 1, close_probability: 30 })
    const order = async () =>
      (await tenant.api.get(`${stages}?sort_property=sort_order`)).body.map((stage: { name: string }) => stage.name)
    expect(await order()).to.deep.equal(['One', 'Between', 'Two'])
    await tenant.api.put(`/sales/pipelines/stages/${made.stages[0].id}`, { sales_pipelines_stage: { sort_order: 2 } })
    expect(await order()).to.deep.equal(['Between', 'Two', 'One'])
    for (const id of [made.stages[0].id, made.stages[1].id])
      expect((await tenant.api.delete(`/sales/pipelines/stages/${id}`)).status).to.equal(204)
    const last = await tenant.api.delete(`/sales/pipelines/stages/${inserted.body.id}`)
    expect(last.status).to.equal(422)
    expect(last.body.error).to.equal('Request unprocessable: The last stage of a pipeline cannot be deleted')
  })

  it('sums up the opportunities in its stages', async () => {
    const made = await pipeline(['Open', 20], ['Won', 100])
    const [open, won] = made.stages
    const first = await opportunity(open.id, { value: 100.5 })
    const second = await opportunity(open.id, { value: '49.50' })
    expect(first).to.include({ value: '100.50', sort_order: 0, pipeline_id: String(made.id) })
    expect(second.sort_order).to.equal(1)
    const stage = (await tenant.api.get(`/sales/pipelines/stages/${open.id}`)).body
    expect(stage).to.include({ total_value: 150, weighted_value: 30 })
    expect(stage.opportunity_ids).to.deep.equal([first.id, second.id])
    await move(second.id, won.id)
    const shown = (await tenant.api.get(`/sales/pipelines/${made.id}`)).body
    expect(shown.total_value).to.equal(150)
    expect(shown.stages.map((one: { total_value: number }) => one.total_value)).to.deep.equal([101, 50])
  })

  it('shows a past state of a pipeline, with the opportunities in its stages at the time', async () => {
    const made = await pipeline(['Open', 50], ['Later', 60])
    const [open, later] = made.stages
    const deal = await opportunity(open.id, { value: 10 })
    await new Promise((go) => setTimeout(go, 5))
    const between = new Date().toISOString()
    await new Promise((go) => setTimeout(go, 5))
    await move(deal.id, later.id)
    await tenant.api.delete(`/sales/opportunities/${deal.id}`)
    await tenant.api.delete(`/sales/pipelines/stages/${open.id}`)
    const then = (await tenant.api.get(`/sales/pipelines/${made.id}?as_of=${between}`)).body
    expect(then.stages.map((one: { opportunity_ids: number[] }) => one.opportunity_ids)).to.deep.equal([[deal.id], []])
    expect(then.total_value).to.equal(10)
    expect(
      (await tenant.api.get(`/sales/pipelines/stages/${open.id}?as_of=${between}`)).body.opportunity_ids,
    ).to.deep.equal([deal.id])
  })

  it('closes an opportunity once it enters a closing stage, and leaves it closed', async () => {
    const made = await pipeline(['Open', 50], ['Won', 100], ['Lost', 0])
    const [open, won, lost] = made.stages
    const deal = await opportunity(open.id)
    expect(deal.closed_at).to.equal(null)
    const closed = await move(deal.id, won.id)
    expect(closed.closed_at).to.be.a('string')
    expect((await move(deal.id, open.id)).closed_at).to.equal(closed.closed_at)
    expect((await move(deal.id, lost.id)).closed_at).to.equal(closed.closed_at)
    const reopened = await tenant.api.put(`/sales/opportunities/${deal.id}`, { sales_opportunity: { closed_at: null } })
    expect(reopened.body.closed_at).to.equal(null)
    expect((await opportunity(lost.id)).closed_at).to.be.a('string')
  })

  it('shows a thousand notes of an opportunity, and says so when there are more', async () => {
    const fresh = await (await testService()).tenant()
    const shorter = await recordMakers['sales/opportunity']!.make(fresh)
    const longer = await recordMakers['sales/opportunity']!.make(fresh)
    const write = (id: number, content: string) =>
      fresh.api.post(`/sales/opportunities/${id}/notes`, { sales_opportunities_note: { content } })
    await write(shorter, 'The only one')
    await write(longer, 'The first of many')
    await repeatLast(`sales/opportunity-${longer}`, 'note_id', 999)
    const whole = await fresh.api.get(`/sales/opportunities/${longer}`)
    expect([whole.body.notes.length, whole.headers.get('millrace-cut')]).to.deep.equal([1000, null])
    await write(longer, 'One too many')
    const list = `/workspaces/${fresh.workspaceId}/sales/opportunities`
    const listed = await fresh.api.get(list)
    expect(listed.body.map(({ notes }: { notes: unknown[] }) => notes.length)).to.deep.equal([1, 1000])
    expect(listed.headers.get('millrace-cut')).to.equal('notes')
    const changed = await fresh.api.put(`/sales/opportunities/${longer}`, { sales_opportunity: { name: 'Long' } })
    expect([changed.body.notes.length, changed.headers.get('millrace-cut')]).to.deep.equal([1000, 'notes'])
    expect((await fresh.api.get(`${list}?filter[id]=${shorter}`)).headers.get('millrace-cut')).to.equal(null)
  })

  it('is found by its primary contact, with either form of its id', async () => {
    const made = await pipeline(['Open', 50])
    const other = (await tenant.api.post(`${workspace}/contacts`, { contact: { email_address: 'other@example.com' } }))
      .body
    const theirs = await opportunity(made.stages[0].id, { primary_contact_id: other.public_id })
    for (const id of [other.id, other.public_id]) {
      const { body } = await tenant.api.get(`${workspace}/sales/opportunities?filter[primary_contact_id]=${id}`)
      expect(body.map((one: { id: number }) => one.id)).to.deep.equal([theirs.id])
    }
  })

  it('is assigned to members of the team only', async () => {
    const made = await pipeline(['Open', 50])
    const [member] = (await tenant.api.get(`/teams/${tenant.teamId}/memberships`)).body
    const deal = await opportunity(made.stages[0].id, { assignee_id: member.id })
    expect(deal.assignee_id).to.equal(String(member.id))
    expect(
      (await tenant.api.get(`${workspace}/sales/opportunities?filter[assignee_id]=${member.id}`)).body,
    ).to.have.length(1)
    const unassigned = await tenant.api.put(`/sales/opportunities/${deal.id}`, {
      sales_opportunity: { assignee_id: null },
    })
    expect(unassigned.body.assignee_id).to.equal(null)
    const other = await (await testService()).tenant()
    const [stranger] = (await other.api.get(`/teams/${other.teamId}/memberships`)).body
    const refused = await tenant.api.put(`/sales/opportunities/${deal.id}`, {
      sales_opportunity: { assignee_id: stranger.id },
    })
    expect(refused.status).to.equal(422)
    expect(refused.body.error).to.equal('Request unprocessable: Assignee must exist')
  })

  it('keeps notes, which go with their opportunity', async () => {
    const made = await pipeline(['Open', 50])
    const deal = await opportunity(made.stages[0].id)
    const notes = `/sales/opportunities/${deal.id}/notes`
    const written = await tenant.api.post(notes, { sales_opportunities_note: { content: 'Called' } })
    expect(written.body.created_by_id).to.be.a('number')
    const wrong = await tenant.api.post(notes, { sales_opportunities_note: { body: 'Called' } })
    expect(wrong.body.error).to.equal("Request unprocessable: Content can't be blank")
    expect(
      (await tenant.api.get(`/sales/opportunities/${deal.id}`)).body.notes.map(
        (note: { content: string }) => note.content,
      ),
    ).to.deep.equal(['Called'])
    expect((await tenant.api.delete(`/sales/opportunities/${deal.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/sales/opportunities/notes/${written.body.id}`)).status).to.equal(404)
  })

  it('is removed only when no opportunity is in it', async () => {
    const made = await pipeline(['Open', 50], ['Other', 60])
    const deal = await opportunity(made.stages[0].id)
    expect((await tenant.api.delete(`/sales/pipelines/stages/${made.stages[0].id}`)).status).to.equal(422)
    const refused = await tenant.api.delete(`/sales/pipelines/${made.id}`)
    expect(refused.body.error).to.equal('Request unprocessable: Pipeline must be empty before it can be deleted')
    expect(refused.body.base).to.deep.equal(['Pipeline must be empty before it can be deleted'])
    await tenant.api.delete(`/sales/opportunities/${deal.id}`)
    expect((await tenant.api.delete(`/sales/pipelines/${made.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/sales/pipelines/stages/${made.stages[0].id}`)).status).to.equal(404)
  })
})
