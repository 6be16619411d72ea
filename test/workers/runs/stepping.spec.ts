import { expect } from 'chai'
import { contact } from '../../../domain/contacts/contact/model.ts'
import { contacts } from '../../../domain/contacts/public.ts'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import { isSameWriteAsPrevious } from '../../../domain/kernel/engine/write.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { DomainEvent, Json } from '../../../domain/kernel/values/event.ts'
import { run } from '../../../domain/workflows/run/model.ts'
import { runs } from '../../../domain/workflows/run/rules.ts'
import { BLANK_DELAY } from '../../../domain/workflows/steps/delay-settings.ts'
import { workflow } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import type { FrozenStep } from '../../../domain/workflows/workflow/tree.ts'
import { NO_COPY } from '../../../workers/older-copy.ts'
import type { Outcome, TaskTurn } from '../../../workers/reactor/reaction.ts'
import type { RunsDeps } from '../../../workers/runs/runs-deps.ts'
import { steppingReaction } from '../../../workers/runs/stepping.ts'
import { MemoryEngine } from './memory-engine.ts'

const [WORKFLOW, CONTACT, RUN, WORKSPACE, TAG] = [5, 6, 9, 7, 1]
const NOON = '2026-03-02T12:00:00.000Z'

const step = (id: number, type: FrozenStep['type'], settings: FrozenStep['settings']): FrozenStep => ({
  ...{ id, type, settings, name: '' },
})
const tagging = step(30, 'contact_tag_step', { action: 'Add Tags', contacts_tag_ids: [TAG] })
const splitting: FrozenStep = {
  ...step(31, 'conditional_split_step', { filter_id: 3 }),
  branches: [[step(32, 'contact_tag_step', { action: 'Add Tags', contacts_tag_ids: [TAG] })], []],
}
const FILTER: Document = {
  ...{ id: 3, workspace_id: WORKSPACE, filter_class: 'ContactsFilter', conjunction: 'and' },
  criteria: [{ attribute: 'tags.id', clause: 'in', value: [String(TAG)], ids: [TAG] }],
}

/** One run of a workflow in memory, which steps when it is told to. */
const beginning = async (...steps: readonly FrozenStep[]) => {
  const fixed = new Map<string, Document>([[`contacts/tag ${TAG}`, { id: TAG }]])
  const memory = new MemoryEngine(fixed)
  let at = NOON
  let cursor: Json = null
  /** Called when a document is read; it may throw. */
  let onRead: (collection: string) => void = () => undefined
  let id = 100
  const append = (aggregate: Decider, of: number, ...events: readonly DomainEvent[]) =>
    memory.append(aggregate, of, at, ...events)
  const { event } = workflow
  append(
    workflows,
    WORKFLOW,
    event.WorkflowCreated({ name: 'W' }),
    event.TriggerAdded({ trigger_id: 1, event_type_key: '$optin', active: true, allow_anonymous_contacts: true }),
    event.WorkflowVersionPublished({ version_id: 1, number: 1, steps, filter_ids: [], template_ids: [] }),
    event.WorkflowEnabled(),
  )
  append(contacts, CONTACT, contact.event.ContactCreated({ uuid: 'u', time_zone: null }))
  const live = {
    ...memory.live,
    get: (collection: string, of: number) => {
      onRead(collection)
      return memory.live.get(collection, of)
    },
    getMany: (collection: string, ids: readonly number[]) => {
      onRead(collection)
      return memory.live.getMany(collection, ids)
    },
  }
  const deps = {
    ...{
      engine: memory.engine,
      live,
      seen: async () => undefined,
      begun: { of: async () => [] },
      vault: {},
      resources: new Map(),
      olderCopy: NO_COPY,
    },
    log: { claimed: async () => undefined, lastPosition: async () => 0 },
    ids: { next: () => ++id, refill: async () => undefined },
    now: () => Date.parse(at),
  } as unknown as RunsDeps
  const turn = {
    stopping: () => false,
    cursor: () => cursor,
    saveCursor: async (value: Json) => {
      cursor = value
    },
  } as unknown as TaskTurn
  const send = async (type: string, wanted: object = {}) => {
    const command = { type, id: RUN, wanted, workspaceId: WORKSPACE, at, actor: { label: 'test' } }
    await memory.engine.transact({
      ...{ aggregate: runs, id: RUN, command: command as never, workspaceId: WORKSPACE },
      ...{ causationId: 'c', correlationId: 'c' },
    })
  }
  await send('create', { workflow_id: WORKFLOW, contact_id: CONTACT })
  return {
    append,
    send,
    steps: (): Promise<Outcome> =>
      steppingReaction(deps).react(memory.events.findLast(({ type }) => /^Run(Started|Resumed)$/.test(type))!, turn),
    get run() {
      return memory.record<RecordOf<typeof run>>(runs, RUN, run.name)!
    },
    eventsOf: (...types: readonly string[]) => memory.events.filter(({ type }) => types.includes(type)),
    count: (type: string) => memory.events.filter((one) => one.type === type).length,
    passes: () => memory.events.filter(({ type }) => type === 'RunStepPassed').map(({ data }) => data),
    moveTo: (time: string) => {
      at = time
    },
    reading: (then: typeof onRead) => {
      onRead = then
    },
    provide: (document: Document) => fixed.set(`refine_filter ${document.id}`, document),
  }
}

