import type { Aggregate, Command, Decision, FactReader, Happened } from '../../kernel/decider.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type NewStage, type PipelineEvent, pipelineEvents } from './events.ts'

interface PipelineState {
  readonly status: 'absent' | 'open' | 'removed'
  readonly name: string
  /** In their order. */
  readonly stages: readonly NewStage[]
}

/** What may be said of a stage; absent keys are left alone. */
export interface StageFields {
  readonly name?: string
  readonly close_probability?: number
  readonly sort_order?: number
}

export type PipelineCommand = Command &
  (
    | { readonly type: 'OpenPipeline'; readonly name: string; readonly stages: readonly NewStage[] }
    | {
        readonly type: 'ChangePipeline'
        readonly name?: string
        readonly newStages: readonly NewStage[]
        readonly stageChanges: readonly (StageFields & { readonly id: number })[]
      }
    | { readonly type: 'RemovePipeline' }
    | { readonly type: 'AddStage'; readonly stage: NewStage; readonly position?: number }
    | { readonly type: 'ChangeStage'; readonly stageId: number; readonly fields: StageFields }
    | { readonly type: 'RemoveStage'; readonly stageId: number }
  )

/** Whether opportunities stand in the stages that a command would take away. */
interface PipelineFacts {
  readonly occupied: boolean
}

type Pipeline = Decision<PipelineEvent>

const initial: PipelineState = { status: 'absent', name: '', stages: [] }

const insertAt = (order: readonly number[], id: number, position: number): number[] => {
  const others = order.filter((other) => other !== id)
  return [...others.slice(0, position), id, ...others.slice(position)]
}

const changeStage = (state: PipelineState, stageId: number, fields: StageFields): PipelineEvent[] => {
  const stage = state.stages.find(({ id }) => id === stageId)
  if (!stage) return []
  const events: PipelineEvent[] = []
  const { name, close_probability, sort_order } = fields
  if (name !== undefined && name !== stage.name)
    events.push({ type: 'StageRenamed', data: { stage_id: stageId, name } })
  if (close_probability !== undefined && close_probability !== stage.close_probability) {
    events.push({ type: 'StageProbabilitySet', data: { stage_id: stageId, close_probability } })
  }
  const order = state.stages.map(({ id }) => id)
  const position = sort_order === undefined ? order.indexOf(stageId) : Math.min(sort_order, order.length - 1)
  if (position !== order.indexOf(stageId)) {
    events.push({ type: 'StageMoved', data: { stage_id: stageId, order: insertAt(order, stageId, position) } })
  }
  return events
}

const addStage = (state: PipelineState, stage: NewStage, position = state.stages.length): PipelineEvent[] => {
  const order = state.stages.map(({ id }) => id)
  return order.includes(stage.id)
    ? []
    : [{ type: 'StageAdded', data: { stage, order: insertAt(order, stage.id, position) } }]
}

const removeStage = (state: PipelineState, stageId: number, { occupied }: PipelineFacts): Pipeline => {
  const order = state.stages.map(({ id }) => id)
  if (!order.includes(stageId)) return refuse.notFound()
  if (order.length === 1) return refuse.invalid('The last stage of a pipeline cannot be deleted', 'id', 'last_stage')
  if (occupied) return refuse.invalid('Stage must be empty before it can be deleted', 'id', 'occupied')
  return [{ type: 'StageRemoved', data: { stage_id: stageId, order: order.filter((id) => id !== stageId) } }]
}

type Change = Extract<PipelineCommand, { readonly type: 'ChangePipeline' }>

