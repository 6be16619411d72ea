import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { MAX_DEPTH } from '../../../domain/resources/tree/tree.ts'
import { workflow } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import { MOST_STEPS } from '../../../domain/workflows/workflow/step-rules.ts'
import { MOST_TRIGGERS } from '../../../domain/workflows/workflow/trigger-rules.ts'
import { ask, given } from '../../support/decider.ts'

const { event } = workflow

const created = event.WorkflowCreated({ name: 'W' })
const FACTS = { found: new Map(), currency: 'USD' }
const create = (wanted: object) => ask('create', { sent: {}, ...wanted }, { child: 'steps', id: 9999 })
const stepsOf = (count: number): readonly DomainEvent[] =>
  Array.from({ length: count }, (_, index) =>
    event.StepAdded({
      ...{ step_id: index + 10, step_type: 'delay_step', name: 'S', settings: {} },
      place: { split_id: null, branch: 0, index },
    }),
  )
/** Splits, each in a branch of the one before. */
const nested = (count: number): readonly DomainEvent[] =>
  Array.from({ length: count }, (_, index) =>
    event.StepAdded({
      ...{ step_id: index + 10, step_type: 'split_test_step', name: 'S', settings: {} },
      place: { split_id: index === 0 ? null : index + 9, branch: 0, index: 0 },
    }),
  )

describe('bounds of workflows', () => {
  it('are so many steps', () => {
    const says = `A workflow has at most ${MOST_STEPS} steps`
    given(workflows, created, ...stepsOf(MOST_STEPS))
      .when(create({ type: 'delay_step' }), FACTS)
      .refuses('invalid', says)
  })

  it('are so many triggers', () => {
    const triggers = Array.from({ length: MOST_TRIGGERS }, (_, index) =>
      event.TriggerAdded({
        ...{ trigger_id: index + 10, event_type_key: '$optin', active: true, allow_anonymous_contacts: true },
      }),
    )
    const added = { event_type_key: '$view', active: true, allow_anonymous_contacts: true }
    given(workflows, created, ...triggers)
      .when(ask('create', added, { child: 'triggers', id: 9999 }), new Map())
      .refuses('invalid', `A workflow has at most ${MOST_TRIGGERS} triggers`)
  })

  it('are so many splits around a split, though not around another step', () => {
    const place = { parent: { id: MAX_DEPTH + 9, sent: '' }, branch: '1' }
    const events = [created, ...nested(MAX_DEPTH)]
    given(workflows, ...events)
      .when(create({ type: 'split_test_step', ...place }), FACTS)
      .refuses('invalid', `Splits can be nested ${MAX_DEPTH} deep`)
    given(workflows, ...events)
      .when(create({ type: 'notify_step', ...place, sent: { message: 'Hi' } }), FACTS)
      .then(
        event.StepAdded({
          ...{ step_id: 9999, step_type: 'notify_step', name: 'Notify Step' },
          settings: { user_ids: [], message: 'Hi', notify_type: [] },
          place: { split_id: MAX_DEPTH + 9, branch: 1, index: 0 },
        }),
      )
  })
})
