import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { EndedReferences } from '../../resources/reference-policies.ts'
import { pipeline, stage } from '../pipeline/model.ts'
import { note, opportunity } from './model.ts'

const { event } = opportunity

type Opportunity = DecisionContext<typeof opportunity>

/** Returns the first stage of a pipeline. */
const firstStageOf = async (pipelineId: number, read: Reader) => {
  const [first] = await read.find(stage, { where: { pipeline_id: pipelineId }, sort: { by: 'sort_order' }, limit: 1 })
  return first
}

/** Returns the stage for an opportunity whose stage has ended: the first of its pipeline, or else of the first pipeline of the workspace. */
const nextStage = async ({ before }: Opportunity, read: Reader) => {
  const own = await firstStageOf(before?.pipeline_id ?? 0, read)
  if (own) return own
  const [first] = await read.find(pipeline, { where: { workspace_id: before?.workspace_id ?? 0 }, limit: 1 })
  return first && firstStageOf(first.id, read)
}

/** Loads the stage to enter, the sort order behind the last opportunity in it, and the workspace's currency. */
const loadFacts = async (context: Opportunity, read: Reader) => {
  const { act, wanted, before, workspaceId: requested } = context
  const workspaceId = before?.workspace_id ?? requested
  const workspace = await read.documents.get('workspace', workspaceId)
  const entered =
    act === 'leaveStage' ? await nextStage(context, read) : await read.one(stage, wanted.pipelines_stage_id)
  const where = { workspace_id: workspaceId, pipelines_stage_id: entered?.id ?? 0 }
  const sort = { by: 'sort_order', descending: true }
  const [last] = entered ? await read.find(opportunity, { where, sort, limit: 1 }) : []
  return {
    currency: String(workspace?.currency ?? 'USD'),
    stage: entered,
    nextSortOrder: last ? last.sort_order + 1 : 0,
  }
}

type Facts = Awaited<ReturnType<typeof loadFacts>>

const setValue = ({ wanted }: Opportunity, { currency }: Facts) => {
  if (wanted.value === undefined || wanted.value === null) return undefined
  const value = normalizeAmount(wanted.value, currency)
  if (value !== undefined) return { value }
  const message = `Value must be an amount of ${currency} with at most ${scaleOf(currency)} decimals`
  return refuse.invalid(message, 'value', 'invalid')
}

const moves = ({ before, wanted }: Opportunity): boolean =>
  wanted.pipelines_stage_id !== undefined && wanted.pipelines_stage_id !== before?.pipelines_stage_id

/** Puts an opportunity that enters a stage at its end. */
const enterStage = (context: Opportunity, { stage: entered, nextSortOrder }: Facts) => {
  if (!moves(context)) return undefined
  if (entered) return { pipeline_id: entered.pipeline_id, sort_order: nextSortOrder }
  // The stage may have been removed since the request was checked. An existing opportunity then stays in its stage.
  return context.before
    ? { pipelines_stage_id: context.before.pipelines_stage_id }
    : refuse.invalid('Pipelines stage must exist', 'pipelines_stage_id', 'blank')
}

/** Closes an opportunity that enters a stage of 0 or 100 percent, as the contract says. A `closed_at` in the request wins. */
const close = (context: Opportunity, { stage: entered }: Facts) => {
  const closing = entered?.close_probability === 0 || entered?.close_probability === 100
  const isSet = context.wanted.closed_at !== undefined || context.after.closed_at !== null
  return moves(context) && closing && !isSet ? { closed_at: context.at } : undefined
}

/** Moves an opportunity out of a stage that has ended. Where the workspace has no stage any more, the opportunity ends as well. */
const leaveStage = (
  { before, wanted, records }: ActContext<typeof opportunity, EndedReferences>,
  { stage: next, nextSortOrder: sort_order }: Facts,
) => {
  const { pipelines_stage_id: from_stage_id } = before
  if (!wanted.ended_ids.includes(from_stage_id)) return []
  if (!next) return [event.OpportunityRemoved({ note_ids: records.all(note).map(({ id }) => id) })]
  const entered = { pipeline_id: next.pipeline_id, pipelines_stage_id: next.id, sort_order }
  return [event.OpportunityStaged({ ...entered, from_stage_id })]
}

const setAuthor = ({ before, after, actor }: DecisionContext<typeof note>) =>
  before || after.created_by_id !== null ? undefined : { created_by_id: actor.membershipId ?? null }

/** Decider of opportunities and their notes (spec 2.2). */
export const opportunities = decider(opportunity, {
  rules: rules(opportunity, { loadFacts, save: [setValue, enterStage, close], acts: { leaveStage } }),
  children: [rules(note, { save: [setAuthor] })],
})
