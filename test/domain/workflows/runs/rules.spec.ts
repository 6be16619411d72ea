import type { contact } from '../../../../domain/contacts/contact/model.ts'
import type { RecordOf } from '../../../../domain/kernel/model/model.ts'
import { run } from '../../../../domain/workflows/run/model.ts'
import { MOST_SKIPPED, type RunFacts, runs } from '../../../../domain/workflows/run/rules.ts'
import { AT, ask, given, WORKSPACE } from '../../../support/decider.ts'

const { event } = run

const WORKFLOW = 5
const CONTACT = 6
const VERSION = 8
const [FIRST, SECOND] = [21, 22]

const steps = [FIRST, SECOND].map((id) => ({ id, type: 'notify_step' as const, name: '', settings: {} }))

/** Facts of a live workflow with two steps. The casts stand for the attributes that no rule reads. */
const facts = (
  more: {
    readonly enabled?: boolean
    readonly deleted_at?: string
    readonly steps?: []
    readonly isIn?: boolean
    readonly triggers?: number[]
  } = {},
) =>
  ({
    workflow: {
      id: WORKFLOW,
      archived: false,
      enabled: more.enabled ?? true,
      enabling: 3,
      active_trigger_ids: more.triggers ?? [1],
    },
    isIn: more.isIn ?? false,
    version: { id: VERSION, steps: more.steps ?? steps },
    contact: { id: CONTACT, workspace_id: WORKSPACE, deleted_at: more.deleted_at ?? null, redacted_email: null },
  }) as unknown as RunFacts & { readonly contact: RecordOf<typeof contact> }

const BEGINNING = {
  workflow_id: WORKFLOW,
  contact_id: CONTACT,
  version_id: VERSION,
  enabling: 3,
  skip_communication: false,
  event_id: null,
  event_type_key: null,
  chain: [WORKFLOW],
  from_run_id: null,
  origin: null,
  forced: false,
  current_step_id: FIRST,
  entered_at: AT,
  status: 'active' as const,
  completed_at: null,
  paused_at: null,
  end_reason: null,
  active_key: `${WORKFLOW}:${CONTACT}`,
}
const started = event.RunStarted(BEGINNING)
const paused = event.RunPaused({
  resume_at: '2026-03-02T09:00:00.000Z',
  due_at: '2026-03-02T09:00:00.000Z',
  zone: 'UTC',
})
const resumed = event.RunResumed()

const passes = (step_id: number, next_step_id: number | null) => ({
  ...{ step_id, next_step_id },
  ...{ outcome: 'done' as const, reason: null, branch: null, endpoint_id: null, left_at: AT },
})
const pass = (...steps: readonly (readonly [number, number | null])[]) =>
  ask('pass', { passes: steps.map(([step, next]) => passes(step, next)) }, { ids: [90, 91] })
const passed = (step_id: number, next_step_id: number | null, pass_id = 90) =>
  event.RunStepPassed({ pass_id, ...passes(step_id, next_step_id), entered_at: AT })

