import { Type } from 'typebox'
import type { Ask } from '../../kernel/decide/ask.ts'
import type { Reader, RecordCommand } from '../../kernel/decide/rules.ts'
import { type FieldTable, managed } from '../../kernel/model/field.ts'
import { data, flag, integer, list, longText, reference } from '../../kernel/model/fields.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../operation.ts'
import type { AudienceFilters, Targets } from './audience.ts'

/** Returns the attributes in which a job stores its selection. */
export const selection = (resource: string) => ({
  target_ids: list(reference(resource), {
    max: 10_000,
    nullable: true,
    onTargetEnd: 'keep',
    about: 'The records, one by one',
  }),
  target_all: flag({ nullable: true, about: 'Every record of the workspace' }),
  filter_id: managed(integer({ about: 'The stored filter, which a token becomes as well' })),
  /** The filter as it was when the job was requested: see `audienceOf`. */
  filter: managed(data<JsonObject>(Type.Object({})), { shown: 'never' }),
})

/** Returns the fields of a selection that clients send but that are not stored as sent. */
export const selectionFields = ({ filters }: Targets): FieldTable => {
  if (!filters) return {}
  const stored = (about: string) => reference(filters.resource, { nullable: true, about })
  return {
    stable_id: longText({ nullable: true, about: 'Token of a filter' }),
    stored_filter_id: stored('A stored filter'),
    filter_id: stored('Another name of stored_filter_id'),
  }
}

/** Filters that a request has besides the attributes of the job. */
export interface RequestedFilters {
  readonly stored: { readonly id: number; readonly filter: JsonObject }
  /** `id`: the id under which the filter will be stored. */
  readonly token: { readonly id: number; readonly proposal: JsonObject }
}

const filterSent = (filters: AudienceFilters, { references }: WriteInput) => {
  const [document] = references.stored_filter_id ?? references.filter_id ?? []
  const filter = document && filters.stored(document)
  if (!document || !filter || filter instanceof Refusal) return filter
  return { stored: { id: Number(document.id), filter } }
}

const tokenSent = async (filters: AudienceFilters, input: WriteInput) => {
  const { stable_id: token } = input.fields
  if (typeof token !== 'string' || token === '') return undefined
  const proposal = await filters.proposed(token, input)
  return proposal instanceof Refusal ? proposal : { token: { id: input.mint({ name: filters.resource }), proposal } }
}

/** Returns a function that turns the fields of a request into the input of the job's creation, or says why it cannot. */
export const creationInput =
  ({ filters }: Targets) =>
  async (input: WriteInput): Promise<JsonObject | Refusal> => {
    if (!filters) return input.fields
    const { stable_id: _, stored_filter_id: name, filter_id: otherName, ...fields } = input.fields
    if (name && otherName && name !== otherName)
      return refuse.invalid('stored_filter_id and filter_id are two names of one selection', 'filter_id', 'selection')
    const stored = filterSent(filters, input)
    if (stored instanceof Refusal) return stored
    const token = await tokenSent(filters, input)
    return token instanceof Refusal ? token : { ...fields, ...stored, ...token }
  }

interface SelectionContext {
  readonly wanted: Partial<RequestedFilters> & {
    readonly target_ids?: readonly number[] | null
    readonly target_all?: boolean | null
  }
}

/** Returns a function that loads the filter of a token, checked against the workspace. */
export const checkedToken =
  ({ filters }: Targets) =>
  ({ wanted: { token }, workspaceId }: SelectionContext & { readonly workspaceId: number }, { documents }: Reader) =>
    token && filters?.checked(token.proposal, documents, workspaceId)

/** Builds the rule that a job has exactly one selection. A missing selection or an empty list is refused: neither means all records. */
export const requireOneSelection =
  ({ filters }: Targets) =>
  (
    { wanted: { token, stored, target_ids: ids, target_all: all } }: SelectionContext,
    checked?: JsonObject | Refusal,
  ) => {
    const choices = { stable_id: token, stored_filter_id: stored, target_ids: ids?.length, target_all: all }
    const [selected, second] = Object.entries(choices).flatMap(([name, choice]) => (choice ? name : []))
    const names = filters ? 'stable_id, stored_filter_id, target_ids, or target_all' : 'target_ids or target_all'
    if (selected === undefined) return refuse.invalid(`provide a selection: ${names}`, 'target_ids', 'selection')
    if (second !== undefined) return refuse.invalid(`provide only one selection: ${names}`, second, 'selection')
    if (checked instanceof Refusal) return checked
    if (token) return { filter_id: token.id, filter: checked ?? null }
    return stored && { filter_id: stored.id, filter: stored.filter }
  }

/** Returns the follow-ups of a request, which store the filter of its token. So `filter_id` always names a stored filter. */
export const storeTokenFilter =
  ({ filters }: Targets) =>
  async (_input: WriteInput, _read: unknown, command: RecordCommand): Promise<readonly Ask[]> => {
    const { token } = command.wanted
    if (!filters || !isJsonObject(token) || !isJsonObject(token.proposal)) return []
    return [filters.keep(token.proposal, Number(token.id))]
  }
