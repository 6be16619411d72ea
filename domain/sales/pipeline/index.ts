import type { JsonObject } from '../../kernel/event.ts'
import { decimal, type FieldTable, group, integer, list as listOf, reference, text } from '../../kernel/fields.ts'
import type { Owner, Resource, WriteInput } from '../../kernel/resource.ts'
import { byId, change, create, list, remove, show, workspace } from '../../kinds/operations.ts'
import { basics } from '../../kinds/record.ts'
import { type PipelineCommand, pipelineAggregate, type StageFields } from './aggregate.ts'
import { pipelineDocuments, stageDocuments } from './documents.ts'
import type { NewStage } from './events.ts'
import { pipelineView, stageView } from './views.ts'

const probability = decimal({ required: true, min: 0, max: 100, about: 'Percent' })
const stageAttributes: FieldTable = { name: text({ required: true }), close_probability: probability }
/** On a change an entry with an `id` alters that stage and one without adds a stage at the end; the contract leaves it open. */
const changedStage: FieldTable = {
  id: reference('sales/pipelines/stage'),
  name: text(),
  close_probability: decimal({ min: 0, max: 100 }),
}

/** An empty list of stages is refused by the pipeline itself, in the contract's words. */
const pipelineFields: FieldTable = {
  name: text({ required: true }),
  stages_attributes: listOf(group(stageAttributes), { default: [], nullable: false, max: 100 }),
}
const pipelineChanges: FieldTable = {
  name: text({ required: true }),
  stages_attributes: listOf(group(changedStage), { max: 100 }),
}

const stageFields: FieldTable = {
  name: text({ required: true }),
  sort_order: integer({ nullable: true, min: 0, about: 'Wanted position, from 0; absent: at the end' }),
  close_probability: probability,
}

const newStage = (input: WriteInput, attributes: JsonObject): NewStage => ({
  id: input.mint(),
  name: String(attributes.name ?? ''),
  close_probability: Number(attributes.close_probability ?? 0),
})

const entries = (input: WriteInput): readonly JsonObject[] =>
  (input.fields.stages_attributes ?? []) as readonly JsonObject[]

const changePipeline = (input: WriteInput): PipelineCommand => ({
  type: 'ChangePipeline',
  ...(input.fields.name !== undefined && { name: String(input.fields.name) }),
  newStages: entries(input)
    .filter((entry) => entry.id === undefined)
    .map((entry) => newStage(input, entry)),
  stageChanges: entries(input).flatMap(({ id, ...fields }) =>
    id === undefined ? [] : [{ id: Number(id), ...(fields as StageFields) }],
  ),
  ...basics(input),
})

const PIPELINES = '/workspaces/{workspace_id}/sales/pipelines'

/** Sales::Pipeline, made with its stages. */
export const pipeline: Resource = {
  name: 'sales/pipeline',
  tag: 'Sales::Pipeline',
  root: 'sales_pipeline',
  category: 'opportunities',
  under: workspace,
  aggregate: pipelineAggregate,
  documents: pipelineDocuments,
  view: pipelineView,
  operations: {
    listSalesPipelines: list(PIPELINES, { filters: { id: byId } }),
    createSalesPipelines: create(PIPELINES, 'sales_pipeline', pipelineFields, {
      command: (input): PipelineCommand => ({
        type: 'OpenPipeline',
        name: String(input.fields.name),
        stages: entries(input).map((entry) => newStage(input, entry)),
        ...basics(input),
      }),
    }),
    getSalesPipelines: show('/sales/pipelines/{id}'),
    updateSalesPipelines: change('/sales/pipelines/{id}', 'sales_pipeline', pipelineChanges, {
      command: changePipeline,
    }),
    /** Not in the operation tables, but in the contract's rules: only an empty pipeline can go. */
    removeSalesPipelines: remove('/sales/pipelines/{id}', {
      beyondContract: true,
      command: (input): PipelineCommand => ({ type: 'RemovePipeline', ...basics(input) }),
    }),
  },
}

const underPipeline: Owner = { param: 'pipeline_id', resource: 'sales/pipeline', field: 'pipeline_id' }
const STAGES = '/sales/pipelines/{pipeline_id}/stages'

/** Sales::Pipelines::Stage, in its pipeline's stream. */
export const stage: Resource = {
  name: 'sales/pipelines/stage',
  tag: 'Sales::Pipelines::Stage',
  root: 'sales_pipelines_stage',
  category: 'opportunities',
  under: underPipeline,
  aggregate: pipelineAggregate,
  documents: stageDocuments,
  view: stageView,
  operations: {
    listSalesPipelinesStages: list(STAGES, { filters: { id: byId }, sorts: ['id', 'updated_at', 'sort_order'] }),
    createSalesPipelinesStages: create(STAGES, 'sales_pipelines_stage', stageFields, {
      command: ({ fields, ...input }): PipelineCommand => ({
        type: 'AddStage',
        stage: { id: input.id, name: String(fields.name), close_probability: Number(fields.close_probability) },
        ...(typeof fields.sort_order === 'number' && { position: fields.sort_order }),
        ...basics({ fields, ...input }),
      }),
    }),
    getSalesPipelinesStages: show('/sales/pipelines/stages/{id}'),
    updateSalesPipelinesStages: change('/sales/pipelines/stages/{id}', 'sales_pipelines_stage', stageFields, {
      command: (input): PipelineCommand => {
        const { sort_order, ...fields } = input.fields
        const position = typeof sort_order === 'number' ? { sort_order } : {}
        return {
          type: 'ChangeStage',
          stageId: input.id,
          fields: { ...(fields as StageFields), ...position },
          ...basics(input),
        }
      },
    }),
    removeSalesPipelinesStages: remove('/sales/pipelines/stages/{id}', {
      command: (input): PipelineCommand => ({ type: 'RemoveStage', stageId: input.id, ...basics(input) }),
    }),
  },
}
