import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { derivedEventsOf } from '../../kernel/model/derived-events.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { opportunity } from '../opportunity/model.ts'
import { type NewStage, pipeline, stage } from './model.ts'

const { event } = pipeline

type Happens = Events<typeof pipeline>
type Stage = DecisionContext<typeof stage>

/** What is said of a stage in the body of a pipeline: one with an id is altered, one without is added. */
type StageEntry = { readonly id?: number; readonly name?: string; readonly close_probability?: number }

type Pipeline = DecisionContext<typeof pipeline, { readonly stages_attributes: readonly StageEntry[] }>

/** Whether opportunities stand in stages that are to go. */
const occupied = async (stageIds: readonly number[], read: Reader): Promise<boolean> =>
  (await read.find(opportunity, { where: { pipelines_stage_id: { $in: stageIds } }, limit: 1 })).length > 0

const pipelineNeeds = async ({ act, before }: Pipeline, read: Reader) =>
  act === 'remove' && before !== undefined && (await occupied(before.stage_ids, read))
const stageNeeds = async ({ act, id }: Stage, read: Reader) => act === 'remove' && (await occupied([id], read))

const newStages = (asked: Pipeline): readonly NewStage[] =>
  (asked.wanted.stages_attributes ?? [])
    .filter(({ id }) => id === undefined)
    .map(({ name = '', close_probability = 0 }, index) => ({ id: asked.ids[index] ?? 0, name, close_probability }))

const open = (asked: Pipeline) => {
  const stages = newStages(asked)
  if (stages.length === 0) return refuse.invalid('Pipeline must have at least one stage', 'stages_attributes', 'blank')
  return [event.PipelineOpened({ name: asked.after.name, stages })]
}

const stageEvents = derivedEventsOf(stage, pipeline.children.stages)

const alterStages = (asked: Pipeline): Happens | Refusal => {
  const { records, before, wanted } = asked
  const altered = (wanted.stages_attributes ?? []).filter(({ id }) => id !== undefined)
  const stages = altered.map(({ id = 0 }) => records.one(stage, id))
  if (stages.includes(undefined)) {
    const says = 'Stages attributes contain an id that is not a stage of this pipeline'
    return refuse.invalid(says, 'stages_attributes', 'inclusion')
  }
  const fresh = newStages(asked)
  if (fresh.some(({ name }) => name.trim() === ''))
    return refuse.invalid("Stages attributes name can't be blank", 'stages_attributes', 'blank')
  let order = before?.stage_ids ?? []
  return [
    ...altered.flatMap((entry, index) => stageEvents.change(stages[index]!, { ...stages[index], ...entry })),
    ...fresh.map((one) => {
      order = [...order, one.id]
      return event.StageAdded({ stage: one, order })
    }),
  ]
}

const orderOf = ({ records }: Stage): readonly number[] => records.root(pipeline)?.stage_ids ?? []

const insertAt = (order: readonly number[], id: number, position: number): number[] => {
  const others = order.filter((other) => other !== id)
  return [...others.slice(0, position), id, ...others.slice(position)]
}

const add = (asked: Stage) => {
  const order = orderOf(asked)
  const { name, close_probability } = asked.after
  const placed = insertAt(order, asked.id, asked.wanted.sort_order ?? order.length)
  return [event.StageAdded({ stage: { id: asked.id, name, close_probability }, order: placed })]
}

const move = (asked: Stage): Happens => {
  const { id, wanted } = asked
  const order = orderOf(asked)
  if (typeof wanted.sort_order !== 'number') return []
  const position = Math.min(wanted.sort_order, order.length - 1)
  if (position === order.indexOf(id)) return []
  return [event.StageMoved({ stage_id: id, order: insertAt(order, id, position) })]
}

const take = (asked: ActContext<typeof stage>, isOccupied: boolean) => {
  const order = orderOf(asked)
  if (order.length === 1) return refuse.invalid('The last stage of a pipeline cannot be deleted', 'id', 'last_stage')
  if (isOccupied) return refuse.invalid('Stage must be empty before it can be deleted', 'id', 'occupied')
  return [event.StageRemoved({ stage_id: asked.id, order: order.filter((id) => id !== asked.id) })]
}

/** The rules of a pipeline and its stages (spec 2.2). */
export const pipelines = decider(pipeline, {
  rules: rules(pipeline, {
    loadFacts: pipelineNeeds,
    create: open,
    save: [alterStages],
    preventRemoval: (_, isOccupied) =>
      isOccupied ? refuse.invalid('Pipeline must be empty before it can be deleted', 'id', 'occupied') : undefined,
  }),
  children: [rules(stage, { loadFacts: stageNeeds, create: add, save: [move], remove: take })],
})
