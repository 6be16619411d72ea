import { expect } from 'chai'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { nextStep } from '../../../domain/resources/tree/walk.ts'
import type { StepTypeName } from '../../../domain/workflows/steps/index.ts'
import { workflow } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import type { FrozenStep } from '../../../domain/workflows/workflow/tree.ts'
import { ask, given } from '../../support/decider.ts'

const { event } = workflow

const created = event.WorkflowCreated({ name: 'Welcome' })
const triggered = event.TriggerAdded({
  ...{ trigger_id: 3, event_type_key: '$optin', active: true, allow_anonymous_contacts: true },
})
const settings = { duration: 1, interval: 'days' }
const step = (id: number, index: number, type: StepTypeName = 'delay_step', more: object = settings): DomainEvent =>
  event.StepAdded({
    ...{ step_id: id, step_type: type, name: `Step ${id}`, settings: { ...more } },
    place: { split_id: null, branch: 0, index },
  })
const inside = (id: number, split_id: number, branch: 0 | 1): DomainEvent =>
  event.StepAdded({
    ...{ step_id: id, step_type: 'delay_step', name: `Step ${id}`, settings },
    place: { split_id, branch, index: 0 },
  })
const frozen = (id: number): FrozenStep => ({ id, type: 'delay_step', name: `Step ${id}`, settings })
const published = (version_id: number, number: number, steps: readonly FrozenStep[]) =>
  event.WorkflowVersionPublished({ version_id, number, steps, filter_ids: [], template_ids: [] })

const NO_RECORDS = { revisions: new Map(), idle: [] }
const enable = (version: number) => ask('enable', {}, { ids: [version] })
const draft = [created, triggered, step(11, 0), step(12, 1)]
const first = published(1, 1, [frozen(11), frozen(12)])
const live = [...draft, first, event.WorkflowEnabled()]

describe('versions of workflows', () => {
  it('begin with the first enabling, which freezes the tree', () => {
    given(workflows, ...draft)
      .when(enable(1), NO_RECORDS)
      .then(first, event.WorkflowEnabled())
  })

  it('hold names, settings and branches, and the filters by which splits choose', () => {
    const split = step(13, 0, 'conditional_split_step', { filter_id: 7 })
    given(workflows, created, triggered, split, inside(14, 13, 1))
      .when(enable(1), NO_RECORDS)
      .then(
        event.WorkflowVersionPublished({
          version_id: 1,
          number: 1,
          steps: [
            {
              ...{ id: 13, type: 'conditional_split_step', name: 'Step 13', settings: { filter_id: 7 } },
              branches: [[], [frozen(14)]],
            },
          ],
          filter_ids: [7],
          template_ids: [],
        }),
        event.WorkflowEnabled(),
      )
  })

  it('14 99: enabling a live workflow publishes its edits as the next version', () => {
    const edited = event.StepSettingsChanged({ step_id: 12, settings: { ...settings, duration: 2 } })
    const second = published(2, 2, [frozen(11), { ...frozen(12), settings: { ...settings, duration: 2 } }])
    given(workflows, ...live, edited)
      .when(enable(2), NO_RECORDS)
      .then(second)
    const moved = event.StepMoved({
      step_id: 12,
      from: { split_id: null, branch: 0, index: 1 },
      place: { split_id: null, branch: 0, index: 0 },
    })
    given(workflows, ...live, moved)
      .when(enable(2), NO_RECORDS)
      .then(published(2, 2, [frozen(12), frozen(11)]))
  })

  it('are retired when another one is published, where no run is on them', () => {
    const [second, third] = [published(2, 2, [frozen(11)]), published(3, 3, [frozen(11), frozen(12)])]
    given(workflows, ...live, second)
      .when(enable(3), { revisions: new Map(), idle: [1] })
      .then(third, event.WorkflowVersionsRetired({ version_ids: [1] }))
  })

  it('14 99: without changes it makes none', () => {
    given(workflows, ...live)
      .when(enable(2), NO_RECORDS)
      .thenNothing()
    const there = event.StepRenamed({ step_id: 12, name: 'Other' })
    const back = event.StepRenamed({ step_id: 12, name: 'Step 12' })
    given(workflows, ...live, there, back)
      .when(enable(2), NO_RECORDS)
      .thenNothing()
  })

  it('14 99: nor does enabling again what was disabled, or a change of triggers, which holds at once', () => {
    given(workflows, ...live, event.WorkflowDisabled())
      .when(enable(2), NO_RECORDS)
      .then(event.WorkflowEnabled())
    const other = event.TriggerAdded({
      ...{ trigger_id: 4, event_type_key: '$view', active: true, allow_anonymous_contacts: true },
    })
    given(workflows, ...live, other)
      .when(enable(2), NO_RECORDS)
      .thenNothing()
  })

  it('14 102: a step that is deleted stays in the version on which runs wait', () => {
    const removed = event.StepRemoved({ step_id: 11, removed_step_ids: [11] })
    given(workflows, ...live, removed)
      .when(enable(2), NO_RECORDS)
      .then(published(2, 2, [frozen(12)]))
    const { steps } = first.data
    if (!Array.isArray(steps)) throw new Error('a version has steps')
    const tree: readonly FrozenStep[] = steps
    expect(nextStep<FrozenStep>(tree, 11)?.id, 'from the deleted step').to.equal(12)
    expect(nextStep<FrozenStep>(tree, 12), 'its end').to.equal(undefined)
  })

  it('are not made for a workflow without an active trigger, or an archived one', () => {
    const says = 'A workflow cannot be enabled without at least one active trigger.'
    given(workflows, created, step(11, 0)).when(enable(1), NO_RECORDS).refuses('invalid', says)
    const off = event.TriggerDeactivated({ trigger_id: 3 })
    given(workflows, ...draft, off)
      .when(enable(1), NO_RECORDS)
      .refuses('invalid', says)
    given(workflows, ...draft, event.WorkflowArchived())
      .when(enable(1), NO_RECORDS)
      .refuses('invalid', 'An archived workflow cannot be enabled.')
  })
})
