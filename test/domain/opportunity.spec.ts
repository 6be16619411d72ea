import { opportunityAggregate } from '../../domain/sales/opportunity/aggregate.ts'
import type { OpportunityEvent } from '../../domain/sales/opportunity/events.ts'
import { AT, basics, given, WORKSPACE } from '../support/decider.ts'

const opened: OpportunityEvent = {
  type: 'OpportunityOpened',
  data: {
    name: 'Deal',
    pipeline_id: 1,
    pipelines_stage_id: 10,
    sort_order: 0,
    primary_contact_id: 5,
    value: '10.00',
    assignee_id: null,
  },
}
const stage = (closeProbability: number) => ({ pipelineId: 1, closeProbability, nextSortOrder: 3 })
const facts = (closeProbability?: number) => ({
  currency: 'USD',
  ...(closeProbability !== undefined && { stage: stage(closeProbability) }),
})
const change = (fields: object) => ({ type: 'ChangeOpportunity', workspaceId: WORKSPACE, fields, ...basics }) as const
const closed = (first: boolean, at = AT): OpportunityEvent => ({
  type: 'OpportunityClosed',
  data: { closed_at: at, first },
})
const staged = (to: number, from: number): OpportunityEvent => ({
  type: 'OpportunityStaged',
  data: { pipeline_id: 1, pipelines_stage_id: to, from_stage_id: from, sort_order: 3 },
})

describe('sales opportunity', () => {
  it('opens in a stage, with its value in the scale of the currency', () => {
    const fields = { name: 'Deal', pipelines_stage_id: 10, primary_contact_id: 5, value: '10' }
    given(opportunityAggregate)
      .when(
        { type: 'OpenOpportunity', workspaceId: WORKSPACE, fields, ...basics },
        { ...facts(), stage: { ...stage(50), nextSortOrder: 0 } },
      )
      .then(opened)
    given(opportunityAggregate)
      .when(
        { type: 'OpenOpportunity', workspaceId: WORKSPACE, fields: { ...fields, value: '1.005' }, ...basics },
        facts(50),
      )
      .refuses('invalid', 'Value must be an amount of USD with at most 2 decimals')
  })

  for (const probability of [0, 100]) {
    it(`is closed by a stage of ${probability} percent, once`, () => {
      given(opportunityAggregate, opened)
        .when(change({ pipelines_stage_id: 20 }), facts(probability))
        .then(staged(20, 10), closed(true))
      given(opportunityAggregate, opened, staged(20, 10), closed(true, '2026-01-01T00:00:00.000Z'))
        .when(change({ pipelines_stage_id: 30 }), facts(probability))
        .then(staged(30, 20))
    })
  }

  it('stays closed when it moves on, and is not closed by other stages', () => {
    given(opportunityAggregate, opened, closed(true))
      .when(change({ pipelines_stage_id: 20 }), facts(50))
      .then(staged(20, 10))
    given(opportunityAggregate, opened)
      .when(change({ pipelines_stage_id: 20 }), facts(50))
      .then(staged(20, 10))
  })

  it('can be closed and reopened by hand; only the first closing is the first', () => {
    given(opportunityAggregate, opened, closed(true))
      .when(change({ closed_at: null }), facts())
      .then({ type: 'OpportunityReopened', data: {} })
    given(opportunityAggregate, opened, closed(true), { type: 'OpportunityReopened', data: {} })
      .when(change({ closed_at: AT }), facts())
      .then(closed(false))
  })

  it('says nothing new when nothing differs', () => {
    given(opportunityAggregate, opened)
      .when(
        change({ name: 'Deal', value: 10, assignee_id: null, primary_contact_id: 5, pipelines_stage_id: 10 }),
        facts(100),
      )
      .thenNothing()
  })

  it('takes its notes with it', () => {
    const written: OpportunityEvent = { type: 'NoteWritten', data: { note_id: 9, content: 'Call', created_by_id: 11 } }
    given(opportunityAggregate, opened)
      .when({ type: 'WriteNote', noteId: 9, fields: { content: 'Call' }, ...basics }, facts())
      .then(written)
    given(opportunityAggregate, opened, written)
      .when({ type: 'RemoveOpportunity', ...basics }, facts())
      .then({ type: 'OpportunityRemoved', data: { note_ids: [9] } })
    given(opportunityAggregate, opened, written)
      .when({ type: 'ReviseNote', noteId: 9, fields: { content: 'Call' }, ...basics }, facts())
      .thenNothing()
    given(opportunityAggregate, opened)
      .when({ type: 'RemoveNote', noteId: 9, ...basics }, facts())
      .refuses('notFound', /missing/)
  })
})
