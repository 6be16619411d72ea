import { managed, requested } from '../../kernel/model/field.ts'
import { decimal, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Stage as it is created. */
export type NewStage = { readonly id: number; readonly name: string; readonly close_probability: number }

/** Ids of all stages in order, after an event. The index of an id is its `sort_order`. */
type Order = readonly number[]

/** A stage that was moved or removed, and the order after it. */
type Moved = { readonly stage_id: number; readonly order: Order }

const newStageFields = ({ name, close_probability }: NewStage, order: Order, id: number) => ({
  name,
  close_probability,
  sort_order: order.indexOf(id),
})

/** Stage of a pipeline, with the probability that opportunities in it are won. */
export const stage = model('sales/pipelines/stage', {
  stream: 'sales/pipeline',
  owner: 'pipeline_id',
  attributes: {
    name: text({ required: true }),
    sort_order: requested(integer({ nullable: true, min: 0, about: 'Wanted position, from 0; absent: at the end' })),
    close_probability: decimal({ required: true, min: 0, max: 100, about: 'Percent' }),
  },
  events: {
    PipelineOpened: {
      of: ({ stages }: { readonly stages: readonly NewStage[] }) => stages.map(({ id }) => id),
      evolve: (_, { stages }: { readonly stages: readonly NewStage[] }, { id }) => {
        const order = stages.map((one) => one.id)
        return newStageFields(stages[order.indexOf(id)]!, order, id)
      },
    },
    StageAdded: {
      of: ({ order }: { readonly order: Order }) => order,
      evolve: (before, data: { readonly stage: NewStage; readonly order: Order }, { id }) =>
        before ? { sort_order: data.order.indexOf(id) } : newStageFields(data.stage, data.order, id),
    },
    StageRenamed: { sets: ['name'] },
    StageProbabilitySet: { sets: ['close_probability'] },
    StageMoved: {
      of: ({ order }: Moved) => order,
      evolve: (_, { order }: Moved, { id }) => ({ sort_order: order.indexOf(id) }),
    },
    StageRemoved: {
      of: ({ order, stage_id }: Moved) => [...order, stage_id],
      endsOnly: ({ stage_id }: Moved) => [stage_id],
      evolve: (_, { order }: Moved, { id }) => ({ sort_order: order.indexOf(id) }),
    },
  },
})

const ordered = { evolve: (_: unknown, { order }: { readonly order: Order }) => ({ stage_ids: order }) }

/** Pipeline, created with its stages. It keeps their order and ensures that at least one remains (spec 2.2). */
export const pipeline = model('sales/pipeline', {
  attributes: {
    name: text({ required: true }),
    stage_ids: managed(list(reference('sales/pipelines/stage'), { default: [] }), { shown: 'never' }),
  },
  events: {
    PipelineOpened: {
      creates: true,
      only: ['name'],
      evolve: (_, { stages }: { readonly stages: readonly NewStage[] }) => ({ stage_ids: stages.map(({ id }) => id) }),
    },
    PipelineRenamed: { sets: ['name'] },
    PipelineRemoved: { ends: true },
    StageAdded: ordered,
    StageMoved: ordered,
    StageRemoved: ordered,
    // Stages are shown with the pipeline, so their events change it as well.
    StageRenamed: {},
    StageProbabilitySet: {},
  },
  children: { stages: { model: stage, key: 'stage_id', keys: 'stage_ids' } },
})
