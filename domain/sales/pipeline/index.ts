import { Type } from 'typebox'
import { decimal, group, list as listOf, reference, text } from '../../kernel/model/fields.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { crud } from '../../resources/crud.ts'
import { byId, list, show, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { inside } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { pipeline, stage } from './model.ts'
import { pipelines } from './rules.ts'

/** Sums in minor steps of the value's own decimals, so that 0.1 + 0.2 stays 0.3. */
const sum = (opportunities: readonly Document[]): number => {
  const thousandths = opportunities.reduce((total, one) => total + Math.round(Number(one.value ?? 0) * 1000), 0)
  return thousandths / 1000
}

/** What stands in a stage. */
const within = (load: Loader, stageId: number) => load.where('sales/opportunity', 'pipelines_stage_id', stageId)

/** The contract has totals as whole numbers. */
const total = nullable(Type.Integer())

const STAGES = '/sales/pipelines/{pipeline_id}/stages'

/** Sales::Pipelines::Stage, with totals over what stands in it; the weight is the probability as a fraction. */
export const stageResource = serve(stage, pipelines, {
  title: 'Sales::Pipelines::Stage',
  root: 'sales_pipelines_stage',
  category: 'opportunities',
  under: { param: 'pipeline_id', resource: 'sales/pipeline', field: 'pipeline_id' },
  view: {
    workspace_id: { schema: nullable(Type.Integer()), of: ({ workspace_id }) => workspace_id ?? null },
    opportunity_ids: {
      schema: nullable(Type.Array(Type.Integer())),
      of: async ({ id }, load) => (await within(load, id)).map((one) => Number(one.id)),
    },
    total_value: { schema: total, of: async ({ id }, load) => Math.round(sum(await within(load, id))) },
    weighted_value: {
      schema: nullable(Type.Number()),
      of: async ({ id, close_probability }, load) =>
        Math.round(sum(await within(load, id)) * close_probability * 10) / 1000,
    },
  },
  operations: crud('SalesPipelinesStages', STAGES, '/sales/pipelines/stages/{id}', {
    list: { filters: { id: byId }, sorts: ['id', 'updated_at', 'sort_order'] },
  }),
})

const PIPELINES = '/workspaces/{workspace_id}/sales/pipelines'
const probability = { min: 0, max: 100 } as const

/** An empty list of stages is refused by the pipeline itself, in the contract's words. */
const firstStages = listOf(
  group({ name: text({ required: true }), close_probability: decimal({ required: true, ...probability }) }),
  { default: [], nullable: false, max: 100 },
)
/** On a change an entry with an `id` alters that stage and one without adds a stage at the end; the contract leaves it open. */
const changedStages = listOf(
  group({ id: reference('sales/pipelines/stage'), name: text(), close_probability: decimal(probability) }),
  { max: 100 },
)
const ids = ({ stages_attributes: entries }: { readonly stages_attributes?: unknown }) =>
  Array.isArray(entries) ? entries.length : 0

/** Sales::Pipeline, made with its stages. */
export const pipelineResource = serve(pipeline, pipelines, {
  title: 'Sales::Pipeline',
  root: 'sales_pipeline',
  category: 'opportunities',
  under: workspace,
  view: {
    total_value: {
      schema: total,
      of: async ({ stage_ids }, load) =>
        Math.round(sum((await Promise.all(stage_ids.map((id) => within(load, id)))).flat())),
    },
    stages: { many: 'stage_ids', shows: inside(stageResource, 'created_at', 'updated_at'), orNull: true },
  },
  operations: {
    listSalesPipelines: list(PIPELINES, { filters: { id: byId } }),
    createSalesPipelines: creates(PIPELINES, { input: { stages_attributes: firstStages }, ids }),
    getSalesPipelines: show('/sales/pipelines/{id}'),
    updateSalesPipelines: changes('/sales/pipelines/{id}', { input: { stages_attributes: changedStages }, ids }),
    /** Not in the operation tables, but in the contract's rules: only an empty pipeline can go. */
    removeSalesPipelines: removes('/sales/pipelines/{id}', { beyondContract: true }),
  },
})
