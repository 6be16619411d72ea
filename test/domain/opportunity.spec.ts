import { opportunities } from '../../domain/sales/opportunity/rules.ts'
import { AT, ask, given } from '../support/decider.ts'

const opened = {
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
const facts = (close_probability?: number) => ({
  currency: 'USD',
  nextSortOrder: 3,
  ...(close_probability !== undefined && { stage: { pipeline_id: 1, close_probability } }),
})
const change = (wanted: object) => ask('change', wanted)
const closed = (first: boolean, at = AT) => ({
  type: 'OpportunityClosed',
  data: { closed_at: at, first },
})
const staged = (to: number, from: number) => ({
  type: 'OpportunityStaged',
  data: { pipeline_id: 1, pipelines_stage_id: to, from_stage_id: from, sort_order: 3 },
})

describe('sales opportunity', () => {
  it('opens in a stage, with its value in the scale of the currency', () => {
    const fields = { name: 'Deal', pipelines_stage_id: 10, primary_contact_id: 5, value: '10' }
    given(opportunities)
      .when(ask('create', fields), { ...facts(50), nextSortOrder: 0 })
      .then(opened)
    given(opportunities)
      .when(ask('create', { ...fields, value: '1.005' }), facts(50))
      .refuses('invalid', 'Value must be an amount of USD with at most 2 decimals')
  })

  for (const probability of [0, 100]) {
    it(`is closed by a stage of ${probability} percent, once`, () => {
      given(opportunities, opened)
        .when(change({ pipelines_stage_id: 20 }), facts(probability))
        .then(staged(20, 10), closed(true))
      given(opportunities, opened, staged(20, 10), closed(true, '2026-01-01T00:00:00.000Z'))
        .when(change({ pipelines_stage_id: 30 }), facts(probability))
        .then(staged(30, 20))
    })
  }

  it('leaves a stage that has ended for the next one, and ends where there is none', () => {
    const leave = (...ended_ids: number[]) => ask('leaveStage', { ended_ids })
    const next = { ...facts(), stage: { id: 20, pipeline_id: 1, close_probability: 100 } }
    given(opportunities, opened).when(leave(10), next).then(staged(20, 10))
    given(opportunities, opened).when(leave(11), next).thenNothing()
    given(opportunities, opened, staged(20, 10)).when(leave(10), next).thenNothing()
    const note = { type: 'NoteWritten', data: { note_id: 7, content: 'Called', created_by_id: null } }
    given(opportunities, opened, note)
      .when(leave(10), facts())
      .then({ type: 'OpportunityRemoved', data: { note_ids: [7] } })
  })

  it('stays closed when it moves on, and is not closed by other stages', () => {
    given(opportunities, opened, closed(true))
      .when(change({ pipelines_stage_id: 20 }), facts(50))
      .then(staged(20, 10))
    given(opportunities, opened)
      .when(change({ pipelines_stage_id: 20 }), facts(50))
      .then(staged(20, 10))
  })

  it('can be closed and reopened by hand; only the first closing is the first', () => {
    given(opportunities, opened, closed(true))
      .when(change({ closed_at: null }), facts())
      .then({ type: 'OpportunityReopened', data: {} })
    given(opportunities, opened, closed(true), { type: 'OpportunityReopened', data: {} })
      .when(change({ closed_at: AT }), facts())
      .then(closed(false))
  })

  it('has no events when nothing differs', () => {
    given(opportunities, opened)
      .when(
        change({ name: 'Deal', value: 10, assignee_id: null, primary_contact_id: 5, pipelines_stage_id: 10 }),
        facts(100),
      )
      .thenNothing()
  })

  it('takes its notes with it', () => {
    const note = { child: 'notes', id: 9 }
    const written = { type: 'NoteWritten', data: { note_id: 9, content: 'Call', created_by_id: 11 } }
    given(opportunities, opened)
      .when(ask('create', { content: 'Call' }, note), facts())
      .then(written)
    given(opportunities, opened, written)
      .when(ask('remove'), facts())
      .then({ type: 'OpportunityRemoved', data: { note_ids: [9] } })
    given(opportunities, opened, written)
      .when(ask('change', { content: 'Call' }, note), facts())
      .thenNothing()
    given(opportunities, opened)
      .when(ask('remove', {}, note), facts())
      .refuses('notFound', /missing/)
  })
})
