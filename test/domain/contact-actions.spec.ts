import { expect } from 'chai'
import { tagAction } from '../../domain/contacts/actions.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { audienceOf } from '../../domain/resources/jobs/audience.ts'
import { MAX_LISTED_FAILURES } from '../../domain/resources/jobs/progress.ts'
import { AT, ask, given, stateAfter, WORKSPACE } from '../support/decider.ts'

const { decider, targets } = tagAction
const filter = { conjunction: 'and', criteria: [{ attribute: 'first_name', clause: 'eq', value: 'Ada' }] }
const stored = { id: 5, filter }
const token = { id: 6, proposal: { conjunction: 'and', criteria: [] } }
const create = (wanted: object) => ask('create', { tag_ids: [3], action_type: 'add', scheduled_for: null, ...wanted })
const queued = (selection: object) => ({
  type: 'ContactsTagActionQueued',
  data: {
    tag_ids: [3],
    action_type: 'add',
    target_ids: null,
    target_all: null,
    filter_id: null,
    filter: null,
    scheduled_for: null,
    created_by_id: 11,
    ...selection,
  },
})
const started = { type: 'ContactsTagActionStarted', data: { target_count: 3 } }
const come = { performed_count: 2, failed_count: 1, failed_ids: [8], failure_reason: 'gone', cursor: 8 }

describe('action on many contacts', () => {
  it('stores its audience: the named contacts, everybody, or a copy of the filter', () => {
    given(decider)
      .when(create({ target_ids: [7, 8] }))
      .then(queued({ target_ids: [7, 8] }))
    given(decider)
      .when(create({ target_all: true }))
      .then(queued({ target_all: true }))
    given(decider)
      .when(create({ stored }))
      .then(queued({ filter_id: 5, filter }))
    given(decider)
      .when(create({ token }), filter)
      .then(queued({ filter_id: 6, filter }))
  })

  it('needs exactly one selection', () => {
    const names = 'stable_id, stored_filter_id, target_ids, or target_all'
    for (const nothing of [{}, { target_ids: [] }, { target_all: false }, { target_ids: null, target_all: null }])
      given(decider).when(create(nothing)).refuses('invalid', `provide a selection: ${names}`)
    const all = { target_ids: [7], target_all: true, stored, token }
    for (const [one, choice] of Object.entries(all))
      for (const [other, second] of Object.entries(all))
        if (one !== other)
          given(decider)
            .when(create({ [one]: choice, [other]: second }), filter)
            .refuses('invalid', `provide only one selection: ${names}`)
  })

  it('is started by its timer when it was scheduled, and counted afterwards', () => {
    const scheduled = queued({ target_all: true, scheduled_for: '2026-03-02T00:00:00.000Z' })
    const unaware = { type: 'ContactsTagActionStarted', data: { target_count: null } }
    given(decider, scheduled).when(ask('start')).then(unaware)
    given(decider, scheduled, unaware).when(ask('start')).thenNothing()
    given(decider, scheduled, unaware)
      .when(ask('advance', { ...come, target_count: 3 }))
      .then({ type: 'ContactsTagActionAdvanced', data: { target_count: 3, ...come } })
    const timersAfter = (...events: Parameters<typeof stateAfter>[1]) =>
      tagAction.resource.timers!.of(stateAfter(decider, events).documents['contacts/tag_action']!.get(1)!)
    expect(timersAfter(scheduled).map(({ name, due }) => [name, due])).to.deep.equal([
      ['start', '2026-03-02T00:00:00.000Z'],
    ])
    expect(timersAfter(scheduled, unaware)).to.deep.equal([])
    expect(timersAfter(queued({ target_all: true }))).to.deep.equal([])
  })

  it('is refused with a token that cannot be used in the workspace', () => {
    given(decider)
      .when(create({ token }), refuse.invalid('stable_id cannot be used here'))
      .refuses('invalid', 'stable_id cannot be used here')
  })

  it('reports its progress, with at most a thousand failures', () => {
    given(decider, queued({ target_all: true }), started)
      .when(ask('advance', come))
      .then({ type: 'ContactsTagActionAdvanced', data: come })
    const failed_ids = Array.from({ length: MAX_LISTED_FAILURES + 1 }, (_, id) => id + 1)
    given(decider, queued({ target_all: true }), started)
      .when(ask('advance', { ...come, failed_count: MAX_LISTED_FAILURES + 1, failed_ids }))
      .then({
        type: 'ContactsTagActionAdvanced',
        data: { ...come, failed_count: MAX_LISTED_FAILURES + 1, failed_ids: failed_ids.slice(0, MAX_LISTED_FAILURES) },
      })
  })

  it('ends once, with the number of targets processed', () => {
    const completed = { type: 'ContactsTagActionCompleted', data: { target_count: 2, ...come } }
    given(decider, queued({ target_all: true }), started)
      .when(ask('complete', come))
      .then(completed)
    given(decider, queued({ target_all: true }), started, completed)
      .when(ask('complete', come))
      .thenNothing()
  })
})

describe('audience of an action', () => {
  const evaluation = { at: AT, token: (purpose: string, value: string) => `${purpose}:${value}` }
  const of = (selected: object) => audienceOf(targets, { id: 1, workspace_id: WORKSPACE, ...selected }, evaluation)
  const person = (first_name: string, more: object = {}) => ({
    id: 7,
    deleted_at: null,
    redacted_email: null,
    personal: { first_name },
    ...more,
  })

  it('are the named contacts, in any state', () => {
    expect(of({ target_ids: [7, 8] })).to.deep.equal({ where: { workspace_id: WORKSPACE, id: { $in: [7, 8] } } })
  })

  it('is everybody who is listed', () => {
    expect(of({ target_all: true })).to.deep.equal({ where: { workspace_id: WORKSPACE, listed: true } })
  })

  it('are the contacts that match the filter when it is opened', () => {
    const { where, test } = of({ filter_id: 5, filter })
    expect(where).to.include({ workspace_id: WORKSPACE, listed: true })
    expect(['Ada', 'Bob'].map((name) => test?.(person(name)))).to.deep.equal([true, false])
    expect(test?.(person('Ada', { deleted_at: AT }))).to.equal(false)
  })

  it('is anonymous where the filter speaks of that', () => {
    const anonymous = { conjunction: 'and', criteria: [{ attribute: 'anonymous', clause: 'eq', value: ['true'] }] }
    expect(of({ filter: anonymous }).where).to.deep.include({ listed: { $in: [true, false] } })
  })

  it('is nobody when nothing is selected', () => {
    expect(of({ filter_id: 5 })).to.deep.equal({ where: { workspace_id: WORKSPACE, id: { $in: [] } } })
  })
})
