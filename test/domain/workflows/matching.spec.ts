import { expect } from 'chai'
import { CONDITIONS, losing } from '../../../domain/workflows/workflow/conditions.ts'
import { type AwaitedEvent, isAwaited, type Occurrence } from '../../../domain/workflows/workflow/matching.ts'
import { trigger as triggerModel, workflow } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import { ask, given, ROOT, stateAfter } from '../../support/decider.ts'

const { event } = workflow

const none = {
  ...{ contacts_tag_id: null, funnel_id: null, page_id: null, product_id: null, cancellation_product_id: null },
  ...{ product_variant_id: null, cancellation_product_variant_id: null, subscription_variant_to_id: null },
  ...{ sales_pipelines_id: null, current_sales_pipelines_stage_id: null, appointments_calendar_id: null },
  ...{ appointments_event_type_id: null, course_id: null, courses_lesson_id: null, courses_section_id: null },
  ...{ community_id: null, communities_space_id: null, communities_space_group_id: null, emails_broadcasts_id: null },
  ...{ calendar_event_id: null, survey_workflow_id: null, workflows_step_id: null },
}

const trigger = (more: Partial<AwaitedEvent> = {}): AwaitedEvent => ({
  ...none,
  event_type_key: '$contact.tag_applied',
  active: true,
  allow_anonymous_contacts: true,
  subscription_cancelation_reason: null,
  lost_conditions: [],
  ...more,
})

const applied = (conditions: Occurrence['conditions'], more: Partial<Occurrence> = {}): Occurrence => ({
  key: '$contact.tag_applied',
  isAnonymous: false,
  conditions,
  ...more,
})

describe('conditions of triggers', () => {
  it('are 22, each met by an event that has to do with its record', () => {
    expect(CONDITIONS).to.have.length(22)
    for (const name of CONDITIONS) {
      const wants = trigger({ [name]: 5 })
      expect(isAwaited(wants, applied({ [name]: [4, 5] })), name).to.equal(true)
      expect(isAwaited(wants, applied({ [name]: 5 })), `${name} alone`).to.equal(true)
      expect(isAwaited(wants, applied({ [name]: null })), `${name} without a value`).to.equal(false)
      expect(isAwaited(wants, applied({ [name]: [4] })), name).to.equal(false)
      expect(isAwaited(wants, applied({})), `${name} without ids`).to.equal(false)
      expect(isAwaited(trigger(), applied({ [name]: [4] })), `no condition on ${name}`).to.equal(true)
    }
  })

  it('must all be met', () => {
    const both = trigger({ contacts_tag_id: 5, product_id: 6 })
    expect(isAwaited(both, applied({ contacts_tag_id: [5], product_id: [6] }))).to.equal(true)
    expect(isAwaited(both, applied({ contacts_tag_id: [5], product_id: [7] }))).to.equal(false)
  })

  it('14 83: a condition whose object was deleted matches nothing, never everything', () => {
    const lost = trigger({ contacts_tag_id: 5, lost_conditions: ['contacts_tag_id'] })
    const met: readonly Occurrence['conditions'][] = [{}, { contacts_tag_id: [5] }, { contacts_tag_id: 4 }]
    for (const conditions of met)
      expect(isAwaited(lost, applied(conditions)), JSON.stringify(conditions)).to.equal(false)
  })

  it('14 83: the trigger keeps the id and remembers that its object is gone, until it gets another', () => {
    const attributes = { ...none, event_type_key: '$contact.tag_applied', active: true, allow_anonymous_contacts: true }
    const added = event.TriggerAdded({
      ...{ trigger_id: 3, ...attributes, subscription_cancelation_reason: null, contacts_tag_id: 5 },
    })
    const before = [event.WorkflowCreated({ name: 'W' }), added]
    const to = { child: 'triggers', id: 3 }
    const lost = event.TriggerConditionsLost({ trigger_id: 3, lost_conditions: ['contacts_tag_id'] })
    const ended = (kind: string, ids: readonly number[]) => ask(losing(kind), { ended_ids: ids }, to)
    given(workflows, ...before)
      .when(ended('contacts/tag', [4, 5]))
      .then(lost)
    given(workflows, ...before)
      .when(ended('contacts/tag', [4]))
      .thenNothing()
    given(workflows, ...before)
      .when(ended('page', [5]), undefined)
      .thenNothing()
    given(workflows, ...before, lost)
      .when(ended('contacts/tag', [5]))
      .thenNothing()
    const named = { contacts_tag_id: { id: 8, sent: '8' } }
    const renewed = workflows.decide(
      stateAfter(workflows, [...before, lost]),
      ask('change', { named }, to),
      new Map([['contacts/tag 8', { id: 8 }]]),
    )
    if (!Array.isArray(renewed)) throw renewed
    const after = stateAfter(workflows, [...before, lost, ...renewed]).documents[triggerModel.name]?.get(3)
    expect(after).to.deep.include({ contacts_tag_id: 8, lost_conditions: [], workflow_id: ROOT })
  })

  it('that name a funnel are never met on a page, which carries none', () => {
    for (const key of ['$optin', '$view'])
      expect(
        isAwaited(trigger({ event_type_key: key, funnel_id: 5 }), applied({ funnel_id: [5] }, { key })),
        key,
      ).to.equal(false)
    const bought = { key: '$order.successful_purchase' }
    expect(
      isAwaited(trigger({ event_type_key: bought.key, funnel_id: 5 }), applied({ funnel_id: [5] }, bought)),
    ).to.equal(true)
  })

  it('narrow cancellations to a reason', () => {
    const key = '$order.cancelled'
    const why = trigger({ event_type_key: key, subscription_cancelation_reason: 'too_expensive' })
    expect(isAwaited(why, applied({ subscription_cancelation_reason: 'too_expensive' }, { key }))).to.equal(true)
    expect(isAwaited(why, applied({ subscription_cancelation_reason: 'other' }, { key }))).to.equal(false)
    expect(isAwaited(why, applied({}, { key }))).to.equal(false)
  })

  it('count for active triggers alone, of their own event, and for known contacts where it says so', () => {
    expect(isAwaited(trigger({ active: false }), applied({}))).to.equal(false)
    expect(isAwaited(trigger(), applied({}, { key: '$contact.tag_removed' }))).to.equal(false)
    expect(isAwaited(trigger(), applied({}, { isAnonymous: true }))).to.equal(true)
    expect(isAwaited(trigger({ allow_anonymous_contacts: false }), applied({}, { isAnonymous: true }))).to.equal(false)
  })
})
