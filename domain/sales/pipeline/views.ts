import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Loader, View } from '../../kernel/resource.ts'
import { picker } from '../../kinds/pick.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'

/** Sums in minor steps of the value's own decimals, so that 0.1 + 0.2 stays 0.3. */
const sum = (opportunities: readonly Document[]): number => {
  const thousandths = opportunities.reduce((total, one) => total + Math.round(Number(one.value ?? 0) * 1000), 0)
  return thousandths / 1000
}

/** Totals of a stage over the opportunities that stand in it; the weight is the probability as a fraction. */
const totals = (stage: JsonObject, opportunities: readonly Document[]): JsonObject => {
  const total = sum(opportunities)
  return {
    opportunity_ids: opportunities.map(({ id }) => id),
    total_value: total,
    weighted_value: Math.round(total * Number(stage.close_probability) * 10) / 1000,
  }
}

const stageCore = {
  id: Type.Integer(),
  public_id: nullableString,
  workspace_id: nullableInteger,
  pipeline_id: Type.Integer(),
  name: Type.String(),
  sort_order: nullableInteger,
  close_probability: Type.Number(),
}
const stageTotals = {
  opportunity_ids: nullable(Type.Array(Type.Integer())),
  total_value: nullable(Type.Number()),
  weighted_value: nullable(Type.Number()),
}
const times = { created_at: nullableDateTime, updated_at: nullableDateTime }

const pickStage = picker(Object.keys(stageCore))
const pickTimes = picker(Object.keys(times))
const pickPipeline = picker(['id', 'public_id', 'workspace_id', 'name', 'created_at', 'updated_at'])

const inStage = (load: Loader, stage: Document) =>
  load.where('sales/opportunity', 'pipelines_stage_id', Number(stage.id))

export const stageView: View = {
  schema: Type.Object({ ...stageCore, ...stageTotals, ...times }),
  present: async (document, load) => ({
    ...pickStage(document),
    ...totals(document, await inStage(load, document)),
    ...pickTimes(document),
  }),
}

export const pipelineView: View = {
  schema: Type.Object({
    id: Type.Integer(),
    public_id: nullableString,
    workspace_id: Type.Integer(),
    name: Type.String(),
    ...times,
    total_value: nullable(Type.Number()),
    stages: nullable(Type.Array(Type.Object({ ...stageCore, ...stageTotals }))),
  }),
  async present(document, load) {
    const stages = await load.many('sales/pipelines/stage', (document.stage_ids ?? []) as readonly number[])
    const opportunities = await Promise.all(stages.map((stage) => inStage(load, stage)))
    return {
      ...pickPipeline(document),
      total_value: sum(opportunities.flat()),
      stages: stages.map((stage, index) => ({ ...pickStage(stage), ...totals(stage, opportunities[index] ?? []) })),
    }
  },
}
