import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { stage } from '../pipeline/model.ts'
import { note, opportunity } from './model.ts'

type Opportunity = DecisionContext<typeof opportunity>

/** The stage that is wanted, the place behind the last opportunity in it, and the workspace's currency. */
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

const price = ({ wanted }: Opportunity, { currency }: Facts) => {
  if (wanted.value === undefined || wanted.value === null) return undefined
  const value = normalizeAmount(wanted.value, currency)
  if (value !== undefined) return { value }
  const says = `Value must be an amount of ${currency} with at most ${scaleOf(currency)} decimals`
  return refuse.invalid(says, 'value', 'invalid')
}

const moves = ({ before, wanted }: Opportunity): boolean =>
  wanted.pipelines_stage_id !== undefined && wanted.pipelines_stage_id !== before?.pipelines_stage_id

/** What enters a stage stands last in it. */
const place = (asked: Opportunity, { stage: entered, nextSortOrder }: Facts) => {
  if (!moves(asked)) return undefined
  if (entered) return { pipeline_id: entered.pipeline_id, sort_order: nextSortOrder }
  // A stage may have gone since the request was checked: what is there stays where it is.
  return asked.before
    ? { pipelines_stage_id: asked.before.pipelines_stage_id }
    : refuse.invalid('Pipelines stage must exist', 'pipelines_stage_id', 'blank')
}

/** A stage of 0 or 100 percent closes what enters it (contract; the rule book's narrower reading is overruled by it); a `closed_at` that is sent wins. */
const close = (asked: Opportunity, { stage: entered }: Facts) => {
  const closing = entered?.close_probability === 0 || entered?.close_probability === 100
  const already = asked.wanted.closed_at !== undefined || asked.after.closed_at !== null
  return moves(asked) && closing && !already ? { closed_at: asked.at } : undefined
}

const sign = ({ before, after, actor }: DecisionContext<typeof note>) =>
  before || after.created_by_id !== null ? undefined : { created_by_id: actor.membershipId ?? null }

/** The rules of an opportunity and its notes (spec 2.2; rule book, sales). */
export const opportunities = decider(opportunity, {
  rules: rules(opportunity, { loadFacts, save: [price, place, close] }),
  children: [rules(note, { save: [sign] })],
})
