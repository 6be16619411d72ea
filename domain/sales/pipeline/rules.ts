import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { derivedEventsOf } from '../../kernel/model/derived-events.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { opportunity } from '../opportunity/model.ts'
import { type NewStage, pipeline, stage } from './model.ts'

const { event } = pipeline

type PipelineEvents = Events<typeof pipeline>
type Stage = DecisionContext<typeof stage>

/** Stage in the body of a pipeline. An entry with an id changes that stage, one without adds a stage. */
type StageEntry = { readonly id?: number; readonly name?: string; readonly close_probability?: number }

type Pipeline = DecisionContext<typeof pipeline, { readonly stages_attributes: readonly StageEntry[] }>

/** Returns whether there are opportunities in any of the stages. */
const areOccupied = async (stageIds: readonly number[], read: Reader): Promise<boolean> =>
  (await read.find(opportunity, { where: { pipelines_stage_id: { $in: stageIds } }, limit: 1 })).length > 0

const loadPipelineFacts = async ({ act, before }: Pipeline, read: Reader) =>
  act === 'remove' && before !== undefined && (await areOccupied(before.stage_ids, read))
const loadStageFacts = async ({ act, id }: Stage, read: Reader) => act === 'remove' && (await areOccupied([id], read))

const newStages = (context: Pipeline): readonly NewStage[] =>
  (context.wanted.stages_attributes ?? [])
    .filter(({ id }) => id === undefined)
    .map(({ name = '', close_probability = 0 }, index) => ({ id: idAt(context.ids, index), name, close_probability }))

const openPipeline = (context: Pipeline) => {
  const stages = newStages(context)
  if (stages.length === 0) return refuse.invalid('Pipeline must have at least one stage', 'stages_attributes', 'blank')
  return [event.PipelineOpened({ name: context.after.name, stages })]
}

const stageEvents = derivedEventsOf(stage, pipeline.children.stages)

const changeStages = (context: Pipeline): PipelineEvents | Refusal => {
  const { records, before, wanted } = context
  const changed = (wanted.stages_attributes ?? []).filter(({ id }) => id !== undefined)
  const stages = changed.map(({ id = 0 }) => records.one(stage, id))
  if (stages.includes(undefined)) {
    const message = 'Stages attributes contain an id that is not a stage of this pipeline'
    return refuse.invalid(message, 'stages_attributes', 'inclusion')
  }
  const added = newStages(context)
  if (added.some(({ name }) => name.trim() === ''))
    return refuse.invalid("Stages attributes name can't be blank", 'stages_attributes', 'blank')
  let order = before?.stage_ids ?? []
  return [
    ...changed.flatMap((entry, index) => stageEvents.change(stages[index]!, { ...stages[index], ...entry })),
    ...added.map((newStage) => {
      order = [...order, newStage.id]
      return event.StageAdded({ stage: newStage, order })
    }),
  ]
}

const orderOf = ({ records }: Stage): readonly number[] => records.root(pipeline)?.stage_ids ?? []

const insertAt = (order: readonly number[], id: number, position: number): number[] => {
  const others = order.filter((other) => other !== id)
  return [...others.slice(0, position), id, ...others.slice(position)]
}

const addStage = (context: Stage) => {
  const order = orderOf(context)
  const { name, close_probability } = context.after
  const placed = insertAt(order, context.id, context.wanted.sort_order ?? order.length)
  return [event.StageAdded({ stage: { id: context.id, name, close_probability }, order: placed })]
}

const moveStage = (context: Stage): PipelineEvents => {
  const { id, wanted } = context
  const order = orderOf(context)
  if (typeof wanted.sort_order !== 'number') return []
  const position = Math.min(wanted.sort_order, order.length - 1)
  if (position === order.indexOf(id)) return []
  return [event.StageMoved({ stage_id: id, order: insertAt(order, id, position) })]
}

const removeStage = (context: ActContext<typeof stage>, isOccupied: boolean) => {
  const order = orderOf(context)
  if (order.length === 1) return refuse.invalid('The last stage of a pipeline cannot be deleted', 'base', 'last_stage')
  if (isOccupied) return refuse.invalid('Stage must be empty before it can be deleted', 'base', 'occupied')
  return [event.StageRemoved({ stage_id: context.id, order: order.filter((id) => id !== context.id) })]
}

/** Decider of pipelines and their stages (spec 2.2). */
export const pipelines = decider(pipeline, {
  rules: rules(pipeline, {
    loadFacts: loadPipelineFacts,
    create: openPipeline,
    save: [changeStages],
    preventRemoval: (_, isOccupied) =>
      isOccupied ? refuse.invalid('Pipeline must be empty before it can be deleted', 'base', 'occupied') : undefined,
  }),
  children: [rules(stage, { loadFacts: loadStageFacts, create: addStage, save: [moveStage], remove: removeStage })],
})
