import { Type } from 'typebox'
import { decimal, group, list as listOf, reference, text } from '../../kernel/model/fields.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { crud } from '../../resources/crud.ts'
import { byId, list, show, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { pipeline, stage } from './model.ts'
import { pipelines } from './rules.ts'

/** Returns the total value of opportunities. Adds whole thousandths, so that 0.1 + 0.2 is 0.3. */
const sum = (opportunities: readonly Document[]): number => {
  const thousandths = opportunities.reduce((total, one) => total + Math.round(Number(one.value ?? 0) * 1000), 0)
  return thousandths / 1000
}

/** Loads the opportunities in a stage. */
const opportunitiesIn = (load: Loader, stageId: number) =>
  load.where('sales/opportunity', 'pipelines_stage_id', stageId)

/** Schema of totals, which are whole numbers in the contract. */
const total = nullable(Type.Integer())

const STAGES = '/sales/pipelines/{pipeline_id}/stages'
const probability = { min: 0, max: 100 } as const

/** Sales::Pipelines::Stage, with totals of its opportunities. The weighted total is multiplied by the probability as a fraction. */
export const stageResource = serve(stage, pipelines, {
  title: 'Sales::Pipelines::Stage',
  root: 'sales_pipelines_stage',
  category: 'opportunities',
  under: { param: 'pipeline_id', resource: 'sales/pipeline', field: 'pipeline_id' },
  view: {
    workspace_id: { schema: nullable(Type.Integer()), of: ({ workspace_id }) => workspace_id ?? null },
    opportunity_ids: {
      schema: nullable(Type.Array(Type.Integer())),
      of: async ({ id }, load) => (await opportunitiesIn(load, id)).map((one) => Number(one.id)),
    },
    total_value: { schema: total, of: async ({ id }, load) => Math.round(sum(await opportunitiesIn(load, id))) },
    weighted_value: {
      schema: nullable(Type.Number()),
      of: async ({ id, close_probability }, load) =>
        Math.round(sum(await opportunitiesIn(load, id)) * close_probability * 10) / 1000,
    },
  },
  operations: crud('SalesPipelinesStages', STAGES, '/sales/pipelines/stages/{id}', {
    list: { filters: { id: byId }, sorts: ['id', 'updated_at', 'sort_order'] },
    change: { input: { close_probability: decimal({ nullable: true, initial: 0, ...probability, about: 'Percent' }) } },
  }),
})

const PIPELINES = '/workspaces/{workspace_id}/sales/pipelines'
/** Stages of a new pipeline. The rules refuse an empty list, with the contract's message. */
const firstStages = listOf(
  group({ name: text({ required: true }), close_probability: decimal({ required: true, ...probability }) }),
  { default: [], nullable: false, max: 100 },
)
/** Stages in a change: an entry with an `id` changes that stage, one without adds a stage at the end. The contract does not say. */
const changedStages = listOf(
  group({ id: reference('sales/pipelines/stage'), name: text(), close_probability: decimal(probability) }),
  { max: 100 },
)
const ids = ({ stages_attributes: entries }: { readonly stages_attributes?: unknown }) =>
  Array.isArray(entries) ? entries.length : 0

/** Sales::Pipeline, created with its stages. */
export const pipelineResource = serve(pipeline, pipelines, {
  title: 'Sales::Pipeline',
  root: 'sales_pipeline',
  category: 'opportunities',
  under: workspace,
  view: {
    total_value: {
      schema: total,
      of: async ({ stage_ids }, load) =>
        Math.round(sum((await Promise.all(stage_ids.map((id) => opportunitiesIn(load, id)))).flat())),
    },
    stages: { many: 'stage_ids', shows: embeddedShape(stageResource, 'created_at', 'updated_at'), orNull: true },
  },
  operations: {
    listSalesPipelines: list(PIPELINES, { filters: { id: byId } }),
    createSalesPipelines: creates(PIPELINES, { input: { stages_attributes: firstStages }, ids }),
    getSalesPipelines: show('/sales/pipelines/{id}'),
    updateSalesPipelines: changes('/sales/pipelines/{id}', { input: { stages_attributes: changedStages }, ids }),
    /** The contract's operation tables lack it, but its rules mention it: only an empty pipeline can be removed. */
    removeSalesPipelines: removes('/sales/pipelines/{id}', { beyondContract: true }),
  },
})
