import { setTimeout as pass } from 'node:timers/promises'
import { expect } from 'chai'
import type { EventLog } from '../../../../domain/kernel/ports/event-log.ts'
import { TestServer } from '../../../servers/eventstoredb/server.ts'
import { ok } from '../../../support/client.ts'
import { type Random, random, seedOfRun } from '../../../support/random.ts'
import { startTestService, type Tenant } from '../../../support/service.ts'
import { withOwn } from '../../../support/with-own.ts'
import { workflowOf } from '../making.ts'
import { addTags, type Enrolling, enrolling, removeTags } from './enrolled.ts'

const LATEST_MS = 60

/** A log whose answers about runs come late: what follows from an event is under way before its writer knows that it was written. */
const answeringLate =
  (numbers: Random) =>
  (log: EventLog): EventLog =>
    withOwn(log, {
      async append(request) {
        const appended = await log.append(request)
        const isOfRun = request.events.some(({ metadata }) => metadata.$correlationId.startsWith('run:'))
        if (isOfRun || request.stream.startsWith('workflows/run-')) await pass(numbers.below(LATEST_MS))
        return appended
      },
    })

/** On EventStoreDB claims change hands with the append to which they belong, and answers come late. */
describe('workflows that lead back to each other, on EventStoreDB', () => {
  let server: TestServer
  let tenant: Tenant
  let on: Enrolling
  before(async () => {
    server = await TestServer.start()
    const service = await startTestService({ EVENTSTOREDB_URL: server.url }, answeringLate(random(seedOfRun())))
    tenant = await service.tenant()
    on = enrolling(tenant)
  })
  after(() => server.stop())

  /** Waits until the chain of two workflows was cut, and expects that the contact was five times in each. */
  const comesToTen = async (one: { readonly id: number; readonly path: string }, other: typeof one) => {
    await on.soon(async () => {
      for (const { path } of [one, other])
        expect(ok(await tenant.api.get(path)).chain_cut?.workflow_ids).to.have.length(11)
    })
    for (const workflow of [one, other]) expect(await on.runsOf(workflow)).to.have.length(5)
  }

  it('14 91: move a contact back as often as they lead to each other', async () => {
    const [tag, never] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const other = await workflowOf(tenant)
    const one = await on.startedBy(tag, { move_step: { workflow_id: other.id } })
    await other.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: never })
    await other.step({ move_step: { workflow_id: one.id } })
    ok(await other.enable())
    await on.applyTag(await on.make('contact'), tag)
    await comesToTen(one, other)
    for (const workflow of [one, other])
      for (const { id } of await on.runsOf(workflow)) expect((await on.trace(id)).skipped_entries).to.deep.equal([])
  })

  it('14 104: let a contact in whose tag the last step of a run changes', async () => {
    const [a, b] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const one = await on.startedBy(a, removeTags(b), addTags(b))
    const other = await on.startedBy(b, removeTags(a), addTags(a))
    await on.applyTag(await on.make('contact'), a)
    await comesToTen(one, other)
  })
})
