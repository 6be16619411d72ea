import { managed, requested } from '../../kernel/model/field.ts'
import { decimal, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** A stage as it begins. */
export type NewStage = { readonly id: number; readonly name: string; readonly close_probability: number }

/** The full order of the stages after an event: the place of an id is its `sort_order`. */
type Order = readonly number[]

/** What happened to one stage, and the order that comes of it. */
type Moved = { readonly stage_id: number; readonly order: Order }

const begun = ({ name, close_probability }: NewStage, order: Order, id: number) => ({
  name,
  close_probability,
  sort_order: order.indexOf(id),
})

/** Where an opportunity stands, and how likely it is to be won there. */
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
        return begun(stages[order.indexOf(id)]!, order, id)
      },
    },
    StageAdded: {
      of: ({ order }: { readonly order: Order }) => order,
      evolve: (before, data: { readonly stage: NewStage; readonly order: Order }, { id }) =>
        before ? { sort_order: data.order.indexOf(id) } : begun(data.stage, data.order, id),
    },
    StageRenamed: { sets: ['name'] },
    StageProbabilitySet: { sets: ['close_probability'] },
    StageMoved: {
      of: ({ order }: Moved) => order,
      evolve: (_, { order }: Moved, { id }) => ({ sort_order: order.indexOf(id) }),
    },
    StageRemoved: {
      of: ({ order, stage_id }: Moved) => [...order, stage_id],
      evolve: (_, { order, stage_id }: Moved, { id }) => (id === stage_id ? null : { sort_order: order.indexOf(id) }),
    },
  },
})

const ordered = { evolve: (_: unknown, { order }: { readonly order: Order }) => ({ stage_ids: order }) }

/** The way of a sale, made with its stages: their order, and that one is left, is its concern (spec 2.2). */
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
    // What is shown with a pipeline is a change of it.
    StageRenamed: {},
    StageProbabilitySet: {},
  },
  children: { stages: { model: stage, key: 'stage_id', keys: 'stage_ids' } },
})
