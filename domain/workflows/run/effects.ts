import { appliedTag, contact } from '../../contacts/contact/model.ts'
import { attributeKey, contacts } from '../../contacts/public.ts'
import { field } from '../../forms/form/model.ts'
import { ask } from '../../kernel/decide/ask.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { opportunity } from '../../sales/opportunity/model.ts'
import { stage } from '../../sales/pipeline/model.ts'
import { opportunities } from '../../sales/public.ts'
import type { FrozenStep, StepSettings, StepTypeName } from '../workflow/tree.ts'
import { grantCommunityAccess, revokeCommunityAccess } from './community-access.ts'
import { enroll, unenroll } from './course-access.ts'
import { type Effect, type EffectContext, failed, idsIn, skipped, textIn } from './effect.ts'
import { pass } from './model.ts'
import { notifyUsers } from './notify.ts'
import { sendAsset } from './send-asset.ts'
import { sendEmail } from './send-email.ts'

const tagContact = async ({ run: { contact_id }, settings, read, mint }: EffectContext): Promise<Effect> => {
  const wanted = idsIn(settings.contacts_tag_ids)
  const found = await read.documents.getMany('contacts/tag', wanted)
  const tag_ids = wanted.filter((_, index) => found[index])
  if (tag_ids.length === 0) return failed('the tags are gone')
  const atMostOneEvent = tag_ids.length === 1
  if (settings.action === 'Remove Tags')
    return { asks: [ask(contacts, contact_id, 'untag', { tag_ids })], atMostOneEvent }
  const ids = tag_ids.map(() => mint(appliedTag))
  return { asks: [ask(contacts, contact_id, 'tag', { tag_ids }, { ids })], atMostOneEvent }
}

const setAttribute = async ({ run: { contact_id }, settings, read }: EffectContext): Promise<Effect> => {
  const [fieldId] = idsIn(settings.field_id)
  const found = await read.one(field, fieldId)
  if (!found) return failed('the field is gone')
  const key = attributeKey(found.key)
  if (key === undefined) return failed('contacts cannot have an attribute of this name')
  const value = settings.action === 'Remove Attribute' ? '' : (textIn(settings.value) ?? '')
  return { asks: [ask(contacts, contact_id, 'change', { custom_attributes: { [key]: value } })], atMostOneEvent: true }
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

/** Opens an opportunity, or moves the one that the contact has in the pipeline. */
const createOpportunity = async (context: EffectContext, { id: stepId }: FrozenStep): Promise<Effect> => {
  const {
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

const deliverWebhook = async ({ settings, read }: EffectContext): Promise<Effect> => {
  const [endpoint_id] = idsIn(settings.webhooks_outgoing_endpoint_id)
  if (endpoint_id === undefined || !(await read.documents.get('webhooks/outgoing/endpoint', endpoint_id)))
    return failed('the endpoint is gone')
  return { outcome: 'done', endpoint_id }
}

/** Types of steps that write to the contact, which runs can leave out. */
const COMMUNICATION: readonly string[] = [
  'send_email_step',
  'send_asset_step',
  'send_chat_message_step',
] satisfies readonly StepTypeName[]

/** Effects by type of step. The other types have nothing here that they could act upon. */
type Act = (context: EffectContext, step: FrozenStep) => Promise<Effect>

const EFFECTS: Readonly<Record<string, Act>> = {
  send_email_step: (context, step) => sendEmail(step, context),
  send_asset_step: (context, step) => sendAsset(step, context),
  notify_step: (context, step) => notifyUsers(step, context),
  contact_tag_step: tagContact,
  contact_custom_attribute_step: setAttribute,
  create_opportunity_step: createOpportunity,
  deliver_webhook_step: deliverWebhook,
  enroll_step: enroll,
  unenroll_contact_step: unenroll,
  grant_community_access_step: grantCommunityAccess,
  revoke_community_access_step: revokeCommunityAccess,
} satisfies Partial<Record<StepTypeName, Act>>

/** Types of steps whose effect depends on what other records are like, so that it must see what the run did before. */
export const LOOKS_AROUND: readonly string[] = [
  'conditional_split_step',
  'create_opportunity_step',
  'revoke_community_access_step',
  'unenroll_contact_step',
] satisfies readonly StepTypeName[]

/** Tells whether what a step does depends on what it did last, for whichever run. */
export const takesTurns = ({ type, settings }: { readonly type: string; readonly settings: StepSettings }): boolean =>
  type === 'create_opportunity_step' && settings.assignment_strategy === 'round_robin'

/** Returns what a step does for a contact, where that is neither a split, nor a delay, nor a move. */
export const effectOf = async (step: FrozenStep, context: EffectContext): Promise<Effect> => {
  const { run: current, read } = context
  if (current.skip_communication && COMMUNICATION.includes(step.type)) return skipped('the run skips communication')
  const effect = EFFECTS[step.type]
  if (!effect) return skipped('nothing here can carry out steps of this type')
  return (await read.one(contact, current.contact_id)) ? effect(context, step) : failed('the contact is gone')
}
