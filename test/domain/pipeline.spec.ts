import type { NewStage } from '../../domain/sales/pipeline/model.ts'
import { pipelines } from '../../domain/sales/pipeline/rules.ts'
import { ask, given } from '../support/decider.ts'

const stage = (id: number, name = `Stage ${id}`): NewStage => ({ id, name, close_probability: 50 })
const opened = {
  type: 'PipelineOpened',
  data: { name: 'Deals', stages: [stage(1), stage(2), stage(3)] },
}
const empty = false
const entry = ({ name, close_probability }: NewStage) => ({ name, close_probability })
const of = (id: number) => ({ child: 'stages', id })

describe('sales pipeline', () => {
  it('needs a stage', () => {
    given(pipelines)
      .when(ask('create', { name: 'Deals', stages_attributes: [] }), empty)
      .refuses('invalid', 'Pipeline must have at least one stage')
    given(pipelines)
      .when(
        ask(
          'create',
          { name: 'Deals', stages_attributes: [1, 2, 3].map((id) => entry(stage(id))) },
          { ids: [1, 2, 3] },
        ),
        empty,
      )
      .then(opened)
  })

  it('puts a new stage at the end, or at the wanted position', () => {
    given(pipelines, opened)
      .when(ask('create', entry(stage(4)), of(4)), empty)
      .then({ type: 'StageAdded', data: { stage: stage(4), order: [1, 2, 3, 4] } })
    given(pipelines, opened)
      .when(ask('create', { ...entry(stage(4)), sort_order: 1 }, of(4)), empty)
      .then({ type: 'StageAdded', data: { stage: stage(4), order: [1, 4, 2, 3] } })
  })

  it('moves a stage to a position, at most to the end', () => {
    given(pipelines, opened)
      .when(ask('change', { sort_order: 99 }, of(1)), empty)
      .then({ type: 'StageMoved', data: { stage_id: 1, order: [2, 3, 1] } })
    given(pipelines, opened)
      .when(ask('change', { sort_order: 1 }, of(2)), empty)
      .thenNothing()
  })

  it('keeps its last stage, and stages with opportunities', () => {
    const single = { type: 'PipelineOpened', data: { name: 'Deals', stages: [stage(1)] } }
    given(pipelines, single)
      .when(ask('remove', {}, of(1)), empty)
      .refuses('invalid', 'The last stage of a pipeline cannot be deleted')
    given(pipelines, opened)
      .when(ask('remove', {}, of(2)), true)
      .refuses('invalid', 'Stage must be empty before it can be deleted')
    given(pipelines, opened)
      .when(ask('remove', {}, of(2)), empty)
      .then({ type: 'StageRemoved', data: { stage_id: 2, order: [1, 3] } })
  })

  it('is removed only when it is empty', () => {
    given(pipelines, opened)
      .when(ask('remove'), true)
      .refuses('invalid', 'Pipeline must be empty before it can be deleted')
    given(pipelines, opened)
      .when(ask('remove'), empty)
      .then({ type: 'PipelineRemoved', data: { stage_ids: [1, 2, 3] } })
  })

  it('alters stages by id and adds those without one', () => {
    given(pipelines, opened)
      .when(
        ask('change', { name: 'Deals', stages_attributes: [{ id: 2, name: 'Two' }, entry(stage(4))] }, { ids: [4, 5] }),
        empty,
      )
      .then(
        { type: 'StageRenamed', data: { stage_id: 2, name: 'Two' } },
        { type: 'StageAdded', data: { stage: stage(4), order: [1, 2, 3, 4] } },
      )
    given(pipelines, opened)
      .when(ask('change', { stages_attributes: [{ id: 99, name: 'X' }] }), empty)
      .refuses('invalid', /not a stage of this pipeline/)
  })
})
