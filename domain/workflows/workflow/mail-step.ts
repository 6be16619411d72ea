import { isAddressComplete, templates, usableSenders } from '../../emails/public.ts'
import { template } from '../../emails/template/model.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { type Reader, type RecordCommand, readerOver } from '../../kernel/decide/rules.ts'
import type { AuthoredMail } from '../../kernel/ports/authored-texts.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { isFilled } from './step-type.ts'
import type { StepSettings, StepTypeName } from './tree.ts'

export const MAIL: StepTypeName = 'send_email_step'

/** Kind of the templates that hold the texts of e-mails. */
export const TEMPLATE = { name: 'emails/template' }

/** Settings by which a step names its senders. */
const SENDERS = ['from_address_id', 'reply_to_address_id'] as const

const NO_ADDRESS =
  'A complete business mailing address is required to create marketing emails. ' +
  'GET and PUT /api/v2/workspaces/:workspace_id/emails/settings show and set it.'

const CREATE_ONLY =
  'send_email_step template_id cannot be changed after creation. ' +
  'Edit its email with html_body and text_body, or add a new step.'

/** What an e-mail of a step is checked against. */
export interface MailFacts {
  readonly addressComplete: boolean
  /** Addresses of the workspace that may send. */
  readonly usable: ReadonlySet<number>
}

const idOf = (named: Json | undefined): number | undefined =>
  isJsonObject(named) && typeof named.id === 'number' ? named.id : undefined

/** Loads what the e-mail of a step is checked against. */
export const loadMailFacts = async (workspaceId: number, read: FactReader): Promise<MailFacts> => {
  const [addressComplete, usable] = await Promise.all([
    isAddressComplete(workspaceId, read),
    usableSenders(workspaceId, read),
  ])
  return { addressComplete, usable }
}

/** Returns why the e-mail of a step is refused. @param isNew whether the step is created */
export const mailProblem = (sent: JsonObject, isNew: boolean, facts: MailFacts): Refusal | undefined => {
  const field = (name: string) => `step_type_settings.${MAIL}.${name}`
  if (isNew && !facts.addressComplete) return refuse.invalid(NO_ADDRESS, 'step_type_settings', 'address')
  if (isNew && !isFilled(sent.subject) && !isFilled(sent.template_id))
    return refuse.invalid('send_email_step requires a subject or a template_id.', field('subject'), 'blank')
  if (!isNew && sent.template_id !== undefined) return refuse.invalid(CREATE_ONLY, field('template_id'), 'immutable')
  const unusable = SENDERS.find((name) => {
    const id = idOf(sent[name])
    return id !== undefined && !facts.usable.has(id)
  })
  if (unusable === undefined) return undefined
  return refuse.invalid(`${MAIL} ${unusable} must be usable as a sender`, field(unusable), 'unusable')
}

/** Tells whether a step gets a template of its own: a copy of the one that is named, or one with the bodies that were sent. */
export const getsTemplate = (sent: JsonObject, before: StepSettings = {}): boolean =>
  !isFilled(before.template_id) && [sent.template_id, sent.html_body, sent.text_body].some(isFilled)

/** Returns the settings of an e-mail with a template of its own, whose subject is that of the template unless another was sent. */
export const withOwnTemplate = (settings: StepSettings, own: number, source: Document | undefined): StepSettings => ({
  ...settings,
  subject: settings.subject ?? source?.subject ?? null,
  template_id: own,
})

const textIn = (value: Json | undefined): string | null | undefined =>
  typeof value === 'string' || value === null ? value : undefined

/** Returns the texts that were sent. */
const textsIn = (sent: JsonObject) => {
  const [subject, html_body, text_body] = [sent.subject, sent.html_body, sent.text_body].map(textIn)
  return {
    ...(subject !== undefined && { subject }),
    ...(html_body !== undefined && { html_body }),
    ...(text_body !== undefined && { text_body }),
  }
}

/** Returns the texts of the template that an e-mail has, or that it copies. */
export const templateTexts = async (sent: JsonObject, before: StepSettings, read: Reader): Promise<AuthoredMail> => {
  const id = typeof before.template_id === 'number' ? before.template_id : idOf(sent.template_id)
  return (await read.one(template, id)) ?? {}
}

const NAME = 'Email of a workflow'

/** Returns the texts of a new template: those of the one that is copied, with the subject that was sent, or else all that were sent. */
const textsOfOwn = async (sent: JsonObject, read: FactReader) => {
  const source = await readerOver(read).one(template, idOf(sent.template_id))
  const { subject } = textsIn(sent)
  if (!source) return { name: subject || NAME, ...textsIn(sent) }
  const { name, html_body, text_body } = source
  return { name, html_body, text_body, subject: subject ?? source.subject }
}

/** Returns the command by which the template of an e-mail is made, or gets what was sent. */
export const templateFollowUps = async (
  { document, owner }: WriteInput,
  read: FactReader,
  { wanted: { type = document?.step_type, sent, own_template_id: own } }: RecordCommand,
): Promise<readonly Ask[]> => {
  if (type !== MAIL || !isJsonObject(sent)) return []
  if (typeof own === 'number') {
    const workspaceId = Number((document ?? owner)?.workspace_id)
    return [ask(templates, own, 'create', await textsOfOwn(sent, read), { isNew: true, workspaceId })]
  }
  const texts = textsIn(sent)
  const id = isJsonObject(document?.settings) ? document.settings.template_id : undefined
  return typeof id === 'number' && Object.keys(texts).length > 0 ? [ask(templates, id, 'change', texts)] : []
}