describe('stepping of runs', () => {
  it('14 88: a filter that fails makes the run wait and try again; it is never unmatched', async () => {
    const on = await beginning(splitting, tagging)
    on.provide(FILTER)
    on.append(contacts, CONTACT, contact.event.ContactTagApplied({ applied_tag_id: 2, tag_id: TAG }))
    on.reading((collection) => {
      if (collection === 'refine_filter') throw new Error('too slow')
    })
    for (let tries = 0; tries < 12; tries++) expect((await on.steps()).came).to.equal('early')
    expect(on.passes()).to.deep.equal([])
    on.reading(() => undefined)
    expect((await on.steps()).came).to.equal('done')
    expect(on.passes().map(({ branch }) => branch)).to.deep.equal([0, null, null])
  })

  it('14 88: where the filter is gone neither branch is taken, and the run goes on behind the split', async () => {
    const on = await beginning(splitting, tagging)
    await on.steps()
    expect(on.passes()).to.have.length(2)
    expect(on.passes()[0]).to.include({ outcome: 'failed', reason: 'the filter is gone', branch: null })
    expect(on.run.status).to.equal('completed')
  })

  it('14 89: a step that fails is tried five times, recorded as failed, and the run goes on', async () => {
    const on = await beginning(tagging, step(40, 'notify_step', {}))
    let tries = 0
    on.reading((collection) => {
      if (collection !== 'contacts/tag') return
      tries++
      throw new Error('out of order')
    })
    for (let wait = 1; wait <= 4; wait++) expect((await on.steps()).came, `after ${wait}`).to.equal('early')
    expect((await on.steps()).came).to.equal('done')
    expect(tries).to.equal(5)
    expect(on.passes()[0]).to.include({ outcome: 'failed', reason: 'it could not be carried out' })
    expect(on.run.status).to.equal('completed')
  })

  it('14 103: no step has an effect once the workflow is disabled, also one that is under way', async () => {
    const second = step(33, 'contact_tag_step', { action: 'Add Tags', contacts_tag_ids: [2] })
    const on = await beginning(tagging, second)
    on.reading((collection) => {
      if (collection === 'contacts/tag' && on.count('WorkflowDisabled') === 0)
        on.append(workflows, WORKFLOW, workflow.event.WorkflowDisabled())
    })
    await on.steps()
    expect(on.passes()).to.have.length(1)
    expect(on.count('ContactTagApplied')).to.equal(1)
    expect(on.run).to.include({ status: 'canceled', end_reason: 'the workflow was disabled' })
  })

  it('14 103: a run of an earlier enabling does not go on', async () => {
    const on = await beginning(step(20, 'delay_step', { ...BLANK_DELAY, duration: 1, interval: 'days' }), tagging)
    await on.steps()
    on.append(workflows, WORKFLOW, workflow.event.WorkflowDisabled(), workflow.event.WorkflowEnabled())
    on.moveTo('2026-03-04T12:00:00.000Z')
    await on.send('resume')
    await on.steps()
    expect(on.count('ContactTagApplied')).to.equal(0)
    expect(on.run.status).to.equal('canceled')
  })

  it('14 95: a step that is reached after its window waits for the next one', async () => {
    const delay = {
      ...{ ...BLANK_DELAY, duration: 1, interval: 'hours', use_execution_window: true },
      ...{ start_time: '09:00', end_time: '14:00', execution_window_days: ['monday', 'tuesday'] },
    }
    const on = await beginning(step(20, 'delay_step', delay), tagging)
    await on.steps()
    expect(on.run).to.include({ status: 'paused', resume_at: '2026-03-02T13:00:00.000Z' })
    on.moveTo('2026-03-02T18:00:00.000Z')
    await on.send('resume')
    await on.steps()
    expect(on.run).to.include({ status: 'paused', resume_at: '2026-03-03T09:00:00.000Z' })
    expect(on.run.due_at, 'it was due then').to.equal('2026-03-02T13:00:00.000Z')
    on.moveTo('2026-03-03T09:00:01.000Z')
    await on.send('resume')
    await on.steps()
    expect(on.run.status).to.equal('completed')
  })

  it('14 100: what a step does has the run and the step as its key, so that doing it again changes nothing', async () => {
    const on = await beginning(tagging)
    await on.steps()
    await on.steps()
    expect(on.count('ContactTagApplied')).to.equal(1)
    expect(on.passes()).to.have.length(1)
  })

  it('14 81: what two steps do in the same millisecond are two writes, so that each is looked at', async () => {
    const on = await beginning(
      tagging,
      step(33, 'contact_tag_step', { action: 'Remove Tags', contacts_tag_ids: [TAG] }),
    )
    await on.steps()
    const [applied, removed] = on.eventsOf('ContactTagApplied', 'ContactTagRemoved')
    expect(removed!.metadata.at).to.equal(applied!.metadata.at)
    expect(isSameWriteAsPrevious(applied!, removed!)).to.equal(false)
  })
})
