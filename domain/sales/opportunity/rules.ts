import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { stage } from '../pipeline/model.ts'
import { note, opportunity } from './model.ts'

type Opportunity = DecisionContext<typeof opportunity>

/** Loads the requested stage, the sort order behind the last opportunity in it, and the workspace's currency. */
const loadFacts = async ({ wanted, workspaceId }: Opportunity, read: Reader) => {
  const workspace = await read.documents.get('workspace', workspaceId)
  const entered = await read.one(stage, wanted.pipelines_stage_id)
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

const setAuthor = ({ before, after, actor }: DecisionContext<typeof note>) =>
  before || after.created_by_id !== null ? undefined : { created_by_id: actor.membershipId ?? null }

/** Decider of opportunities and their notes (spec 2.2). */
export const opportunities = decider(opportunity, {
  rules: rules(opportunity, { loadFacts, save: [setValue, enterStage, close] }),
  children: [rules(note, { save: [setAuthor] })],
})
