import type { Aggregate, FactReader } from '../../kernel/decider.ts'
import { decide, type OpportunityCommand, type OpportunityFacts } from './decide.ts'
import { type OpportunityEvent, opportunityEvents } from './events.ts'
import { evolve, initial, type OpportunityState } from './state.ts'

const facts = async (command: OpportunityCommand, read: FactReader): Promise<OpportunityFacts> => {
  if (command.type !== 'OpenOpportunity' && command.type !== 'ChangeOpportunity') return { currency: '' }
  const workspace = await read.get('workspace', command.workspaceId)
  const currency = String(workspace?.currency ?? 'USD')
  const stageId = command.fields.pipelines_stage_id
  const stage = stageId === undefined ? undefined : await read.get('sales/pipelines/stage', stageId)
  if (!stage) return { currency }
  const where = { workspace_id: command.workspaceId, pipelines_stage_id: stage.id }
  const [last] = await read.find('sales/opportunity', { where, sort: { by: 'sort_order', descending: true }, limit: 1 })
  return {
    currency,
    stage: {
      pipelineId: Number(stage.pipeline_id),
      closeProbability: Number(stage.close_probability),
      nextSortOrder: last ? Number(last.sort_order) + 1 : 0,
    },
  }
}

/** An opportunity with its notes, which go when it goes. */
export const opportunityAggregate: Aggregate<OpportunityState, OpportunityCommand, OpportunityEvent, OpportunityFacts> =
  {
    name: 'sales/opportunity',
    initial,
    events: opportunityEvents,
    decide,
    evolve,
    facts,
  }
