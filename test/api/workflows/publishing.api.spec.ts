import { expect } from 'chai'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { step, version } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import { ok } from '../../support/client.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { WAIT } from './making.ts'
import { type Enrolling, enrolling } from './runs/enrolled.ts'

/** Publishings of one workflow. As long as all versions stayed, 60 of them filled its stream. `npm test` has the short form. */
const PUBLISHINGS = Number(process.env.PUBLISHINGS ?? 70)
/** Steps with messages of 10,000 characters: 280 KB in each version. */
const LONG = 28

describe('publishing a workflow very often', function () {
  this.timeout(30_000 + PUBLISHINGS * 1000)
  let service: TestService
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    on = enrolling(tenant)
  })

  it('fills no stream: versions without runs that are under way are retired, and runs and traces find theirs', async () => {
    const start = await on.make('contacts/tag')
    const workflow = await on.startedBy(start, WAIT, { send_chat_message_step: { message: 'Hello' } })
    const [early, done] = [await on.make('contact'), await on.make('contact')]
    ok(await on.enrol(workflow, { contact_id: early }))
    await on.runIn(workflow, 'paused')
    for (let count = 0; count < LONG; count++)
      await workflow.step({ send_chat_message_step: { message: 'x'.repeat(10_000) } })
    const act = tenant.carryOut!
    const steps = ok(await tenant.api.get(`/workflows/${workflow.id}/steps`)) as readonly { readonly id: number }[]
    const publish = async (name: string) => {
      await act(ask(within(workflows, workflow.id, step), steps[0]!.id, 'change', { name }))
      ok(await workflow.enable())
    }
    await publish('First')
    const { id: completed } = ok(await on.enrol(workflow, { contact_id: done }))
    for (let count = 0; count < PUBLISHINGS; count++) await publish(`Step ${count}`)
    const { live } = service.background.stores.readModels
    const versions = () => live.find(version.name, { where: { workflow_id: workflow.id } })
    expect((await versions()).map(({ number }) => number)).to.deep.equal([1, 2, PUBLISHINGS + 1, PUBLISHINGS + 2])
    await on.later(2)
    await on.soon(async () =>
      expect((await on.runsOf(workflow)).map(({ status }) => status)).to.deep.equal(['completed', 'completed']),
    )
    await publish('Last')
    expect((await versions()).map(({ number }) => number)).to.deep.equal([PUBLISHINGS + 2, PUBLISHINGS + 3])
    const trace = await on.trace(completed)
    expect(trace.run.version).to.equal(2)
    expect(trace.steps[0]).to.include({ name: 'First', step_type: 'delay_step', outcome: 'done' })
  })
})
