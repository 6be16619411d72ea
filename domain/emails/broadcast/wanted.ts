import { contactFilters, filterCopy } from '../../filters/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { RecordCommand } from '../../kernel/decide/rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { workspaceOf } from '../../resources/workspace-of.ts'
import { templates } from '../template/rules.ts'

/** Returns a copy of the filter that was sent: a stored one by its id, or one in a token. */
const copyOf = async (
  sent: string,
  input: WriteInput,
): Promise<{ filter: JsonObject; proposal: JsonObject } | Refusal> => {
  const id = input.parseId(sent, contactFilters.resource)
  const stored = id === undefined ? undefined : await input.read.get(contactFilters.resource, id)
  if (stored) {
    const filter = contactFilters.stored(stored)
    return filter instanceof Refusal ? filter : { filter, proposal: filterCopy(stored) }
  }
  if (id !== undefined) return refuse.invalid('filter_id not found', 'filter_id', 'not_found')
  const proposal = await contactFilters.proposed(sent, input)
  if (proposal instanceof Refusal)
    return proposal.kind === 'forbidden'
      ? proposal
      : refuse.invalid('filter_id is no filter of this workspace', 'filter_id', 'invalid')
  const filter = await contactFilters.checked(proposal, input.read, workspaceOf(input))
  return filter instanceof Refusal ? refuse.invalid(filter.message, 'filter_id', 'invalid') : { filter, proposal }
}

const audienceOf = async (sent: Json | undefined, input: WriteInput): Promise<JsonObject | Refusal> => {
  if (sent === undefined) return {}
  if (sent === null || sent === '') return { audience: null }
  const copied = await copyOf(String(sent), input)
  return copied instanceof Refusal
    ? copied
    : { audience: { id: input.mint({ name: contactFilters.resource }), ...copied } }
}

const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && value.trim() !== ''

/** Returns what is stored of a request. Bodies without a template become a template of their own. */
export const wanted = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const { filter_id: sent, html_body = null, text_body = null, recipients: _, ...fields } = input.fields
  const filter_id = fields.recipient_ids ? undefined : sent
  const audience = await audienceOf(filter_id, input)
  if (audience instanceof Refusal) return audience
  const isOwn = !fields.template_id && (isFilled(html_body) || isFilled(text_body))
  if (!isOwn) return { ...fields, ...audience }
  return { ...fields, ...audience, bodies: { html_body, text_body }, template_id: input.mint({ name: templates.name }) }
}

/** Returns the commands that store the filter and the template of a request. */
export const followUps = async (input: WriteInput, _: unknown, { wanted }: RecordCommand): Promise<readonly Ask[]> => {
  const {
    audience,
    bodies,
    template_id: template,
    name = input.document?.name,
    subject = input.document?.subject,
  } = wanted
  const workspaceId = workspaceOf(input)
  const asks: Ask[] = []
  if (isJsonObject(audience) && isJsonObject(audience.proposal))
    asks.push({ ...contactFilters.keep(audience.proposal, Number(audience.id)), isNew: true })
  if (isJsonObject(bodies)) {
    const texts = { name: String(name), subject: isFilled(subject) ? subject : null, ...bodies }
    asks.push(ask(templates, Number(template), 'create', texts, { isNew: true, workspaceId }))
  }
  return asks
}
