import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import { finishFollowUps } from '../../domain/kernel/engine/follow-up.ts'
import type { JsonObject, RecordedEvent } from '../../domain/kernel/values/event.ts'
import { pages } from '../../domain/pages/page/rules.ts'
import { nextId } from '../support/next-id.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { builder, outline } from '../support/traffic/funnels.ts'

describe('a request that was cut off between two streams', () => {
  let service: TestService
  let tenant: Tenant
  let build: ReturnType<typeof builder>
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    build = builder(tenant)
  })

  const stamp = () => ({ at: new Date().toISOString(), actor: { label: 'key:1' } })
  const stepIds = () =>
    Promise.all(['funnels/step', 'funnels/show_page_step'].map((name) => nextId(service.background.core.ids, { name })))
  const place = async (funnel: number, pageId: number, more: object = {}): Promise<RecordCommand> => ({
    type: 'placePage',
    id: funnel,
    wanted: { page: { pageId, external: false, name: 'Half' }, ...more },
    ids: await stepIds(),
    ...stamp(),
  })

  /** Executes only the first command, as a process does that dies before the second. */
  const firstHalf = async (funnel: number, command: (pageId: number) => Promise<RecordCommand>) => {
    const { engine, ids } = service.background.core
    const id = await nextId(ids, pages)
    const wanted = { name: 'Half', current_path: '/half' }
    const first: RecordCommand = { type: 'create', id, wanted, as: 'PageCreated', ...stamp() }
    const kept = [{ aggregate: 'funnel', id: funnel, command: (await command(id)) as unknown as JsonObject }]
    await engine.transact({
      aggregate: pages,
      id,
      isNew: true,
      command: first,
      teamId: tenant.teamId,
      workspaceId: tenant.workspaceId,
      causationId: 'request',
      correlationId: 'request',
      followUps: { key: randomUUID(), commands: kept },
    })
    return id
  }

  it('is completed by the worker that follows the log, once', async () => {
    const funnel = await build.funnel()
    const id = await firstHalf(funnel.id, (page) => place(funnel.id, page))
    await waitUntilSettled(service)
    expect(outline(await build.steps(funnel.id))).to.deep.equal(['Half'])
    expect((await tenant.api.get(`/pages/${id}`)).body.funnel.id).to.equal(funnel.id)
    await tenant.api.delete(`/pages/${id}`)
    const { log } = service.background.stores
    const { engine, aggregates } = service.background.core
    const events: RecordedEvent[] = []
    for await (const event of log.readStream(`page-${id}`)) events.push(event)
    expect(await finishFollowUps(engine, aggregates, events[0]!)).to.be.a('number')
    await waitUntilSettled(service)
    expect(await build.steps(funnel.id), 'a repeat places nothing').to.deep.equal([])
  })

  it('is completed although a former version stored the second command in another form', async () => {
    const funnel = await build.funnel()
    const [stepId, showPageStepId] = await stepIds()
    const page = (pageId: number) => ({ pageId, external: false, name: 'Half' })
    await firstHalf(funnel.id, async (pageId) => {
      const former = { type: 'PlacePage', page: page(pageId), stepId, showPageStepId, ...stamp() }
      return former as unknown as RecordCommand
    })
    await waitUntilSettled(service)
    expect(outline(await build.steps(funnel.id))).to.deep.equal(['Half'])
  })

  it('stays half done when the rest has become impossible, and blocks nothing', async () => {
    const funnel = await build.funnel()
    const id = await firstHalf(funnel.id, (page) => place(funnel.id, page, { sortOrder: 5 }))
    await waitUntilSettled(service)
    expect(await build.steps(funnel.id)).to.deep.equal([])
    expect((await tenant.api.get(`/pages/${id}`)).body.type).to.equal('landing_page')
    const next = await build.page({ funnel: { funnel_id: funnel.id } })
    expect(next.type).to.equal('funnel_page')
  })

  it('is not executed later when the refused command becomes possible', async () => {
    const funnel = await build.funnel()
    const id = await firstHalf(funnel.id, (page) => place(funnel.id, page, { sortOrder: 2 }))
    await waitUntilSettled(service)
    for (let n = 0; n < 3; n++) await build.page({ funnel: { funnel_id: funnel.id } })
    const { engine, aggregates } = service.background.core
    const events: RecordedEvent[] = []
    for await (const event of service.background.stores.log.readStream(`page-${id}`)) events.push(event)
    expect(await finishFollowUps(engine, aggregates, events[0]!)).to.include({ kind: 'conflict' })
    await waitUntilSettled(service)
    expect(outline(await build.steps(funnel.id))).not.to.include('Half')
  })
})