const changePipeline = (state: PipelineState, { name, newStages, stageChanges }: Change): Pipeline => {
  if (stageChanges.some((change) => !state.stages.some(({ id }) => id === change.id))) {
    return refuse.invalid(
      'Stages attributes contain an id that is not a stage of this pipeline',
      'stages_attributes',
      'inclusion',
    )
  }
  if (newStages.some((stage) => stage.name.trim() === '')) {
    return refuse.invalid("Stages attributes name can't be blank", 'stages_attributes', 'blank')
  }
  const events: PipelineEvent[] =
    name !== undefined && name !== state.name ? [{ type: 'PipelineRenamed', data: { name } }] : []
  let order = state.stages.map(({ id }) => id)
  for (const { id, ...fields } of stageChanges) events.push(...changeStage(state, id, fields))
  for (const stage of newStages) {
    order = [...order, stage.id]
    events.push({ type: 'StageAdded', data: { stage, order } })
  }
  return events
}

const decide = (state: PipelineState, command: PipelineCommand, facts: PipelineFacts): Pipeline => {
  if (command.type === 'OpenPipeline') {
    if (state.status !== 'absent') return []
    if (command.stages.length === 0)
      return refuse.invalid('Pipeline must have at least one stage', 'stages_attributes', 'blank')
    return [{ type: 'PipelineOpened', data: { name: command.name, stages: command.stages } }]
  }
  if (state.status !== 'open') return refuse.notFound()
  switch (command.type) {
    case 'ChangePipeline':
      return changePipeline(state, command)
    case 'RemovePipeline':
      if (facts.occupied) return refuse.invalid('Pipeline must be empty before it can be deleted', 'id', 'occupied')
      return [{ type: 'PipelineRemoved', data: { stage_ids: state.stages.map(({ id }) => id) } }]
    case 'AddStage':
      return addStage(state, command.stage, command.position)
    case 'ChangeStage':
      if (!state.stages.some(({ id }) => id === command.stageId)) return refuse.notFound()
      return changeStage(state, command.stageId, command.fields)
    case 'RemoveStage':
      return removeStage(state, command.stageId, facts)
  }
}

const sorted = (stages: readonly NewStage[], order: readonly number[]): readonly NewStage[] =>
  order.flatMap((id) => stages.find((stage) => stage.id === id) ?? [])

const alter = (state: PipelineState, id: number, change: Partial<NewStage>): PipelineState => ({
  ...state,
  stages: state.stages.map((stage) => (stage.id === id ? ({ ...stage, ...change } as NewStage) : stage)),
})

const evolve = (state: PipelineState, event: Happened<PipelineEvent>): PipelineState => {
  switch (event.type) {
    case 'PipelineOpened':
      return { status: 'open', ...event.data }
    case 'PipelineRenamed':
      return { ...state, name: event.data.name }
    case 'PipelineRemoved':
      return { ...state, status: 'removed', stages: [] }
    case 'StageAdded':
      return { ...state, stages: sorted([...state.stages, event.data.stage], event.data.order) }
    case 'StageRenamed':
      return alter(state, event.data.stage_id, { name: event.data.name })
    case 'StageProbabilitySet':
      return alter(state, event.data.stage_id, { close_probability: event.data.close_probability })
    case 'StageMoved':
    case 'StageRemoved':
      return { ...state, stages: sorted(state.stages, event.data.order) }
  }
}

const facts = async (command: PipelineCommand, read: FactReader, state: PipelineState): Promise<PipelineFacts> => {
  const leaving =
    command.type === 'RemoveStage'
      ? [command.stageId]
      : command.type === 'RemovePipeline'
        ? state.stages.map(({ id }) => id)
        : []
  if (leaving.length === 0) return { occupied: false }
  const found = await read.find('sales/opportunity', { where: { pipelines_stage_id: { $in: leaving } }, limit: 1 })
  return { occupied: found.length > 0 }
}

/** A pipeline with its stages, which share one stream because their order and the last of them are its concern (spec 2.2). */
export const pipelineAggregate: Aggregate<PipelineState, PipelineCommand, PipelineEvent, PipelineFacts> = {
  name: 'sales/pipeline',
  initial,
  events: pipelineEvents,
  decide,
  evolve,
  facts,
}
