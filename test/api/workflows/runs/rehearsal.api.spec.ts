import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { savedSince } from '../../../support/saved-since.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'
import { WAIT, type WorkflowUnderTest } from '../making.ts'
import { addTags, type Enrolling, enrolling } from './enrolled.ts'

describe('a rehearsal', () => {
  let service: TestService
  let tenant: Tenant
  let on: Enrolling
  let contact: number
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
    contact = await on.make('contact')
  })

  const rehearse = async ({ path }: WorkflowUnderTest, more: object = {}) =>
    ok(await tenant.api.post(`${path}/rehearse`, { run: { contact_id: contact, ...more } }))
  const splitBy = async (text: string) => {
    const body = { text, save: true }
    const { id } = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/filters`, body))
    return { conditional_split_step: { condition: { filter_id: id } } }
  }
  /** What a trace and a rehearsal have in common. */
  const told = (steps: readonly Record<string, unknown>[]) =>
    steps.map(({ step_id, outcome, reason, branch }) => ({ step_id, outcome, reason, branch }))
  const daysOf = ({ entered_at, left_at }: { entered_at: string; left_at: string }) =>
    Math.round((Date.parse(left_at) - Date.parse(entered_at)) / 86_400_000)

  it('tells what a run does afterwards, and has no effect', async () => {
    const [start, added] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(start, await splitBy('not unsubscribed'), WAIT, addTags(added), {
      send_chat_message_step: { message: 'Hello' },
    })
    await service.caughtUp()
    const saved = await savedSince(service, tenant)
    const rehearsed = await rehearse(workflow)
    expect(await saved()).to.deep.equal([])
    expect(rehearsed.steps.map(daysOf)).to.deep.equal([0, 1, 0, 0])
    expect(rehearsed.ends_at).to.equal(rehearsed.steps.at(-1).left_at)
    expect(await on.runsOf(workflow)).to.deep.equal([])
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'paused')
    await on.later(2)
    await on.runIn(workflow, 'completed')
    expect(told(rehearsed.steps)).to.deep.equal(told((await on.trace(run)).steps))
  })

  it('goes by the tree as it is edited', async () => {
    const workflow = await on.startedBy(await on.make('contacts/tag'), WAIT)
    await workflow.step(WAIT)
    expect((await rehearse(workflow)).steps).to.have.length(2)
  })

  it('notes where an earlier step would have had an effect on what a split sees', async () => {
    const [start, added] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(start, addTags(added), await splitBy('not unsubscribed'))
    const [tagging, split] = (await rehearse(workflow)).steps
    expect(tagging.note).to.equal(null)
    expect(split.note).to.contain(`at steps ${tagging.step_id}`)
    expect(await on.tagsOf(contact)).to.not.include(added)
  })

  it('ends at a move, and says whether it would succeed', async () => {
    const other = await on.startedBy(await on.make('contacts/tag'), WAIT)
    const workflow = await on.startedBy(await on.make('contacts/tag'), { move_step: { workflow_id: other.id } }, WAIT)
    const [moved, ...behind] = (await rehearse(workflow)).steps
    expect(behind).to.deep.equal([])
    expect(moved).to.include({ outcome: 'done', note: `A run of workflow ${other.id} would begin` })
    ok(await on.enrol(other, { contact_id: contact }))
    expect((await rehearse(workflow)).steps[0]).to.include({ outcome: 'failed' })
  })

  it('is refused for a contact who is not there, and for a token that must not see contacts', async () => {
    const workflow = await on.startedBy(await on.make('contacts/tag'), WAIT)
    const { status, body } = await tenant.api.post(`${workflow.path}/rehearse`, { run: { contact_id: 999_999_999 } })
    expect([status, body.details[0].field]).to.deep.equal([422, 'run.contact_id'])
    const narrow = await tenant.withScopes(['workflows:read'])
    const refused = await narrow.post(`${workflow.path}/rehearse`, { run: { contact_id: contact } })
    expect(refused.status).to.equal(403)
  })
})
