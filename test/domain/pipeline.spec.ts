import { pipelineAggregate } from '../../domain/sales/pipeline/aggregate.ts'
import type { NewStage, PipelineEvent } from '../../domain/sales/pipeline/events.ts'
import { basics, given } from '../support/decider.ts'

const stage = (id: number, name = `Stage ${id}`): NewStage => ({ id, name, close_probability: 50 })
const opened: PipelineEvent = {
  type: 'PipelineOpened',
  data: { name: 'Deals', stages: [stage(1), stage(2), stage(3)] },
}
const empty = { occupied: false }

describe('sales pipeline', () => {
  it('needs a stage', () => {
    given(pipelineAggregate)
      .when({ type: 'OpenPipeline', name: 'Deals', stages: [], ...basics }, empty)
      .refuses('invalid', 'Pipeline must have at least one stage')
    given(pipelineAggregate)
      .when({ type: 'OpenPipeline', name: 'Deals', stages: [stage(1), stage(2), stage(3)], ...basics }, empty)
      .then(opened)
  })

  it('puts a new stage at the end, or where it is wanted', () => {
    given(pipelineAggregate, opened)
      .when({ type: 'AddStage', stage: stage(4), ...basics }, empty)
      .then({ type: 'StageAdded', data: { stage: stage(4), order: [1, 2, 3, 4] } })
    given(pipelineAggregate, opened)
      .when({ type: 'AddStage', stage: stage(4), position: 1, ...basics }, empty)
      .then({ type: 'StageAdded', data: { stage: stage(4), order: [1, 4, 2, 3] } })
  })

  it('moves a stage to a position, at most to the end', () => {
    given(pipelineAggregate, opened)
      .when({ type: 'ChangeStage', stageId: 1, fields: { sort_order: 99 }, ...basics }, empty)
      .then({ type: 'StageMoved', data: { stage_id: 1, order: [2, 3, 1] } })
    given(pipelineAggregate, opened)
      .when({ type: 'ChangeStage', stageId: 2, fields: { sort_order: 1 }, ...basics }, empty)
      .thenNothing()
  })

  it('keeps its last stage, and stages with opportunities', () => {
    const single: PipelineEvent = { type: 'PipelineOpened', data: { name: 'Deals', stages: [stage(1)] } }
    given(pipelineAggregate, single)
      .when({ type: 'RemoveStage', stageId: 1, ...basics }, empty)
      .refuses('invalid', 'The last stage of a pipeline cannot be deleted')
    given(pipelineAggregate, opened)
      .when({ type: 'RemoveStage', stageId: 2, ...basics }, { occupied: true })
      .refuses('invalid', 'Stage must be empty before it can be deleted')
    given(pipelineAggregate, opened)
      .when({ type: 'RemoveStage', stageId: 2, ...basics }, empty)
      .then({ type: 'StageRemoved', data: { stage_id: 2, order: [1, 3] } })
  })

  it('goes only when it is empty', () => {
    given(pipelineAggregate, opened)
      .when({ type: 'RemovePipeline', ...basics }, { occupied: true })
      .refuses('invalid', 'Pipeline must be empty before it can be deleted')
    given(pipelineAggregate, opened)
      .when({ type: 'RemovePipeline', ...basics }, empty)
      .then({ type: 'PipelineRemoved', data: { stage_ids: [1, 2, 3] } })
  })

  it('alters stages by id and adds those without one', () => {
    given(pipelineAggregate, opened)
      .when(
        {
          type: 'ChangePipeline',
          name: 'Deals',
          newStages: [stage(4)],
          stageChanges: [{ id: 2, name: 'Two' }],
          ...basics,
        },
        empty,
      )
      .then(
        { type: 'StageRenamed', data: { stage_id: 2, name: 'Two' } },
        { type: 'StageAdded', data: { stage: stage(4), order: [1, 2, 3, 4] } },
      )
    given(pipelineAggregate, opened)
      .when({ type: 'ChangePipeline', newStages: [], stageChanges: [{ id: 99, name: 'X' }], ...basics }, empty)
      .refuses('invalid', /not a stage of this pipeline/)
  })
})
