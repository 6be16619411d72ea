import { ask } from '../../kernel/decide/ask.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import { amount, choice, flag, text } from '../../kernel/model/fields.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { opportunity } from '../../sales/opportunity/model.ts'
import { stage } from '../../sales/pipeline/model.ts'
import { opportunities } from '../../sales/public.ts'
import { pass } from '../run/model.ts'
import { type Effect, type EffectContext, failed, idsIn, type StepSettings, textIn } from './effect.ts'
import { isFilled, type SettingsContext, type SettingsProblem, stepType } from './step-type.ts'

const problem = (
  { value, sales_pipeline_id, sales_pipelines_stage_id }: StepSettings,
  { currency, found }: SettingsContext,
): SettingsProblem | undefined => {
  if (typeof value === 'string' && normalizeAmount(value, currency) === undefined)
    return { setting: 'value', says: `must be an amount of ${currency} with at most ${scaleOf(currency)} decimals` }
  const stage = found('sales/pipelines/stage', sales_pipelines_stage_id)
  return stage && isFilled(sales_pipeline_id) && stage.pipeline_id !== sales_pipeline_id
    ? { setting: 'sales_pipelines_stage_id', says: 'must be a stage of the pipeline' }
    : undefined
}

const isSetUp = ({
  assignment_strategy,
  membership_id,
  membership_ids,
  sales_pipeline_id,
  sales_pipelines_stage_id,
}: StepSettings): boolean => {
  if (!isFilled(sales_pipeline_id) && !isFilled(sales_pipelines_stage_id)) return false
  if (assignment_strategy === 'membership') return isFilled(membership_id)
  return assignment_strategy !== 'round_robin' || isFilled(membership_ids)
}

/** Returns the stage of the settings, or else the first of their pipeline. */
const stageFor = async ({ settings, read }: EffectContext): Promise<RecordOf<typeof stage> | undefined> => {
  const [stageId] = idsIn(settings.sales_pipelines_stage_id)
  const [pipeline_id] = idsIn(settings.sales_pipeline_id)
  const own = await read.one(stage, stageId)
  if (own || pipeline_id === undefined) return own
  const [first] = await read.find(stage, { where: { pipeline_id }, sort: { by: 'sort_order' }, limit: 1 })
  return first
}

/** Returns whose turn it is: whoever is there and comes after the one to whom the step assigned last. */
const nextInTurn = async (wanted: readonly number[], there: readonly number[], step_id: number, read: Reader) => {
  const sort = { by: 'left_at', descending: true }
  const [last] = await read.find(pass, { where: { step_id, membership_id: { $ne: null } }, sort, limit: 1 })
  const after = wanted.indexOf(last?.membership_id ?? Number.NaN) + 1
  return [...wanted.slice(after), ...wanted.slice(0, after)].find((id) => there.includes(id))
}

/** Returns the membership to which an opportunity is assigned, and whether it took turns. */
const assigneeFor = async ({ settings, read }: EffectContext, step_id: number) => {
  const { assignment_strategy: strategy, membership_id, membership_ids } = settings
  const takesTurns = strategy === 'round_robin'
  const wanted = takesTurns ? idsIn(membership_ids) : strategy === 'membership' ? idsIn(membership_id) : []
  const found = await read.documents.getMany('membership', wanted)
  const there = wanted.filter((_, index) => found[index])
  const id = takesTurns ? await nextInTurn(wanted, there, step_id, read) : there[0]
  return { assignee_id: id ?? null, ...(takesTurns && id !== undefined && { membership_id: id }) }
}

const effect = async (context: EffectContext): Promise<Effect> => {
  const {
    step: { id: stepId },
    run: { contact_id, workspace_id = 0 },
    settings,
    read,
  } = context
  const entered = await stageFor(context)
  if (!entered) return failed('the pipeline or its stage is gone')
  const { id: pipelines_stage_id, pipeline_id } = entered
  const where = { workspace_id, primary_contact_id: contact_id }
  const present = settings.move_existing === true ? await read.find(opportunity, { where }) : []
  const open = present.find((one) => one.pipeline_id === pipeline_id && one.closed_at === null)
  if (open) return { asks: [ask(opportunities, open.id, 'change', { pipelines_stage_id })] }
  const { assignee_id, ...turn } = await assigneeFor(context, stepId)
  const wanted = {
    name: textIn(settings.name) ?? '',
    value: textIn(settings.value),
    primary_contact_id: contact_id,
    ...{ assignee_id, pipelines_stage_id },
  }
  return { asks: [ask(opportunities, 'new', 'create', wanted)], ...turn }
}

/** Opens an opportunity, or moves the one that the contact has in the pipeline. */
export const createOpportunity = stepType('create_opportunity_step', {
  fields: {
    name: text({ nullable: true }),
    value: amount({ nullable: true }),
    assignment_strategy: choice(['unassigned', 'membership', 'pipeline', 'round_robin']),
    move_existing: flag(),
  },
  refers: {
    sales_pipeline_id: { to: 'sales/pipeline', foundBy: 'pipeline_id', isGivenUp: true },
    sales_pipelines_stage_id: { to: 'sales/pipelines/stage', foundBy: 'stage_id', isGivenUp: true },
    membership_id: 'membership',
    membership_ids: 'membership',
  },
  // Without the stage it begins at the first of the pipeline, and without the memberships nobody is assigned.
  standsOn: [['sales_pipelines_stage_id', 'sales_pipeline_id']],
  initial: { assignment_strategy: 'unassigned', move_existing: false },
  needs: ['name'],
  isSetUp,
  problem,
  does: { kind: 'acts', effect },
  looksAround: true,
  takesTurns: ({ assignment_strategy }) => assignment_strategy === 'round_robin',
})
