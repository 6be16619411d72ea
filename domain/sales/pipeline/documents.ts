import type { DomainEvent, JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Documents } from '../../kernel/resource.ts'
import type { PipelineEvent } from './events.ts'

export const pipelineDocuments: Documents = {
  version: 1,
  evolve(document, recorded: RecordedEvent) {
    const event = recorded as RecordedEvent & PipelineEvent
    switch (event.type) {
      case 'PipelineOpened':
        return { name: event.data.name, stage_ids: event.data.stages.map(({ id }) => id) }
      case 'PipelineRenamed':
        return { ...document, name: event.data.name }
      case 'PipelineRemoved':
        return undefined
      case 'StageAdded':
      case 'StageMoved':
      case 'StageRemoved':
        return { ...document, stage_ids: event.data.order }
      default:
        return document
    }
  },
}

const stagesTouched = (event: PipelineEvent): readonly number[] => {
  switch (event.type) {
    case 'PipelineOpened':
      return event.data.stages.map(({ id }) => id)
    case 'PipelineRenamed':
      return []
    case 'PipelineRemoved':
      return event.data.stage_ids
    case 'StageRenamed':
    case 'StageProbabilitySet':
      return [event.data.stage_id]
    case 'StageRemoved':
      return [...event.data.order, event.data.stage_id]
    default:
      return event.data.order
  }
}

const stageOpened = (event: RecordedEvent & PipelineEvent, id: number, order: readonly number[]): JsonObject => {
  const stages =
    event.type === 'PipelineOpened' ? event.data.stages : event.type === 'StageAdded' ? [event.data.stage] : []
  const stage = stages.find((one) => one.id === id)
  return {
    pipeline_id: Number(event.stream.slice('sales/pipeline-'.length)),
    name: stage?.name ?? '',
    close_probability: stage?.close_probability ?? 0,
    sort_order: order.indexOf(id),
  }
}

export const stageDocuments: Documents = {
  version: 1,
  touches: (event: DomainEvent) => stagesTouched(event as PipelineEvent),
  evolve(document, recorded, id) {
    const event = recorded as RecordedEvent & PipelineEvent
    switch (event.type) {
      case 'PipelineOpened':
        return stageOpened(
          event,
          id,
          event.data.stages.map((stage) => stage.id),
        )
      case 'PipelineRemoved':
        return undefined
      case 'StageAdded':
        return document
          ? { ...document, sort_order: event.data.order.indexOf(id) }
          : stageOpened(event, id, event.data.order)
      case 'StageMoved':
        return { ...document, sort_order: event.data.order.indexOf(id) }
      case 'StageRemoved':
        return event.data.stage_id === id ? undefined : { ...document, sort_order: event.data.order.indexOf(id) }
      case 'StageRenamed':
        return { ...document, name: event.data.name }
      case 'StageProbabilitySet':
        return { ...document, close_probability: event.data.close_probability }
      default:
        return document
    }
  },
  aggregateId: (document) => Number(document.pipeline_id),
}
