import { type TSchema, Type } from 'typebox'
import { amount, choice, flag, group, integer, list, longText, text } from '../../kernel/model/fields.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { namedRecord } from '../../resources/attributes/named-record.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import type { Weights } from '../../resources/tree/tree.ts'
import { BLANK_DELAY, delayFields, delayOf, delayProblem, isDelaySetUp } from './delay-settings.ts'
import { isFilled, type SettingsContext, type SettingsProblem, type StepType, stepType } from './step-type.ts'
import { STEP_TYPE_NAMES, type StepSettings, type StepTypeName } from './tree.ts'

const MESSAGE = { max: 10_000, nullable: true } as const

const reaches = { course_ids: 'course', section_ids: 'courses/section' }

/** Enrolment honours sections alone, as the contract says; a step with courses alone counts as set up and enrols nobody. */
const enrolling = (standsOn: readonly (readonly string[])[]) =>
  stepType({
    refers: reaches,
    standsOn,
    isSetUp: ({ course_ids, section_ids }) => isFilled(course_ids) || isFilled(section_ids),
  })

const opportunityProblem = (
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

const isOpportunitySetUp = ({
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

const moveProblem = (
  { workflow_id }: StepSettings,
  { workflowId, found }: SettingsContext,
): SettingsProblem | undefined => {
  if (workflow_id === workflowId) return { setting: 'workflow_id', says: 'cannot reference its own workflow.' }
  return found('workflow', workflow_id)?.archived === true
    ? { setting: 'workflow_id', says: 'references an archived workflow.' }
    : undefined
}

const EVEN: Weights = [50, 50]

const flatVariants = ({ variants }: JsonObject): JsonObject | SettingsProblem => {
  if (variants === undefined) return {}
  const weights = Array.isArray(variants) ? variants.map((one) => (isJsonObject(one) ? Number(one.weight) : 0)) : []
  const [first, second] = weights
  if (first === undefined || second === undefined || weights.length > 2)
    return { setting: 'variants', says: 'must have exactly 2 entries' }
  return first + second === 100 ? { weights } : { setting: 'variants', says: 'must have weights that sum to 100' }
}

/** Returns the weights of a split test. */
export const weightsOf = ({ weights }: StepSettings): Weights =>
  Array.isArray(weights) && weights.length === 2 ? [Number(weights[0]), Number(weights[1])] : EVEN

const flatCondition = ({ condition }: JsonObject): JsonObject => {
  if (condition === null) return { filter_id: null }
  return isJsonObject(condition) && condition.filter_id !== undefined ? { filter_id: condition.filter_id } : {}
}

/** Types of steps, each as one declaration. The list is the contract's, and closed. */
export const STEP_TYPES: Readonly<Record<StepTypeName, StepType>> = {
  send_email_step: stepType({
    fields: {
      subject: text({ nullable: true }),
      preheadline: text({ nullable: true }),
      html_body: longText({ nullable: true, about: 'Liquid; write-only' }),
      text_body: longText({ nullable: true, about: 'Liquid; write-only' }),
    },
    refers: {
      template_id: 'emails/template',
      from_address_id: 'emails/address',
      reply_to_address_id: 'emails/address',
    },
    standsOn: [['template_id'], ['from_address_id']],
    writeOnly: ['html_body', 'text_body'],
    liquid: { subject: 'subject', preheadline: 'preheadline', html_body: 'html_body', text_body: 'text_body' },
    needs: ['subject', 'template_id'],
  }),
  send_asset_step: stepType({ refers: { asset_id: 'asset' }, needs: ['asset_id'] }),
  // There is no messaging here, so it is accepted and never set up.
  send_chat_message_step: stepType({
    fields: {
      inbox_key: text({ nullable: true }),
      message: text(MESSAGE),
      subject: text({ nullable: true }),
      start_new_conversation: flag(),
    },
    initial: { start_new_conversation: false },
    isSetUp: () => false,
  }),
  contact_tag_step: stepType({
    fields: { action: choice(['Add Tags', 'Remove Tags'], { nullable: true }) },
    refers: { contacts_tag_ids: 'contacts/tag' },
    needs: ['action', 'contacts_tag_ids'],
  }),
  contact_custom_attribute_step: stepType({
    fields: { action: choice(['Add Attribute', 'Remove Attribute'], { nullable: true }), value: text(MESSAGE) },
    refers: { field_id: 'forms/field' },
    needs: ['action', 'field_id'],
    isSetUp: ({ action, value }) => action !== 'Add Attribute' || isFilled(value),
  }),
  delay_step: stepType({
    fields: delayFields,
    initial: BLANK_DELAY,
    problem: (settings) => delayProblem(delayOf(settings)),
    isSetUp: (settings) => isDelaySetUp(delayOf(settings)),
  }),
  notify_step: stepType({
    fields: { message: text(MESSAGE), notify_type: list(choice(['Email', 'Notification']), { max: 2 }) },
    refers: { user_ids: 'user' },
    liquid: { message: 'text_body' },
    needs: ['message', 'notify_type', 'user_ids'],
  }),
  deliver_webhook_step: stepType({
    refers: { webhooks_outgoing_endpoint_id: 'webhooks/outgoing/endpoint' },
    needs: ['webhooks_outgoing_endpoint_id'],
  }),
  enroll_step: enrolling([['section_ids']]),
  // What is gone is taken from nobody, which is no failure.
  unenroll_contact_step: enrolling([]),
  grant_community_access_step: stepType({ refers: { space_ids: 'communities/space' }, needs: ['space_ids'] }),
  revoke_community_access_step: stepType({
    refers: { space_ids: 'communities/space' },
    standsOn: [],
    needs: ['space_ids'],
  }),
  create_opportunity_step: stepType({
    fields: {
      name: text({ nullable: true }),
      value: amount({ nullable: true }),
      assignment_strategy: choice(['unassigned', 'membership', 'pipeline', 'round_robin']),
      move_existing: flag(),
    },
    refers: {
      sales_pipeline_id: 'sales/pipeline',
      sales_pipelines_stage_id: 'sales/pipelines/stage',
      membership_id: 'membership',
      membership_ids: 'membership',
    },
    // Without the stage it begins at the first of the pipeline, and without the memberships nobody is assigned.
    standsOn: [['sales_pipelines_stage_id', 'sales_pipeline_id']],
    initial: { assignment_strategy: 'unassigned', move_existing: false },
    needs: ['name'],
    isSetUp: isOpportunitySetUp,
    problem: opportunityProblem,
  }),
  move_step: stepType({ refers: { workflow_id: 'workflow' }, needs: ['workflow_id'], problem: moveProblem }),
  conditional_split_step: stepType({
    fields: { condition: group({ filter_id: namedRecord('refine_filter', { nullable: true }) }, { nullable: true }) },
    refers: { filter_id: 'refine_filter' },
    initial: { filter_id: null },
    needs: ['filter_id'],
    flat: flatCondition,
    shown: {
      schema: Type.Object({ condition: Type.Object({ filter_id: nullableInteger, is_setup: Type.Boolean() }) }),
      of: ({ filter_id }) => ({ condition: { filter_id, is_setup: isFilled(filter_id) } }),
    },
    neverBlank: true,
  }),
  split_test_step: stepType({
    fields: { variants: list(group({ weight: integer({ required: true, min: 0, max: 100 }) }), { max: 10 }) },
    initial: { weights: EVEN },
    flat: flatVariants,
    shown: {
      schema: Type.Object({ variants: Type.Array(Type.Object({ weight: Type.Integer() })) }),
      of: (settings) => ({ variants: weightsOf(settings).map((weight) => ({ weight })) }),
    },
    neverBlank: true,
  }),
}

/** Schema of the settings of a step in answers: one key, its type. */
export const settingsSchema: TSchema = Type.Object(
  Object.fromEntries(STEP_TYPE_NAMES.map((name) => [name, Type.Optional(STEP_TYPES[name].schema)])),
  { description: 'One key, the type of the step' },
)
