import { expect } from 'chai'
import { addTags, enrolling } from '../api/workflows/runs/enrolled.ts'
import { ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { writerInto } from '../support/filled.ts'
import { startTestService, type Tenant } from '../support/service.ts'
import { byForm, patience, printFigures } from './form.ts'

const CONTACTS = byForm(1000, 100_000)
const AT_ONCE = 200

describe(`a bulk action that starts ${CONTACTS} runs`, function () {
  this.timeout(patience)

  it('14 84: starts one run for each contact, and holds up no other workspace', async () => {
    const service = await startTestService()
    const [busy, other] = [await service.tenant(), await service.tenant()]
    const write = writerInto(service.background, busy)
    const anybody = (n: number) => write.contact('Ann', { email_address: `c${n}@bulk.example` })
    for (let made = 0; made < CONTACTS; made += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => anybody(made + n)))
    await service.caughtUp()
    const prepare = async (tenant: Tenant) => {
      const on = enrolling(tenant)
      const [start, done] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
      const workflow = await on.startedBy(start, addTags(done))
      const counts = async () => {
        const { active_runs_count, completed_runs_count } = ok(await tenant.api.get(workflow.path))
        return { active: Number(active_runs_count), completed: Number(completed_runs_count) }
      }
      return { on, start, workflow, counts }
    }
    const [many, one] = [await prepare(busy), await prepare(other)]
    const contact = await one.on.make('contact')

    const wanted = { contacts_tag_action: { tag_ids: [many.start], target_all: true } }
    const action = ok(await busy.api.post(`/workspaces/${busy.workspaceId}/contacts/tag_actions`, wanted))
    await eventually(async () => expect((await many.counts()).completed).to.be.above(0))
    await one.on.applyTag(contact, one.start)
    await eventually(async () => expect((await one.counts()).completed).to.equal(1))
    await eventually(async () => expect(await many.counts()).to.deep.equal({ active: 0, completed: CONTACTS }))
    // The log says which was over first, however late somebody looks.
    const over: number[] = []
    for await (const { type, metadata } of service.background.stores.log.readAll({ after: -1 }))
      if (type === 'RunStepPassed') over.push(Number(metadata.workspace_id))
    const after = over.slice(over.lastIndexOf(other.workspaceId)).filter((id) => id === busy.workspaceId)
    expect(after, 'steps of the busy workspace after those of the other').to.have.length.above(0)
    expect(ok(await busy.api.get(`/contacts/tag_actions/${action.id}`))).to.include({
      target_count: CONTACTS,
      performed_count: CONTACTS,
      failed_count: 0,
    })
    printFigures('bulk-runs', `the run of the other workspace was over before ${after.length} of ${CONTACTS}`)
  })
})