describe('rules of runs', () => {
  const create = (wanted: object = {}) => ask('create', { workflow_id: WORKFLOW, contact_id: CONTACT, ...wanted })

  it('begin at the first step of the version that is published', () => {
    given(runs).when(create(), facts()).then(started)
    const cause = { event_id: 70, event_type_key: '$optin', chain: [1, 2], from_run_id: 4, origin: 'event:9' }
    given(runs)
      .when(create({ cause, skip_communication: true }), facts())
      .then(
        event.RunStarted({
          ...BEGINNING,
          ...{ skip_communication: true, event_id: 70, event_type_key: '$optin', from_run_id: 4, origin: 'event:9' },
          chain: [1, 2, WORKFLOW],
        }),
      )
  })

  it('begin also beside another run, where that is forced', () => {
    given(runs)
      .when(create({ forced: true }), facts())
      .then(event.RunStarted({ ...BEGINNING, forced: true }))
  })

  it('begin for nobody who is in the workflow by a run that was forced', () => {
    given(runs)
      .when(create(), facts({ isIn: true }))
      .refuses('invalid', 'Contact is in a run of this workflow already')
  })

  it('begin for what a trigger awaited that was taken away since, but not under another enabling', () => {
    const at = (enabling: number) => ({
      ...{ event_id: 70, event_type_key: '$optin', chain: [], from_run_id: null, origin: null, enabling },
    })
    const triggers: number[] = []
    given(runs)
      .when(create({ cause: at(3) }), facts({ triggers }))
      .then(event.RunStarted({ ...BEGINNING, event_id: 70, event_type_key: '$optin' }))
    for (const [cause, now] of [
      [undefined, facts({ triggers })],
      [at(2), facts()],
      [at(3), facts({ enabled: false })],
    ] as const)
      given(runs)
        .when(create(cause && { cause }), now)
        .refuses('invalid', 'Workflow is not enabled; enable it before starting a run.')
  })

  it('are over at once in a workflow without steps', () => {
    const over = { current_step_id: null, entered_at: null, status: 'completed' as const, completed_at: AT }
    given(runs)
      .when(create(), facts({ steps: [] }))
      .then(event.RunStarted({ ...BEGINNING, ...over, active_key: null }))
  })

  it('begin neither in a workflow that is not enabled nor for a contact who was deleted', () => {
    given(runs)
      .when(create(), facts({ enabled: false }))
      .refuses('invalid', 'Workflow is not enabled; enable it before starting a run.')
    given(runs)
      .when(create(), facts({ deleted_at: AT }))
      .refuses('invalid', 'Contact must exist')
  })

  it('go on to the next step, and are over behind the last', () => {
    given(runs, started)
      .when(pass([FIRST, SECOND]))
      .then(passed(FIRST, SECOND))
    given(runs, started, passed(FIRST, SECOND))
      .when(pass([SECOND, null]))
      .then(passed(SECOND, null))
    given(runs, started, passed(FIRST, null))
      .when(pass([FIRST, null]))
      .thenNothing()
    given(runs, started)
      .when(pass([FIRST, SECOND], [SECOND, null]))
      .then(passed(FIRST, SECOND), passed(SECOND, null, 91))
  })

  it('14 98: pass no step at which they do not stand, however often they are told', () => {
    const again = pass([FIRST, SECOND])
    given(runs, started, passed(FIRST, SECOND)).when(again).thenNothing()
    given(runs, started, paused).when(again).thenNothing()
    given(runs, started, passed(FIRST, SECOND))
      .when(pass([FIRST, SECOND], [SECOND, null]))
      .then(passed(SECOND, null, 91))
  })

  it('14 98: wait at a delay, and are resumed once', () => {
    const until = { until: '2026-03-02T09:00:00.000Z', due: '2026-03-02T09:00:00.000Z', zone: 'UTC' }
    given(runs, started)
      .when(ask('pause', { step_id: FIRST, ...until }))
      .then(paused)
    given(runs, started, paused)
      .when(ask('pause', { step_id: FIRST, ...until }))
      .thenNothing()
    given(runs, started, paused).when(ask('resume')).then(resumed)
    given(runs, started, paused, resumed).when(ask('resume')).thenNothing()
  })

  it('14 103: are canceled while they are not over, also while they wait', () => {
    const cancel = ask('cancel', { reason: 'the workflow was disabled', enabling: 3 })
    const canceled = event.RunCanceled({ end_reason: 'the workflow was disabled' })
    given(runs, started).when(cancel).then(canceled)
    given(runs, started, paused).when(cancel).then(canceled)
    given(runs, started, canceled).when(cancel).thenNothing()
    given(runs, started, passed(FIRST, null)).when(cancel).thenNothing()
    given(runs, started, paused, canceled).when(ask('resume')).thenNothing()
  })

  it('14 103: tell a step that was under way when they were canceled, and stay canceled', () => {
    const canceled = event.RunCanceled({ end_reason: 'the workflow was disabled' })
    const told = [started, canceled, passed(FIRST, SECOND)]
    given(runs, started, canceled)
      .when(pass([FIRST, SECOND]))
      .then(passed(FIRST, SECOND))
    given(runs, ...told)
      .when(pass([FIRST, SECOND]))
      .thenNothing()
    given(runs, ...told)
      .when(ask('pause', { step_id: SECOND, until: AT, due: AT, zone: 'UTC' }))
      .thenNothing()
  })

  it('14 103: that began after the workflow was enabled again are not canceled with those before', () => {
    given(runs, started)
      .when(ask('cancel', { reason: 'the workflow was disabled', enabling: 2 }))
      .thenNothing()
  })

  it('14 81: list the events that would have started them again, each once and the first hundred', () => {
    const skip = (event_id: number) => ask('skipEntry', { event_type_key: '$view', event_id })
    const skipped = (event_id: number) => event.RunEntrySkipped({ key: '$view', event_id })
    given(runs, started).when(skip(70)).then(skipped(70))
    given(runs, started, skipped(70)).when(skip(70)).thenNothing()
    const many = Array.from({ length: MOST_SKIPPED }, (_, index) => skipped(index + 100))
    given(runs, started, ...many)
      .when(skip(70))
      .thenNothing()
  })

  it('14 85: do not take the event that started them for another', () => {
    given(runs, event.RunStarted({ ...BEGINNING, event_id: 70 }))
      .when(ask('skipEntry', { event_type_key: '$view', event_id: 70 }))
      .thenNothing()
  })

  it('14 104: note each workflow that they did not start once', () => {
    const cut = ask('cutChain', { workflow_id: 9 })
    given(runs, started)
      .when(cut)
      .then(event.RunChainCut({ workflow_id: 9 }))
    given(runs, started, event.RunChainCut({ workflow_id: 9 }))
      .when(cut)
      .thenNothing()
  })

  it('end with all passes when their workflow is deleted', () => {
    given(runs, started, passed(FIRST, SECOND))
      .when(ask('remove'))
      .then(event.RunRemoved({ pass_ids: [90] }))
  })
})
