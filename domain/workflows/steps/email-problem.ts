import { isAddressComplete, usableSenders } from '../../emails/public.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { isJsonObject, type Json } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { isFilled, type SettingsChange } from './step-type.ts'

/** Settings by which a step names its senders. */
const SENDERS = ['from_address_id', 'reply_to_address_id'] as const

const NO_ADDRESS =
  'A complete business mailing address is required to create marketing emails. ' +
  'GET and PUT /api/v2/workspaces/:workspace_id/emails/settings show and set it.'

const CREATE_ONLY =
  'send_email_step template_id cannot be changed after creation. ' +
  'Edit its email with html_body and text_body, or add a new step.'

/** Returns the id that a setting names as it was sent. */
export const namedId = (named: Json | undefined): number | undefined =>
  isJsonObject(named) && typeof named.id === 'number' ? named.id : undefined

/** Returns why the e-mail of a step is refused. */
export const mailProblem = async (
  { workspaceId, sent, before }: SettingsChange,
  read: FactReader,
): Promise<Refusal | undefined> => {
  const field = (name: string) => `step_type_settings.send_email_step.${name}`
  const isNew = before === undefined
  if (isNew && !(await isAddressComplete(workspaceId, read)))
    return refuse.invalid(NO_ADDRESS, 'step_type_settings', 'address')
  if (isNew && !isFilled(sent.subject) && !isFilled(sent.template_id))
    return refuse.invalid('send_email_step requires a subject or a template_id.', field('subject'), 'blank')
  if (!isNew && sent.template_id !== undefined) return refuse.invalid(CREATE_ONLY, field('template_id'), 'immutable')
  const usable = await usableSenders(workspaceId, read)
  const unusable = SENDERS.find((name) => {
    const id = namedId(sent[name])
    return id !== undefined && !usable.has(id)
  })
  if (unusable === undefined) return undefined
  return refuse.invalid(`send_email_step ${unusable} must be usable as a sender`, field(unusable), 'unusable')
}
