import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'

export interface NewStage extends JsonObject {
  readonly id: number
  readonly name: string
  /** Percent, 0 to 100. */
  readonly close_probability: number
}

/** Storage formats. `order` is the full order of the stages after the event: the position of an id is its `sort_order`. */
export type PipelineEvent =
  | { readonly type: 'PipelineOpened'; readonly data: { readonly name: string; readonly stages: readonly NewStage[] } }
  | { readonly type: 'PipelineRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'PipelineRemoved'; readonly data: { readonly stage_ids: readonly number[] } }
  | { readonly type: 'StageAdded'; readonly data: { readonly stage: NewStage; readonly order: readonly number[] } }
  | { readonly type: 'StageRenamed'; readonly data: { readonly stage_id: number; readonly name: string } }
  | {
      readonly type: 'StageProbabilitySet'
      readonly data: { readonly stage_id: number; readonly close_probability: number }
    }
  | { readonly type: 'StageMoved'; readonly data: { readonly stage_id: number; readonly order: readonly number[] } }
  | { readonly type: 'StageRemoved'; readonly data: { readonly stage_id: number; readonly order: readonly number[] } }

export const pipelineEvents = firstVersions<PipelineEvent['type']>(
  'PipelineOpened',
  'PipelineRenamed',
  'PipelineRemoved',
  'StageAdded',
  'StageRenamed',
  'StageProbabilitySet',
  'StageMoved',
  'StageRemoved',
)
